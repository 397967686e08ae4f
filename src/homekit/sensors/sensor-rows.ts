// The table of sensors beside a lock: the option for each, its name, and its condition.
import type { AccessMethod } from '../../domain/locks/access.ts';
import { ALERT_ROWS, MOVE_WAYS } from '../../domain/locks/alert-options.ts';
import { boltOf } from '../../domain/locks/lock.ts';
import type { Instant } from '../../domain/time/instant.ts';
import type { AlertReport } from '../../domain/webhooks/service-event.ts';
import { CURRENT_STATE } from '../hap/characteristic-values.ts';
import type { AlertOptions, LockOptions, MoveMethod } from '../hap/lock-options.ts';
import type { LockFacts, SensorEvent } from './lock-facts.ts';
import type { SideTitle } from './side-services.ts';

export interface SensorReading {
  /** Null: not known, so the sensor keeps the value it shows. */
  readonly detected: boolean | null;
  /** False: the value may be out of date. */
  readonly active: boolean;
  /** Left out: this sensor reports no faults. */
  readonly fault?: boolean;
}

/** Detected while a state holds. */
export interface StateRow extends SideTitle {
  readonly read: (facts: LockFacts) => SensorReading;
}

/** Detected for a while after an event. */
export interface PulseRow extends SideTitle {
  readonly isTriggeredBy: (event: SensorEvent) => boolean;
}

export type SensorRow = StateRow | PulseRow;

/** One entry for each option of `alerts` that adds sensors; the switch is no sensor. Home lists them in this order. */
const SENSORS: Readonly<
  Record<
    Exclude<keyof AlertOptions, 'automationSwitch' | 'autoLockMinutes'>,
    (alerts: AlertOptions) => readonly SensorRow[]
  >
> = {
  boltSensor: ({ boltSensor: kind }) =>
    kind === 'none'
      ? []
      : [{ subtype: 'bolt', label: ALERT_ROWS.boltSensor.sensors[kind], kind, read: readBolt }],
  jam: ({ jam }) => (jam ? [state('jam', ALERT_ROWS.jam.sensor, isJammed)] : []),
  lowBattery: ({ lowBattery }) =>
    lowBattery ? [state('low-battery', ALERT_ROWS.lowBattery.sensor, (facts) => facts.batteryLow)] : [],
  leftUnlocked: ({ leftUnlocked }) =>
    leftUnlocked > 0 ? [state('left-unlocked', ALERT_ROWS.leftUnlocked.sensor, isLeftUnlocked)] : [],
  wrongCode: ({ wrongCode }) =>
    wrongCode.enabled ? [pulse('wrong-code', ALERT_ROWS.wrongCode.sensor, wrongCodeCounter())] : [],
  keypadLockedOut: ({ keypadLockedOut }) =>
    keypadLockedOut
      ? [pulse('keypad-locked-out', ALERT_ROWS.keypadLockedOut.sensor, isAlert('keypad-locked-out'))]
      : [],
  activityAlarm: ({ activityAlarm }) =>
    activityAlarm ? [pulse('alarm', ALERT_ROWS.activityAlarm.sensor, isAlert('alarm'))] : [],
  guestArrived: ({ guestArrived }) =>
    guestArrived
      ? [pulse('guest-arrived', ALERT_ROWS.guestArrived.sensor, (event) => event.type === 'arrived')]
      : [],
  stayNotReady: ({ stayNotReady }) =>
    stayNotReady
      ? [pulse('stay-not-ready', ALERT_ROWS.stayNotReady.sensor, (event) => event.type === 'not-ready')]
      : [],
  unlockedByCode: ({ unlockedByCode }) =>
    [...new Set(unlockedByCode)]
      .filter((name) => name !== '')
      .map((name) =>
        pulse(`unlocked-by:${name}`, ALERT_ROWS.unlockedByCode.sensorOf(name), isUnlockByCode(name)),
      ),
  movedBy: ({ movedBy }) =>
    [...new Set(movedBy)].map((method) =>
      pulse(`moved-by:${method}`, MOVE_WAYS[method].sensor, isMoveBy(method)),
    ),
};

