// Lights up when somebody tries codes at the keypad: after so many wrong ones within so many minutes.
import type { Instant } from '../domain/bolt.ts';
import type { LockWatcher } from './lock-facts.ts';
import { PulseSensor, type PulseSensorParts } from './pulse-sensor.ts';
import { countWrongCode, type WrongCodeLimits } from './wrong-code-policy.ts';

export function wrongCodeSensor(parts: PulseSensorParts, limits: WrongCodeLimits): LockWatcher {
  let recent: readonly Instant[] = [];
  return new PulseSensor(parts, { subtype: 'wrong-code', label: 'wrong code' }, (news) => {
    if (news.type !== 'alert' || news.alert !== 'wrong-code') {
      return false;
    }
    const counted = countWrongCode(recent, news.at, limits);
    ({ recent } = counted);
    return counted.alert;
  });
}
