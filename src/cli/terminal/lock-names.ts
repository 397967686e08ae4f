// Resolves a lock or a calendar by the beginning of its name, in any case; an ambiguous name is refused, never guessed.

import { folded } from '../../domain/language/folded-text.ts';
import type { LockView } from '../../panel/views/lock.ts';
import { FinalError, RelinkError, RetryError } from '../../support/errors.ts';
import { oneLine } from '../../support/log.ts';
import type { AccountTool } from '../../tools/account-tool.ts';
import { LOSSES } from '../../words/account.ts';
import { t } from '../../words/translate.ts';

/** Anything that can be chosen by the beginning of its name. */
interface Named {
  readonly id: string;
  readonly name: string;
}

/** The name is unknown, ambiguous, or missing where there are several. */
export class NameError extends FinalError {
  constructor(message: string) {
    super('bad-request', message);
    this.name = 'NameError';
  }
}

/** Whether the beginning of a name is enough, or the whole name is required. */
export type NameMatch = 'prefix' | 'exact';

/**
 * The member of `all` with this id, this whole name, or with `prefix` a beginning that only one name has. Throws a
 * `NameError` with the possible names. `none`: that there is no such member.
 */
export function meant<T extends Named>(
  wanted: string,
  all: readonly T[],
  none: string,
  match: NameMatch = 'prefix',
): T {
  const byId = all.find(({ id }) => id === wanted);
  if (byId !== undefined) {
    return byId;
  }
  const spoken = folded(wanted);
  const whole = all.filter(({ name }) => folded(name) === spoken);
  const isByBeginning = whole.length === 0 && match === 'prefix';
  const found = isByBeginning ? all.filter(({ name }) => folded(name).startsWith(spoken)) : whole;
  const [only, another] = found;
  if (spoken === '' || only === undefined) {
    throw new NameError(
      all.length === 0 ? none : `${none} ${t('There is {names}.', { names: listed(all) })}`,
    );
  }
  if (another !== undefined) {
    // Where two of them have one name, a longer name tells nothing: the id does.
    const isById = new Set(found.map(({ name }) => folded(name))).size < found.length;
    throw new NameError(
      t(
        isById
          ? '"{name}" could be {names}. Say its id instead.'
          : '"{name}" could be {names}. Say more of its name.',
        { name: oneLine(wanted), names: listed(found, isById) },
      ),
    );
  }
  return only;
}

export function meantCalendar<T extends Named>(wanted: string, calendars: readonly T[]): T {
  return meant(wanted, calendars, t('No calendar is called "{name}".', { name: oneLine(wanted) }));
}

/** The named locks, without duplicates; throws unless every name is unambiguous. */
export function meantLocks(wanted: readonly string[], locks: readonly LockView[]): readonly LockView[] {
  return [...new Set(wanted.map((name) => meantLock(name, locks)))];
}

export function meantLock(wanted: string, locks: readonly LockView[], match?: NameMatch): LockView {
  const named = locks.map((lock) => ({ id: lock.id, name: lock.description.name, lock }));
  return meant(wanted, named, t('No lock is called "{name}".', { name: oneLine(wanted) }), match).lock;
}

/**
 * Same for the account's own locks. Without known locks it gives the reason: rejects with `relink` without a link, and
 * with `unreachable` while the service has listed none.
 */
export async function askedLocks(tool: AccountTool, wanted: readonly string[]): Promise<readonly LockView[]> {
  return meantLocks(wanted, await listedLocks(tool));
}

/** All locks of the account. Rejects as `askedLocks` does. */
export async function listedLocks(tool: AccountTool): Promise<readonly LockView[]> {
  const locks = await tool.call('locks');
  if (locks.length === 0) {
    await assertListed(tool);
  }
  return locks;
}

async function assertListed(tool: AccountTool): Promise<void> {
  const { link, failing, lastListedAgoMs } = await tool.call('status');
  if (link !== 'linked' && link !== 'other-process') {
    throw new RelinkError(link, LOSSES[link]);
  }
  if (lastListedAgoMs === null) {
    throw new RetryError(
      'unreachable',
      failing === null
        ? t('The service has not listed the locks yet.')
        : t('The service has not listed the locks yet: {why}', { why: oneLine(t(failing.message)) }),
    );
  }
}

function listed(all: readonly Named[], byId = false): string {
  const names = all.map(({ id, name }) =>
    byId || name === '' ? `"${oneLine(name)}" (${oneLine(id)})` : `"${oneLine(name)}"`,
  );
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : t('{names} or {last}', { names: names.slice(0, -1).join(', '), last });
}
