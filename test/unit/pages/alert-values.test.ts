// Alerts as config.json has them: read, set, and named as Home shows them.
import { describe, expect, it } from 'vitest';
import { alerts } from '../../../src/config/options/alert-options.ts';
import { ALERT_ROWS } from '../../../src/domain/locks/alert-options.ts';
import {
  addedToHome,
  alertsIn,
  areNames,
  GROUPS,
  namesOf,
  withAlert,
} from '../../../web/panel/alerts/alert-values.ts';

const USUAL = alertsIn({});

describe('the alerts of a block', () => {
  it('are as usual where nothing is written, as the option table has it', () => {
    const { wrongCode, ...others } = alerts().parse({});
    expect(USUAL).toEqual({ ...others, wrongCode: wrongCode.enabled });
  });

  it('are as usual where what is written makes no sense', () => {
    const block = {
      alerts: { jam: 'yes', leftUnlocked: -1, movedBy: ['window'], boltSensor: 1, unlockedByCode: 'Ann' },
    };
    expect(alertsIn(block)).toEqual(USUAL);
    expect(alertsIn({ alerts: [] })).toEqual(USUAL);
  });

  it('are read back as they were set, one beside the other', () => {
    const one = withAlert({ name: 'Latchkey' }, 'wrongCode', true);
    const two = withAlert(withAlert(one, 'movedBy', ['nfc']), 'automationSwitch', 'lockOnly');
    expect(alertsIn(two)).toEqual({
      ...USUAL,
      wrongCode: true,
      movedBy: ['nfc'],
      automationSwitch: 'lockOnly',
    });
    expect(two).toMatchObject({ name: 'Latchkey', alerts: { wrongCode: { enabled: true } } });
    expect(alerts().safeParse(two['alerts']).success).toBe(true);
  });

  it('stand each in one group of the page', () => {
    expect(Object.values(GROUPS).flat().toSorted()).toEqual(Object.keys(ALERT_ROWS).toSorted());
  });
});

it('names of codes are split at commas of any language, each once', () => {
  expect(namesOf(' Anna,Ben、 Anna ,, ')).toEqual(['Anna', 'Ben']);
  expect(areNames(Array.from({ length: 20 }, (_, index) => `Name ${String(index)}`))).toBe(true);
  expect(areNames(Array.from({ length: 21 }, (_, index) => `Name ${String(index)}`))).toBe(false);
});

it('an alert names its sensor also while it is off; what has no sensor yet names none', () => {
  expect(addedToHome('jam', USUAL)).toEqual(['jammed']);
  expect(addedToHome('boltSensor', USUAL)).toEqual([]);
  expect(addedToHome('boltSensor', { ...USUAL, boltSensor: 'contact' })).toEqual(['bolt']);
  expect(addedToHome('movedBy', { ...USUAL, movedBy: ['keypad', 'nfc'] })).toEqual([
    'moved by keypad',
    'moved by NFC',
  ]);
  expect(addedToHome('autoLockMinutes', { ...USUAL, autoLockMinutes: 5 })).toEqual([]);
});
