// The settings of one lock, one row each: kind, default value, and the words that people read.
import { type Message, message } from '../language/message.ts';

interface Row<Value> {
  readonly usual: Value;
  /** In the settings form of Homebridge. */
  readonly title: string;
  /** In that form and in docs/options.md. */
  readonly description: string;
}

/** Something that is on or off. */
export interface SwitchSetting extends Row<boolean> {
  readonly kind: 'switch';
  /** The choices of the form, on and off. */
  readonly choices: readonly [string, string];
  /** On the page of a lock; `on` and `off`: what is said once it is kept. Null: drawn there by hand. */
  readonly page: {
    readonly label: Message;
    readonly help: Message;
    readonly on: Message;
    readonly off: Message;
  } | null;
}

/** Something that is written. `zone`: an IANA name. */
export interface WrittenSetting<Value extends string | number | null> extends Row<Value> {
  readonly kind: 'text' | 'percent' | 'zone';
  /** `empty`: what an empty field shows; null for the lock's name in the account. `kept`: what is said once it is kept. */
  readonly page: {
    readonly label: Message;
    readonly help: Message;
    readonly empty: Message | null;
    readonly kept: Message;
  };
}

/** A row more is an option more: in config.json, its form and documents, on the page of a lock, and in diagnostics. */
export const LOCK_SETTINGS = {
  name: written<string | null>({
    kind: 'text',
    usual: null,
    title: 'Name',
    description: 'Name in Home when the lock is added. Default: its name in the account.',
    page: {
      label: message('Name in Home'),
      help: message('Used when the lock first appears. After that, rename it in the Home app.'),
      empty: null,
      kept: message('Saved. A lock that is already in Home keeps its name there.'),
    },
  }),
  hide: switched({
    usual: false,
    title: 'Hide from Home',
    description: 'Hide this lock from Home, along with its room and automations. Default: `false`.',
    choices: ['Hide', 'Show'],
    page: null,
  }),
  remoteUnlock: switched({
    usual: true,
    title: 'Allow remote unlock',
    description:
      'Allow unlocking through this plugin: Home, voice, Matter, MQTT and the command line. Locking works either way. Default: `true`.',
    choices: ['Allowed', 'Not allowed'],
    page: {
      label: message('Allow remote unlock'),
      help: message('Off: it can only be unlocked at the lock itself. Home can still lock it.'),
      on: message('Saved. It can be unlocked remotely.'),
      off: message('Saved. It can no longer be unlocked remotely.'),
    },
  }),
  adminOnly: switched({
    usual: false,
    title: 'Admins only',
    description: 'Only admins of the home can operate this lock in Home. Default: `false`.',
    choices: ['Admins only', 'Everyone in the home'],
    page: {
      label: message('Admins only'),
      help: message('On: other members of the home can see the lock but not operate it.'),
      on: message('Saved. Only the home’s admins can operate it.'),
      off: message('Saved. Every member of the home can operate it.'),
    },
  }),
  timeZone: written<string | null>({
    kind: 'zone',
    usual: null,
    title: 'Time zone',
    description:
      'IANA time zone of the lock, such as `Europe/Paris`. Without it, history uses the offset that the service reports, and codes use the time zone of this computer if the lock’s clock agrees with it.',
    page: {
      label: message('Time zone'),
      help: message('For example Europe/Paris. Leave empty to use the service’s setting.'),
      empty: message('Automatic'),
      kept: message('Saved. Its history uses this time zone.'),
    },
  }),
  /** The usual one is that of all locks. */
  lowBattery: written<number>({
    kind: 'percent',
    usual: 20,
    title: 'Low-battery warning (%)',
    description: 'Low at or below this percentage, for this lock. Default: `lowBattery.threshold`.',
    page: {
      label: message('Low-battery warning (%)'),
      help: message('Home warns at or below this level (1 to 95).'),
      empty: null,
      kept: message('Saved. Home uses the new level.'),
    },
  }),
} as const;

/** The value of every setting, in force. */
export type LockValues = {
  readonly [Name in keyof typeof LOCK_SETTINGS]: (typeof LOCK_SETTINGS)[Name]['usual'];
};

/** What a person wrote in config.json, or on a page. */
export type LockSettings = {
  readonly [Name in keyof LockValues]?: NonNullable<LockValues[Name]> | undefined;
};

/** A value and its source; pages cannot change values from `config`. */
export interface Sourced<T> {
  readonly value: T;
  readonly from: 'config' | 'page' | 'default';
}

export type SourcedValues = { readonly [Name in keyof LockValues]: Sourced<LockValues[Name]> };

export const LOCK_SETTING_NAMES = Object.keys(LOCK_SETTINGS).filter(
  (name): name is keyof LockValues => name in LOCK_SETTINGS,
);

/** Each setting by one function; the compiler loses which name goes with which value. */
export function eachSetting<Result extends { readonly [Name in keyof LockValues]: unknown }>(
  of: (name: keyof LockValues) => Result[keyof LockValues],
): Result {
  const entries = LOCK_SETTING_NAMES.map((name) => [name, of(name)]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every name of the table is there, and no other
  return Object.fromEntries(entries) as Result;
}

/** The values alone, as those who act on them read them. */
export function valuesOf(settings: SourcedValues): LockValues {
  return eachSetting<LockValues>((name) => settings[name].value);
}

function switched(row: Omit<SwitchSetting, 'kind'>): SwitchSetting {
  return { kind: 'switch', ...row };
}

function written<Value extends string | number | null>(row: WrittenSetting<Value>): WrittenSetting<Value> {
  return row;
}
