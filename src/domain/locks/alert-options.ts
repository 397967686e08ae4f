// The options of alerts, one row each: its kind and usual value, the words that people read, and its sensors in Home.
import { type Message, message } from '../language/message.ts';

/** A way of moving the bolt that can trigger a sensor. */
export const MOVE_WAYS = {
  keypad: { sensor: 'moved by keypad', title: message('Access code at the keypad') },
  inside: { sensor: 'moved from inside', title: message('Thumbturn inside') },
  outside: { sensor: 'moved from outside', title: message('One-touch button outside') },
  remote: { sensor: 'moved remotely', title: message('Remotely') },
  autoRelock: { sensor: 'relocked by itself', title: message('Auto-relock') },
  nfc: { sensor: 'moved by NFC', title: message('Phone or watch at the lock (NFC)') },
} as const satisfies Readonly<Record<string, { readonly sensor: string; readonly title: Message }>>;

export type MoveWay = keyof typeof MOVE_WAYS;

export function isMoveWay(value: unknown): value is MoveWay {
  return typeof value === 'string' && Object.hasOwn(MOVE_WAYS, value);
}

export const WAYS = Object.keys(MOVE_WAYS).filter(isMoveWay);

/** Bounds of the option table. */
export const MOST_MINUTES = 1_440;
export const MOST_NAMES = 20;
export const LONGEST_NAME = 24;

/** What the options say, each as one value. */
export interface AlertValues {
  readonly wrongCode: boolean;
  readonly keypadLockedOut: boolean;
  readonly activityAlarm: boolean;
  readonly guestArrived: boolean;
  readonly stayNotReady: boolean;
  readonly jam: boolean;
  readonly lowBattery: boolean;
  /** Minutes; 0: off. */
  readonly leftUnlocked: number;
  readonly autoLockMinutes: number;
  readonly unlockedByCode: readonly string[];
  readonly movedBy: readonly MoveWay[];
  readonly boltSensor: 'none' | 'occupancy' | 'contact';
  readonly automationSwitch: 'off' | 'lockOnly' | 'bothWays';
}

export type AlertName = keyof AlertValues;

interface Row<Value> {
  readonly usual: Value;
  readonly title: Message;
  /** In the form and in docs/options.md; on the page, too, where that has no other. */
  readonly description: Message;
  readonly help?: Message;
}

/** How long its sensor is on: as long as something is so, or for a moment after it happened. */
type Lasting = 'state' | 'moment';

export interface SwitchRow extends Row<boolean> {
  readonly kind: 'switch';
  readonly lasts: Lasting;
  /** What its sensor is called, after the lock. */
  readonly sensor: string;
}

export interface MinutesRow extends Row<number> {
  readonly kind: 'minutes';
  /** On the page, where the minutes have a field of their own. */
  readonly brief: Message;
  readonly help: Message;
  readonly lasts: Lasting;
  /** Null: it adds nothing to Home. */
  readonly sensor: string | null;
}

export interface ChoiceRow<Value extends string> extends Row<Value> {
  readonly kind: 'choice';
  readonly help: Message;
  readonly choices: readonly (readonly [Value, Message])[];
  /** What it adds to Home is called, after the lock. */
  readonly sensors: Readonly<Partial<Record<Value, string>>>;
}

export interface ListRow<Value> extends Row<readonly Value[]> {
  readonly kind: 'names' | 'ways';
  readonly sensorOf: (value: Value) => string;
}