/** Every sensor that the options ask for. Counters start anew with each call. */
export function sensorRows({
  connectivitySensor: kind,
  alerts,
}: Pick<LockOptions, 'connectivitySensor' | 'alerts'>): readonly SensorRow[] {
  const connection: readonly SensorRow[] =
    kind === 'none' ? [] : [{ subtype: 'connection', label: 'online', kind, read: readConnection }];
  return [...connection, ...Object.values(SENSORS).flatMap((rows) => rows(alerts))];
}

function state(subtype: string, label: string, holds: (facts: LockFacts) => boolean | null): StateRow {
  const read = (facts: LockFacts): SensorReading => ({
    detected: holds(facts),
    active: facts.connectivity.active,
  });
  return { subtype, label, kind: 'occupancy', read };
}

function pulse(subtype: string, label: string, isTriggeredBy: PulseRow['isTriggeredBy']): PulseRow {
  return { subtype, label, kind: 'occupancy', isTriggeredBy };
}

function readConnection({ connectivity }: LockFacts): SensorReading {
  return { ...connectivity, detected: connectivity.connected };
}

/** A loss is shown as "not locked" and inactive. Before any report the cached value stays: a restart opens nothing. */
export function readBolt({ lock, view: { current } }: LockFacts): SensorReading {
  return {
    detected: lock.belief.latest === null ? null : current === CURRENT_STATE.SECURED,
    active: current !== 'noResponse' && current !== CURRENT_STATE.UNKNOWN,
  };
}

function isJammed({ lock }: LockFacts): boolean | null {
  return lock.belief.latest === null ? null : boltOf(lock) === 'jammed';
}

function isLeftUnlocked({ lock }: LockFacts): boolean | null {
  return lock.belief.latest === null ? null : lock.leftUnlockedSince !== null;
}

function isAlert(alert: AlertReport['type']): PulseRow['isTriggeredBy'] {
  return (event) => event.type === 'alert' && event.alert === alert;
}

/** `name`: that of the access code in the account, exactly, or what its guest is called. */
function isUnlockByCode(name: string): PulseRow['isTriggeredBy'] {
  return (event) =>
    event.type === 'moved' &&
    event.move.to === 'unsecured' &&
    event.move.by.method === 'access-code' &&
    [event.move.by.name, event.move.by.codeName].some((called) => called?.trim() === name);
}

function isMoveBy(method: MoveMethod): PulseRow['isTriggeredBy'] {
  return (event) => event.type === 'moved' && MOVE_METHODS[event.move.by.method] === method;
}

/** So many wrong codes within this time are an alert (our choice). */
const WRONG_CODES = 3;
const WRONG_CODES_WITHIN_MS = 300_000;

/** Counts by when codes were entered, in any order of arrival; the count starts again after each alert. */
function wrongCodeCounter(): PulseRow['isTriggeredBy'] {
  let recent: readonly Instant[] = [];
  return (event) => {
    if (event.type !== 'alert' || event.alert !== 'wrong-code') {
      return false;
    }
    const all = [...recent, event.at];
    const newest = Math.max(...all);
    const within = all.filter((at) => newest - at < WRONG_CODES_WITHIN_MS);
    const enough = within.length >= WRONG_CODES;
    recent = enough ? [] : within;
    return enough;
  };
}

/**
 * The method that an option can name, or null where none of them is certain (specification, Accessor types). A thumbturn
 * is inside, the one-touch button outside; a virtual key is a phone. The service does not say on which side a button is,
 * and a schedule is no relock: these trigger nothing.
 */
export const MOVE_METHODS: Readonly<Record<AccessMethod, MoveMethod | null>> = {
  'access-code': 'keypad',
  thumbturn: 'inside',
  'one-touch': 'outside',
  'virtual-key': 'remote',
  platform: 'remote',
  'own-command': 'remote',
  'auto-relock': 'autoRelock',
  'platform-key': 'nfc',
  'unlock-button': null,
  'lock-button': null,
  schedule: null,
  unavailable: null,
  other: null,
};
