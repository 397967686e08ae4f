// Alerts for people: the options in force, with the newest entry of the history that tells of each.
import type { Config } from '../config/config.ts';
import type { HistoryWhat } from '../domain/history/history.ts';
import { ALL_HISTORY } from '../domain/history/page.ts';
import type { AlertName } from '../domain/locks/alert-options.ts';
import type { AlertsApi, RecordedAlert } from './views/alerts.ts';
import type { HistoryApi } from './views/history.ts';

/** Lines of the history that are looked through (our choice): read in a moment. */
const LOOKED_AT = 500;

const TELLS_OF: Readonly<Partial<Record<HistoryWhat, AlertName>>> = {
  jammed: 'jam',
  'battery-low': 'lowBattery',
  'battery-critical': 'lowBattery',
  'wrong-code': 'wrongCode',
  'keypad-locked-out': 'keypadLockedOut',
  alarm: 'activityAlarm',
};

export function recordedAlerts(
  { wrongCode, ...options }: Config['alerts'],
  history: Pick<HistoryApi, 'page'>,
): AlertsApi {
  return {
    show: () => {
      const { lines } = history.page({ ...ALL_HISTORY, firstDay: null, lastDay: null }, null, LOOKED_AT);
      const last: Partial<Record<AlertName, RecordedAlert>> = {};
      for (const line of lines) {
        const name = line.what === 'gap' ? undefined : TELLS_OF[line.what];
        if (line.what !== 'gap' && name !== undefined) {
          // The newest comes first.
          last[name] ??= { at: line.at, lock: line.lock, lockName: line.lockName };
        }
      }
      return { options: { ...options, wrongCode: wrongCode.enabled }, last };
    },
  };
}
