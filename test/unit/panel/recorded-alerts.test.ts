// Alerts for people: the options in force, and the newest entry of the history about each.
import { expect, it } from 'vitest';
import { alerts } from '../../../src/config/options/alert-options.ts';
import type { HistoryWhat } from '../../../src/domain/history/history.ts';
import { lockId } from '../../../src/domain/locks/lock.ts';
import { recordedAlerts } from '../../../src/panel/recorded-alerts.ts';
import type { HistoryLineView } from '../../../src/panel/views/history.ts';

const FRONT = { lock: lockId('front'), lockName: 'Front door', offsetMinutes: 0 };

function entry(what: HistoryWhat, at: number): HistoryLineView {
  return { ...FRONT, id: `${what} ${String(at)}`, at, what, by: { method: 'other', id: null, name: null } };
}

it('each alert has the newest entry about it, and none where nothing was recorded', () => {
  const lines: readonly HistoryLineView[] = [
    entry('unsecured', 90),
    entry('battery-critical', 80),
    { ...FRONT, what: 'gap', from: 60, to: 70 },
    entry('jammed', 50),
    entry('battery-low', 40),
    entry('jammed', 30),
  ];
  const options = { ...alerts().parse({ jam: true, wrongCode: { enabled: true } }) };
  const shown = recordedAlerts(options, { page: () => ({ lines, next: null }) }).show();
  const { lock, lockName } = FRONT;
  expect(shown.last).toEqual({ jam: { at: 50, lock, lockName }, lowBattery: { at: 80, lock, lockName } });
  expect(shown.options).toMatchObject({ jam: true, wrongCode: true, lowBattery: false });
});
