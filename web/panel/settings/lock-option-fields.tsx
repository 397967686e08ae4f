// The fields of a lock's options: who may move it, and options that are written rather than switched.
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { isTimeZone } from '../../../src/config/options/time-zone.ts';
import type {
  LockSettingsChange,
  LockSettingsView,
  SourcedView,
} from '../../../src/panel/views/lock-settings.ts';
import { t } from '../../../src/words/translate.ts';
import { CONFIG_FILE, Field, type FieldKind, Fixed, Switch } from '../parts/fields.tsx';

/** Keeps a change; `effect`: what to say when it is kept. Resolves to whether it was, once the options were read again. Never rejects. */
export type Configure = (change: LockSettingsChange, effect: string) => Promise<boolean>;

export interface MoreProps {
  readonly lock: LockSettingsView;
  readonly name: string;
  readonly configure: Configure;
}

/** Who may move the bolt from afar. */
export function Rights({ lock, name, configure }: MoreProps): VNode {
  return (
    <>
      <Switch
        label={t('Allow remote unlock')}
        of={name}
        help={t('Off: it can only be unlocked at the lock itself. Home can still lock it.')}
        isOn={lock.remoteUnlock.value}
        isFixed={lock.remoteUnlock.from === 'config'}
        onSwitch={(remoteUnlock) =>
          void configure(
            { remoteUnlock },
            remoteUnlock
              ? t('Saved. It can be unlocked remotely.')
              : t('Saved. It can no longer be unlocked remotely.'),
          )
        }
      />
      <Switch
        label={t('Admins only')}
        of={name}
        help={t('On: other members of the home can see the lock but not operate it.')}
        isOn={lock.adminOnly.value}
        isFixed={lock.adminOnly.from === 'config'}
        onSwitch={(adminOnly) =>
          void configure(
            { adminOnly },
            adminOnly
              ? t('Saved. Only the home’s admins can operate it.')
              : t('Saved. Every member of the home can operate it.'),
          )
        }
      />
    </>
  );
}

/** Options that are written rather than switched. */
export function Texts({ lock, configure }: MoreProps): VNode {
  return (
    <>
      <TextOption
        label={t('Name in Home')}
        help={t('Used when the lock first appears. After that, rename it in the Home app.')}
        option={lock.name}
        empty={lock.accountName}
        faultOf={(text) =>
          text.length > LONGEST_NAME
            ? t('At most {count, plural, one {# letter} other {# letters}}.', { count: LONGEST_NAME })
            : null
        }
        onKeep={async (text) =>
          configure({ name: text }, t('Saved. A lock that is already in Home keeps its name there.'))
        }
      />
      <TextOption
        label={t('Low-battery warning (%)')}
        kind="digits"
        help={t('Home warns at or below this level (1 to 95).')}
        option={{ ...lock.lowBattery, value: String(lock.lowBattery.value) }}
        empty=""
        faultOf={(text) =>
          /^[1-9]\d?$/.test(text) && Number(text) <= HIGHEST_LOW
            ? null
            : t('Enter a whole number from 1 to 95.')
        }
        onKeep={async (text) =>
          configure({ lowBattery: text === null ? null : Number(text) }, t('Saved. Home uses the new level.'))
        }
      />
      <TextOption
        label={t('Time zone')}
        help={t('For example Europe/Paris. Leave empty to use the service’s setting.')}
        option={lock.timeZone}
        empty={t('Automatic')}
        faultOf={(text) =>
          isTimeZone(text) ? null : t('This isn’t a time zone. Enter one such as Europe/Paris.')
        }
        onKeep={async (text) => configure({ timeZone: text }, t('Saved. Its history uses this time zone.'))}
      />
    </>
  );
}

/** The bounds of the option table. */
const LONGEST_NAME = 64;
const HIGHEST_LOW = 95;

/** A text that is stored when the field loses the focus; emptied, it falls back to the default. */
function TextOption(props: {
  readonly label: string;
  readonly help: string;
  readonly kind?: FieldKind;
  readonly option: SourcedView<string | null>;
  readonly empty: string;
  readonly faultOf: (text: string) => string | null;
  readonly onKeep: (text: string | null) => Promise<boolean>;
}): VNode {
  const { label, help, kind = 'text', option, empty, faultOf, onKeep } = props;
  const known = option.from === 'default' ? '' : (option.value ?? '');
  const [text, setText] = useState(known);
  /** What was sent last: Enter and the leaving of the field send one text once, also before the new one is drawn. */
  const asked = useRef<string | null>(null);
  const shown = useRef(known);
  useEffect(() => {
    // Only a changed value is taken over: text that was typed before the first effect ran stays.
    if (shown.current !== known) {
      shown.current = known;
      asked.current = null;
      setText(known);
    }
  }, [known]);
  if (option.from === 'config') {
    return (
      <Fixed label={label} from={CONFIG_FILE}>
        {option.value ?? ''}
      </Fixed>
    );
  }
  const fault = text.trim() === '' ? null : faultOf(text.trim());
  const keep = async (): Promise<void> => {
    const target = text.trim();
    if (fault === null && target !== known && target !== asked.current) {
      asked.current = target;
      if (!(await onKeep(target === '' ? null : target))) {
        asked.current = null;
      }
    }
  };
  return (
    <Field
      label={label}
      help={help}
      kind={kind}
      value={text}
      placeholder={option.value === null || option.value === '' ? empty : option.value}
      fault={fault}
      showsFault={false}
      onInput={setText}
      onDone={() => void keep()}
    />
  );
}
