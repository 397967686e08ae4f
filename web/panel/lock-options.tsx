// The options of one lock: each is kept as soon as it is set, and the page says what Home makes of it.
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { isTimeZone } from '../../src/config/time-zone.ts';
import type {
  LockSettingsChange,
  LockSettingsView,
  SourcedView,
} from '../../src/panel/lock-settings-view.ts';
import { Fold } from '../shared/fold.tsx';
import { Field, Fixed, Switch } from './fields.tsx';
import { useAction, usePageContext } from './page-context.ts';
import { Failure, Question, Status } from './pieces.tsx';

/** Keeps a change; `effect`: what to say when it is kept. Resolves when the page shows what came of it. Never rejects. */
type Configure = (change: LockSettingsChange, effect: string) => Promise<void>;

export function LockOptions(props: { readonly lock: LockSettingsView; readonly name: string }): VNode {
  const { lock, name } = props;
  const { call, read } = usePageContext();
  const keeping = useAction();
  const [effect, setEffect] = useState('');
  const [isAsking, setAsking] = useState(false);
  const configure: Configure = async (change, said) => {
    setEffect('');
    const isKept = await keeping.run(async () =>
      call('locks.configure', { lock: lock.id, settings: change }),
    );
    setEffect(isKept ? said : '');
    await read('locks.settings');
  };
  return (
    <>
      <Switch
        label="Show in Home"
        of={name}
        isOn={!lock.hide.value && !isAsking}
        isFixed={lock.hide.from === 'config'}
        onSwitch={(isShown) => {
          if (isShown) {
            void configure({ hide: false }, `Saved. Home shows ${name}.`);
          } else {
            setAsking(true);
          }
        }}
      />
      {isAsking && (
        <Question
          action="Hide"
          of={name}
          question="It leaves Home with its room and automations. Shown again, it comes back as a new accessory."
          isBusy={keeping.isBusy}
          onConfirm={() => {
            setAsking(false);
            void configure({ hide: true }, `Saved. ${name} was removed from Home.`);
          }}
          onCancel={() => {
            setAsking(false);
          }}
        />
      )}
      <Fold title="Name and options" of={name}>
        {() => (
          <>
            <Rights lock={lock} name={name} configure={configure} />
            <Texts lock={lock} name={name} configure={configure} />
          </>
        )}
      </Fold>
      <Status>{effect !== '' && <p class="kept-note">{effect}</p>}</Status>
      <Failure failure={keeping.failure} />
    </>
  );
}

interface MoreProps {
  readonly lock: LockSettingsView;
  readonly name: string;
  readonly configure: Configure;
}

/** Who may move the bolt from afar. */
function Rights({ lock, name, configure }: MoreProps): VNode {
  return (
    <>
      <Switch
        label="Allow remote unlock"
        of={name}
        help="Off: it can only be unlocked at the lock itself. Home can still lock it."
        isOn={lock.remoteUnlock.value}
        isFixed={lock.remoteUnlock.from === 'config'}
        onSwitch={(remoteUnlock) =>
          void configure(
            { remoteUnlock },
            remoteUnlock
              ? 'Saved. It can be unlocked remotely.'
              : 'Saved. It can no longer be unlocked remotely.',
          )
        }
      />
      <Switch
        label="Admins only"
        of={name}
        help="On: other members of the home can see the lock but not operate it."
        isOn={lock.adminOnly.value}
        isFixed={lock.adminOnly.from === 'config'}
        onSwitch={(adminOnly) =>
          void configure(
            { adminOnly },
            adminOnly
              ? 'Saved. Only the home’s admins can operate it.'
              : 'Saved. Every member of the home can operate it.',
          )
        }
      />
    </>
  );
}

/** What is written rather than switched. */
function Texts({ lock, configure }: MoreProps): VNode {
  return (
    <>
      <TextOption
        label="Name in Home"
        help="Used when the lock first appears. After that, rename it in the Home app."
        option={lock.name}
        empty={lock.accountName}
        faultOf={(text) => (text.length > LONGEST_NAME ? `At most ${String(LONGEST_NAME)} letters.` : null)}
        onKeep={async (text) =>
          configure({ name: text }, 'Saved. A lock that is already in Home keeps its name there.')
        }
      />
      <TextOption
        label="Low-battery warning (%)"
        help="Home warns at or below this level (1 to 95)."
        option={{ ...lock.lowBattery, value: String(lock.lowBattery.value) }}
        empty=""
        faultOf={(text) =>
          /^[1-9]\d?$/.test(text) && Number(text) <= HIGHEST_LOW ? null : 'Enter a whole number from 1 to 95.'
        }
        onKeep={async (text) =>
          configure({ lowBattery: text === null ? null : Number(text) }, 'Saved. Home uses the new level.')
        }
      />
      <TextOption
        label="Time zone"
        help="For example Europe/Paris. Leave empty to use the service’s setting."
        option={lock.timeZone}
        empty="Automatic"
        faultOf={(text) =>
          isTimeZone(text) ? null : 'This isn’t a time zone. Enter one such as Europe/Paris.'
        }
        onKeep={async (text) => configure({ timeZone: text }, 'Saved. Its history uses this time zone.')}
      />
    </>
  );
}

/** The bounds of the option table. */
const LONGEST_NAME = 64;
const HIGHEST_LOW = 95;

/** A text that is kept when the field is left; emptied, it falls back to what is usual. */
function TextOption(props: {
  readonly label: string;
  readonly help: string;
  readonly option: SourcedView<string | null>;
  readonly empty: string;
  readonly faultOf: (text: string) => string | null;
  readonly onKeep: (text: string | null) => Promise<void>;
}): VNode {
  const { label, help, option, empty, faultOf, onKeep } = props;
  const known = option.from === 'default' ? '' : (option.value ?? '');
  const [text, setText] = useState(known);
  /** What is being kept: Enter and the leaving of the field are one target. */
  const asked = useRef<string | null>(null);
  const shown = useRef(known);
  useEffect(() => {
    // Only what has changed: what was typed before the first effect ran stays.
    if (shown.current !== known) {
      shown.current = known;
      setText(known);
    }
  }, [known]);
  if (option.from === 'config') {
    return (
      <Fixed label={label} from="config.json">
        {option.value ?? ''}
      </Fixed>
    );
  }
  const fault = text.trim() === '' ? null : faultOf(text.trim());
  const keep = async (): Promise<void> => {
    const target = text.trim();
    if (fault === null && target !== known && target !== asked.current) {
      asked.current = target;
      await onKeep(target === '' ? null : target);
      asked.current = null;
    }
  };
  return (
    <Field
      label={label}
      help={help}
      value={text}
      placeholder={option.value === null || option.value === '' ? empty : option.value}
      fault={fault}
      showsFault={false}
      onInput={setText}
      onDone={() => void keep()}
    />
  );
}