/** A row more is an alert more: in the option table, its form and documents, and on the page of alerts. */
export const ALERT_ROWS = {
  leftUnlocked: {
    kind: 'minutes',
    usual: 0,
    lasts: 'state',
    sensor: 'left unlocked',
    title: message('Left unlocked (minutes)'),
    brief: message('Left unlocked'),
    description: message('Alert while a lock has been unlocked for so many minutes. 0 turns it off.'),
    help: message('Alert while a lock has been unlocked for so many minutes.'),
  },
  jam: {
    ...switched('jammed', 'state'),
    title: message('Jammed bolt'),
    description: message('Alert while the bolt is jammed.'),
  },
  lowBattery: {
    ...switched('battery low', 'state'),
    title: message('Low battery'),
    description: message('Alert while the battery is low.'),
  },
  wrongCode: {
    ...switched('wrong code', 'moment'),
    title: message('Wrong codes'),
    description: message('Alert after three wrong codes at the keypad within five minutes.'),
  },
  keypadLockedOut: {
    ...switched('keypad locked out', 'moment'),
    title: message('Keypad locked out'),
    description: message('Alert when a keypad locks itself after wrong codes.'),
  },
  activityAlarm: {
    ...switched('activity alarm', 'moment'),
    title: message('Activity alarm'),
    description: message("Alert when a lock's activity alarm goes off."),
  },
  guestArrived: {
    ...switched('guest arrived', 'moment'),
    title: message('A guest arrived'),
    description: message(
      'Alert when the guest of a booked stay uses their code for the first time, at the lock where they do.',
    ),
  },
  stayNotReady: {
    ...switched('stay not ready', 'moment'),
    title: message('A stay is not ready'),
    description: message(
      'Alert when the code of a booked stay is not on the lock 24 hours, and again 2 hours, before the check-in.',
    ),
  },
  unlockedByCode: {
    kind: 'names',
    usual: [],
    sensorOf: (name: string) => `unlocked by ${name}`,
    title: message('Unlocked by access code'),
    description: message(
      'Add a sensor for each of these access codes, by its name in the account. It is triggered when the code unlocks a lock.',
    ),
  },
  movedBy: {
    kind: 'ways',
    usual: [],
    sensorOf: (way: MoveWay) => MOVE_WAYS[way].sensor,
    title: message('Locked or unlocked by'),
    description: message(
      'Add a sensor for each of these methods. It is triggered when a lock is locked or unlocked that way.',
    ),
  },
  autoLockMinutes: {
    kind: 'minutes',
    usual: 0,
    lasts: 'moment',
    sensor: null,
    title: message('Lock by itself after (minutes)'),
    brief: message('Lock by itself'),
    description: message(
      'Lock by itself what has been unlocked for so many minutes: once, after a fresh reading, and not again soon after a person unlocks. 0 turns it off. It cannot see whether the door is closed.',
    ),
    help: message(
      'Lock by itself what has been unlocked for so many minutes. It cannot see whether the door is closed.',
    ),
  },
  boltSensor: {
    kind: 'choice',
    usual: 'none',
    sensors: { occupancy: 'locked', contact: 'bolt' },
    choices: [
      ['none', message('No sensor')],
      ['occupancy', message('Occupancy sensor')],
      ['contact', message('Contact sensor (Home shows a door)')],
    ],
    title: message('Bolt sensor'),
    description: message(
      'Add a sensor that follows the bolt, for automations that cannot use locks. Home shows `contact` as a door.',
    ),
    help: message('A sensor that follows the bolt, for automations that cannot use locks.'),
  },
  automationSwitch: {
    kind: 'choice',
    usual: 'off',
    sensors: { lockOnly: 'lock switch', bothWays: 'lock switch' },
    choices: [
      ['off', message('No switch')],
      ['lockOnly', message('Locks only')],
      ['bothWays', message('Locks and unlocks (Home does not ask)')],
    ],
    title: message('Automation switch'),
    description: message(
      'Add a switch that operates the lock without confirmation in Home. `bothWays` lets any automation unlock; locks with `remoteUnlock` off can only be locked.',
    ),
    help: message(
      'A switch that operates the lock without confirmation in Home. Where it also unlocks, any automation may open the door.',
    ),
  },
} as const satisfies {
  readonly [Name in AlertName]: AlertValues[Name] extends boolean
    ? SwitchRow
    : AlertValues[Name] extends number
      ? MinutesRow
      : AlertValues[Name] extends readonly (infer One)[]
        ? ListRow<One>
        : AlertValues[Name] extends string
          ? ChoiceRow<AlertValues[Name]>
          : never;
};

function switched<Sensor extends string>(
  sensor: Sensor,
  lasts: Lasting,
): Pick<SwitchRow, 'kind' | 'usual' | 'lasts'> & { readonly sensor: Sensor } {
  return { kind: 'switch', usual: false, lasts, sensor };
}
