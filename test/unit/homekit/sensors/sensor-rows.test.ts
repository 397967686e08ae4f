// The table of sensors: which options add which rows, and what triggers them.
import { describe, expect, it } from 'vitest';
import type { AccessMethod } from '../../../../src/domain/locks/access.ts';
import type { AlertOptions, MoveMethod } from '../../../../src/homekit/hap/lock-options.ts';
import { MOVE_METHODS, type SensorRow, sensorRows } from '../../../../src/homekit/sensors/sensor-rows.ts';
import { DEFAULTS, EVERY_ALERT } from '../../../component/homekit/fixture.ts';
import { documentBlock } from '../../../support/document-block.ts';

function rows(chosen: Partial<AlertOptions>): readonly SensorRow[] {
  return sensorRows({ connectivitySensor: 'none', alerts: { ...DEFAULTS.alerts, ...chosen } });
}

describe('the rows of the sensors', () => {
  it('follow the options, each once, and have none for a code without a name', () => {
    const chosen = rows({ unlockedByCode: ['Ann', 'Ann', '', 'Ben'], movedBy: ['nfc', 'nfc'], jam: true });
    expect(chosen.map(({ subtype }) => subtype)).toEqual([
      'jam',
      'unlocked-by:Ann',
      'unlocked-by:Ben',
      'moved-by:nfc',
    ]);
  });
});

it('the table in docs/home.md has every alert, which UPDATE_DOCS=1 rewrites', () => {
  const lines = Object.entries({ ...EVERY_ALERT, unlockedByCode: ['Ann'] }).flatMap(([name, on]) => {
    const added = rows({ [name]: on });
    const labels = added.map(({ label }) => `Front door ${label}`).join(', ');
    const detected = added.some((row) => 'isTriggeredBy' in row) ? 'for five seconds' : 'as long as it is so';
    return added.length === 0 ? [] : [`| \`alerts.${name}\` | ${labels} | ${detected} |`];
  });
  const wanted = ['| Option | Sensors | Detected |', '|---|---|---|', ...lines].join('\n');
  expect(documentBlock('docs/home.md', 'alerts', wanted)).toBe(wanted);
});

it.each<[AccessMethod, MoveMethod | null]>([
  ['access-code', 'keypad'],
  ['thumbturn', 'inside'],
  ['one-touch', 'outside'],
  ['virtual-key', 'remote'],
  ['platform', 'remote'],
  ['own-command', 'remote'],
  ['auto-relock', 'autoRelock'],
  ['platform-key', 'nfc'],
  ['unlock-button', null],
  ['lock-button', null],
  ['schedule', null],
  ['unavailable', null],
  ['other', null],
])('a bolt moved by %s triggers %s', (method, expected) => {
  expect(MOVE_METHODS[method]).toBe(expected);
});

it('the sensor of a code goes by its name on the lock, and by what its guest is called', () => {
  const triggers = (wanted: string): boolean => {
    const [row] = rows({ unlockedByCode: [wanted] });
    const by = { method: 'access-code', id: 'c1', name: 'Müller', codeName: 'Muller' } as const;
    const move = { to: 'unsecured', by, at: 0 } as const;
    return row !== undefined && 'isTriggeredBy' in row && row.isTriggeredBy({ type: 'moved', move });
  };
  expect(['Müller', 'Muller', 'Mueller'].map(triggers)).toEqual([true, true, false]);
});

/** The instants of those wrong codes that triggered the sensor. */
function triggering(...entered: readonly number[]): readonly number[] {
  const [row] = rows({ wrongCode: { enabled: true } });
  if (row === undefined || !('isTriggeredBy' in row)) {
    throw new Error('There is no row of wrong codes');
  }
  return entered.filter((at) => row.isTriggeredBy({ type: 'alert', alert: 'wrong-code', at }));
}

describe('wrong codes', () => {
  it.each<[string, readonly number[], readonly number[]]>([
    ['none', [], []],
    ['one', [0], []],
    ['two', [0, 1], []],
    ['three in a row', [0, 1, 2], [2]],
    ['three at the same instant', [7, 7, 7], [7]],
    ['three, the last within the window by a millisecond', [0, 1, 299_999], [299_999]],
    ['three, the last a whole window after the first', [0, 1, 300_000], []],
    ['three far apart', [0, 300_000, 600_000], []],
    ['four, of which the last three are close', [0, 299_999, 300_000, 300_001], [300_001]],
    ['four: the count starts again after the alert', [0, 1, 2, 3], [2]],
    ['three, reported in another order', [299_999, 0, 1], [1]],
    ['three, of which the first is reported last and too old', [300_000, 300_001, 0], []],
    ['six are two alerts', [0, 1, 2, 3, 4, 5], [2, 5]],
    ['seven with a long pause', [0, 1, 900_000, 900_001, 900_002, 900_003, 900_004], [900_002]],
  ])('three times within five minutes are an alert: %s', (_what, entered, expected) => {
    expect(triggering(...entered)).toEqual(expected);
  });
});
