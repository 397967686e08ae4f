// The fields of a lock's options: who may move it, and options that are written rather than switched.
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { isTimeZone } from '../../../src/config/options/time-zone.ts';
import { LOCK_SETTING_NAMES, LOCK_SETTINGS, type Sourced } from '../../../src/domain/locks/settings.ts';
import type { LockSettingsChange, LockSettingsView } from '../../../src/panel/views/lock-settings.ts';
import { t } from '../../../src/words/translate.ts';
import { CONFIG_FILE, Field, type FieldKind, Fixed, Switch } from '../parts/fields.tsx';

/** Keeps a change; `effect`: what to say when it is kept. Resolves to whether it was, once the options were read again. Never rejects. */
export type Configure = (change: LockSettingsChange, effect: string) => Promise<boolean>;

export interface MoreProps {
  readonly lock: LockSettingsView;
  readonly name: string;
  readonly configure: Configure;
}

/** Options that are switched: first of all, who may move the bolt from afar. */
export function Switches({ lock, name, configure }: MoreProps): VNode {
  return (
    <>
      {LOCK_SETTING_NAMES.map((option) => {
        const row = LOCK_SETTINGS[option];
        if (row.kind !== 'switch' || row.page === null) {
          return null;
        }
        const { label, help, on, off } = row.page;
        return (
          <Switch
            key={option}
            label={t(label)}
            of={name}
            help={t(help)}
            isOn={lock[option].value === true}
            isFixed={lock[option].from === 'config'}
            onSwitch={(isOn) => void configure({ [option]: isOn }, t(isOn ? on : off))}
          />
        );
      })}
    </>
  );
}

/** Options that are written. */
export function Texts({ lock, configure }: MoreProps): VNode {
  return (
    <>
      {LOCK_SETTING_NAMES.map((option) => {
        const row = LOCK_SETTINGS[option];
        if (row.kind === 'switch') {
          return null;
        }
        const { label, help, empty, kept } = row.page;
        const { value, from } = lock[option];
        return (
          <TextOption
            key={option}
            label={t(label)}
            kind={row.kind === 'percent' ? 'digits' : 'text'}
            help={t(help)}
            option={{ from, value: value === null ? null : String(value) }}
            empty={empty === null ? lock.accountName : t(empty)}
            faultOf={FAULTS[row.kind]}
            onKeep={async (text) =>
              configure({ [option]: text !== null && row.kind === 'percent' ? Number(text) : text }, t(kept))
            }
          />
        );
      })}
    </>
  );
}

/** The bounds of the option table. */
const LONGEST_NAME = 64;
const HIGHEST_LOW = 95;

const FAULTS = {
  text: (text: string) =>
    text.length > LONGEST_NAME
      ? t('At most {count, plural, one {# letter} other {# letters}}.', { count: LONGEST_NAME })
      : null,
  percent: (text: string) =>
    /^[1-9]\d?$/.test(text) && Number(text) <= HIGHEST_LOW ? null : t('Enter a whole number from 1 to 95.'),
  zone: (text: string) =>
    isTimeZone(text) ? null : t('This isn’t a time zone. Enter one such as Europe/Paris.'),
} as const;

/** A text that is stored when the field loses the focus; emptied, it falls back to the default. */
function TextOption(props: {
  readonly label: string;
  readonly help: string;
  readonly kind?: FieldKind;
  readonly option: Sourced<string | null>;
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
      onInput={setText}
      onDone={() => void keep()}
    />
  );
}
