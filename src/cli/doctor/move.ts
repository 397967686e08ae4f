// Reports how the account was moved or restored on this computer.

import { moveMarkOf } from '../../backup/move-mark.ts';
import type { AccountOnDisk } from '../../ownership/owner-search.ts';
import { locale, t } from '../../words/translate.ts';
import { CHECKS, type Finding, note } from './finding.ts';

type MoveMark = NonNullable<ReturnType<typeof moveMarkOf>>;

/** A restore is reported for this long, in milliseconds (our choice). */
const RECENT_MS = 30 * 24 * 3_600_000;

/** Null where there is nothing to say. Throws when the database cannot be read. */
export function moveFinding(parts: AccountOnDisk): Finding | null {
  const mark = moveMarkOf(parts);
  return mark === null ? null : findingOf(mark, parts.clock.now());
}

function findingOf(mark: MoveMark, now: number): Finding | null {
  const date = new Date(mark.at).toLocaleDateString(locale() ?? 'en-GB', { dateStyle: 'long' });
  if (mark.kind === 'moved') {
    const command = 'latchkey backup --and-stop';
    return note(CHECKS.move, t('"{command}" gave the account up on {date}.', { command, date }));
  }
  if (now - mark.at > RECENT_MS) {
    return null;
  }
  return mark.stopped
    ? note(
        CHECKS.move,
        t('The account was restored here on {date}, from a computer that gave it up.', { date }),
      )
    : note(
        CHECKS.move,
        t('The account was restored here on {date}. The computer that made the backup was not stopped.', {
          date,
        }),
        t('Two computers with one account disconnect each other: stop Latchkey on the other one.'),
      );
}
