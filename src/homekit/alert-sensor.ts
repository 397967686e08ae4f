// Lights up when the lock itself raises an alarm: its keypad has locked itself, or its activity alarm sounds.
import type { AlertReport } from '../domain/service-event.ts';
import type { LockWatcher } from './lock-facts.ts';
import { PulseSensor, type PulseSensorParts } from './pulse-sensor.ts';

/** The service tells when these begin, and never when they end. */
type Alarm = Exclude<AlertReport['type'], 'wrong-code'>;

const LABELS: Readonly<Record<Alarm, string>> = {
  'keypad-locked-out': 'keypad locked out',
  alarm: 'activity alarm',
};

export function alertSensor(parts: PulseSensorParts, alarm: Alarm): LockWatcher {
  return new PulseSensor(
    parts,
    { subtype: alarm, label: LABELS[alarm] },
    (news) => news.type === 'alert' && news.alert === alarm,
  );
}
