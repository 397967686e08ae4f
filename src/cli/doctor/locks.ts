// Turns the listed locks and their clocks into findings.
import { mayBeAt, offsetMinutesAt, offsetZone, zoneName } from '../../domain/time/schedule-time.ts';
import type { LockView } from '../../panel/views/lock.ts';
import type { LockSettingsView } from '../../panel/views/lock-settings.ts';
import { oneLine } from '../../support/log.ts';
import { t } from '../../words/translate.ts';
import { nameOf } from '../terminal/lock-lines.ts';
import { CHECKS, type Finding, fine, note, warning } from './finding.ts';

export function lockFinding(locks: readonly LockView[]): Finding {
  const away = locks.filter(({ presence }) => presence !== 'reachable');
  if (locks.length === 0) {
    return warning(
      CHECKS.locks,
      t('The account lists no locks.'),
      t('Look into the app of the lock: is it the right account?'),
    );
  }
  return away.length === 0
    ? fine(CHECKS.locks, t('{count} known, all reachable.', { count: locks.length }))
    : warning(
        CHECKS.locks,
        t('{count} known; not reachable: {names}.', {
          count: locks.length,
          names: away.map(nameOf).join(', '),
        }),
        t('Check their batteries and their Wi-Fi.'),
      );
}

/** Rows of the option `locks` whose id no listed lock has: what they forbid is forbidden nowhere. Null where there are none. */
export function lockRowsFinding(
  ids: Iterable<string>,
  locks: readonly Pick<LockView, 'id'>[],
): Finding | null {
  const listed = new Set<string>(locks.map(({ id }) => id));
  const others = [...ids].filter((id) => !listed.has(id));
  return others.length === 0 || locks.length === 0
    ? null
    : warning(
        'locks',
        t('No lock of the account has the id {ids}, so these options hold for none.', {
          ids: others.map((id) => oneLine(id)).join(', '),
        }),
        t('Correct the id as {command} shows it, or remove the row.', {
          command: 'npx homebridge-latchkey locks --ids',
        }),
      );
}

/** Locks whose clocks show another time than this machine's; null where all agree. `now`: of the machine. */
export function lockClockFinding(
  locks: readonly Pick<LockSettingsView, 'accountName' | 'timeZone' | 'offsetMinutes'>[],
  machineZone: string,
  now: number,
): Finding | null {
  const others = locks.flatMap(({ accountName, offsetMinutes }) =>
    offsetMinutes === null || mayBeAt(machineZone, offsetMinutes, now)
      ? []
      : [
          t('{name} is at {zone}', {
            name: oneLine(accountName),
            zone: zoneName(offsetZone(offsetMinutes)),
          }),
        ],
  );
  const own = zoneName(offsetZone(offsetMinutesAt(machineZone, now)));
  return others.length === 0
    ? null
    : note(
        CHECKS.lockClocks,
        t('This machine is at {own} ({zone}); {others}. Dates of codes are those at the door.', {
          own,
          zone: machineZone,
          others: others.join(', '),
        }),
        t(
          'Where that is not where the lock hangs, correct its time zone in the lock’s app; where it is, set its {option} option, for summer time.',
          { option: 'timeZone' },
        ),
      );
}
