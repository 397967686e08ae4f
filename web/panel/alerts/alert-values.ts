// What config.json says of alerts: read with the usual values where it says nothing, or nothing that makes sense.
import {
  ALERT_ROWS,
  type AlertName,
  type AlertValues,
  isMoveWay,
  LONGEST_NAME,
  MOST_MINUTES,
  MOST_NAMES,
} from '../../../src/domain/locks/alert-options.ts';
import { memberOf } from '../../../src/support/text/foreign-json.ts';
import type { Block } from '../state/config-blocks.ts';

/** In the order of the page: what is wrong at a door, what concerns codes and stays, what is for automations alone. */
export const GROUPS = {
  doors: ['leftUnlocked', 'jam', 'lowBattery', 'wrongCode', 'keypadLockedOut', 'activityAlarm'],
  stays: ['guestArrived', 'stayNotReady'],
  moves: ['unlockedByCode', 'movedBy'],
  automations: ['autoLockMinutes', 'boltSensor', 'automationSwitch'],
} as const satisfies Readonly<Record<string, readonly AlertName[]>>;

/** The reading of each kind; undefined: it makes no sense. */
const READ = {
  switch: (value: unknown) => (typeof value === 'boolean' ? value : undefined),
  minutes: (value: unknown) => (isMinutes(value) ? value : undefined),
  names: (value: unknown) =>
    Array.isArray(value) ? value.filter((one) => typeof one === 'string') : undefined,
  ways: (value: unknown) => (Array.isArray(value) ? value.filter(isMoveWay) : undefined),
};

export function isMinutes(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST_MINUTES;
}

export const ALERT_NAMES = Object.keys(ALERT_ROWS).filter((name): name is AlertName => name in ALERT_ROWS);

export function alertsIn(block: Block): AlertValues {
  const alerts = block['alerts'];
  const entries = ALERT_NAMES.map((name) => {
    const row = ALERT_ROWS[name];
    const written = memberOf(alerts, name);
    const value = name === 'wrongCode' ? memberOf(written, 'enabled') : written;
    const read =
      row.kind === 'choice'
        ? row.choices.map(([choice]) => choice).find((choice) => choice === value)
        : READ[row.kind](value);
    return [name, read ?? row.usual];
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every name of the table is there, each read by its kind
  return Object.fromEntries(entries) as AlertValues;
}

/** The block with one alert set. Everything else that a person wrote stays as it is. */
export function withAlert<Name extends AlertName>(block: Block, name: Name, value: AlertValues[Name]): Block {
  const { alerts } = block;
  const kept = typeof alerts === 'object' && alerts !== null ? alerts : {};
  return { ...block, alerts: { ...kept, [name]: name === 'wrongCode' ? { enabled: value } : value } };
}

/** Whether two values of an option are the same. */
export function isSame(one: AlertValues[AlertName], other: AlertValues[AlertName]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The names of codes that were typed, each once. */
export function namesOf(typed: string): readonly string[] {
  const names = typed.split(/[,、]/u).map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ''))];
}

export function areNames(names: readonly string[]): boolean {
  return names.length <= MOST_NAMES && names.every(({ length }) => length <= LONGEST_NAME);
}

/** What the option adds to Home, each called so after the lock's name; a plain alert also while it is off. */
export function addedToHome(name: AlertName, values: AlertValues): readonly string[] {
  const row = ALERT_ROWS[name];
  switch (row.kind) {
    case 'switch':
    case 'minutes':
      return row.sensor === null ? [] : [row.sensor];
    case 'choice':
      return Object.entries(row.sensors).flatMap(([choice, sensor]) =>
        choice === values[name] ? [sensor] : [],
      );
    case 'names':
      return values.unlockedByCode.map((code) => row.sensorOf(code));
    case 'ways':
      return values.movedBy.map((way) => row.sensorOf(way));
  }
}
