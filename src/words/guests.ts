// What is said of a guest's code: how it stands on a lock and on all of them, and what a person has to decide.
import type { CodeSchedule } from '../domain/codes/access-code.ts';
import type { CodeField } from '../domain/codes/access-code-policy.ts';
import type { OldFile } from '../domain/codes/file-age.ts';
import type { BetweenStays, HoursOn } from '../domain/codes/guest.ts';
import type { GuestStanding, LookAlike } from '../domain/codes/guest-step.ts';
import { type Message, message } from '../domain/language/message.ts';
import type { LockId } from '../domain/locks/lock.ts';
import { dateFormat } from './formats.ts';
import { scheduleSentence } from './schedules.ts';
import { listWords, type TonedWords } from './sentence.ts';
import { hourWords } from './times.ts';
import { locale, t } from './translate.ts';

/** For the log, the terminal and the pages. */
export const UNREAD_ROWS = message(
  'Stored data of a guest, a stay or a calendar cannot be read, and its codes stay on the locks as they are. Restore a backup, or install the newer version again.',
);

interface GuestWhen {
  readonly schedule: CodeSchedule;
  readonly between?: BetweenStays;
  readonly hoursOn?: HoursOn;
  readonly timeZone: string;
  readonly onLocks: readonly {
    readonly lockId: LockId;
    readonly lockName: string;
    readonly isLeaving: boolean;
  }[];
}

/** How a code stands on one lock. It never holds digits. */
export function standingWords(standing: GuestStanding, isLeaving: boolean, timeZone: string): TonedWords {
  switch (standing.kind) {
    case 'up-to-date':
      return { tone: 'good', words: t(isLeaving ? 'Removed' : 'Up to date') };
    case 'on-its-way':
      return { tone: 'plain', words: t(isLeaving ? 'Removing …' : 'Updating …') };
    case 'waiting':
      return { tone: 'plain', words: t(standing.words) };
    case 'refused':
      return { tone: 'bad', words: t(standing.failure.words) };
    case 'differs':
      return { tone: 'warning', words: differenceWords(standing, timeZone) };
    case 'removed-elsewhere':
      return { tone: 'warning', words: t('The code was removed elsewhere, for example in the lock’s app.') };
    case 'kept':
      return { tone: 'plain', words: t('Left as it is in the lock’s app') };
    case 'ended':
      return { tone: 'plain', words: t('The schedule has ended') };
    case 'proposed':
      return { tone: 'warning', words: t('Confirm or remove: the stored guests may be out of date') };
    case 'look-alike':
      return { tone: 'warning', words: lookAlikeWords(standing) };
    case 'away':
      return {
        tone: 'warning',
        words: t('Waiting for {lock}: the account doesn’t list it, and the code may still open it.', {
          lock: standing.name,
        }),
      };
  }
}

/** What decides, beside the Codes page. */
const command = 'latchkey guests settle';

/** What a person has to decide, or has decided, without digits; null where nothing. */
export function decisionWords(
  standing: GuestStanding,
  /** `guest`: such as `the guest "Ann"`; null where the line names them. `code`: the name of a code that looks alike, if it is to be said. */
  { guest, code }: { readonly guest: Message | null; readonly code: string | null },
): Message | null {
  switch (standing.kind) {
    case 'differs':
      return message('{code} was changed elsewhere. Decide on the Codes page, or with: {command}', {
        code: codeOf(guest),
        command,
      });
    case 'removed-elsewhere':
      return message('{code} was removed elsewhere. Decide on the Codes page, or with: {command}', {
        code: codeOf(guest),
        command,
      });
    case 'look-alike':
      return leftOverWords(standing, guest, foundCode(standing, code));
    case 'up-to-date':
    case 'on-its-way':
    case 'waiting':
    case 'refused':
    case 'kept':
    case 'ended':
    case 'proposed':
    case 'away':
      return null;
  }
}

function codeOf(guest: Message | null): Message {
  return guest === null ? message('the code') : message('the code of {guest}', { guest });
}

function leftOverWords({ isLeft }: LookAlike, guest: Message | null, code: Message): Message {
  if (isLeft) {
    return guest === null
      ? message('{code} is still there, as you decided.', { code })
      : message('{guest} was removed, but {code} is still there, as you decided.', { guest, code });
  }
  return guest === null
    ? message('{code} is still there. Decide on the Codes page, or with: {command}', { code, command })
    : message(
        '{guest} was removed, but {code} is still there. Decide on the Codes page, or with: {command}',
        { guest, code, command },
      );
}

function lookAlikeWords(standing: LookAlike): string {
  const code = foundCode(standing, standing.name);
  return standing.isLeft
    ? t('You left {code} on this lock.', { code })
    : t('Removed, but there is {code} on this lock. Remove it?', { code });
}

/** "a code called “Anne” with the same digits". `name`: null where it is not to be said. */
function foundCode({ has }: Pick<LookAlike, 'has'>, name: string | null): Message {
  return name === null
    ? UNNAMED[has]
    : message(
        '{has, select, digits {a code called “{name}” with the same digits} id {a code called “{name}” in the place of the guest’s} other {a code called “{name}” with the same name and other digits}}',
        { has, name },
      );
}

/** By what a listed code has in common with the guest's. */
const UNNAMED: Readonly<Record<LookAlike['has'], Message>> = {
  digits: message('a code with the same digits'),
  id: message('a code in the place of the guest’s'),
  name: message('a code with the same name and other digits'),
};

function differenceWords(
  { fields, found }: Extract<GuestStanding, { readonly kind: 'differs' }>,
  timeZone: string,
): string {
  const words: Readonly<Partial<Record<CodeField, string>>> = {
    name: t('the name is “{name}”', { name: found.name }),
    pin: t('the digits are different'),
    schedule:
      found.schedule.kind === 'always'
        ? t('it works always')
        : t('it works {when}', { when: scheduleSentence(found.schedule, timeZone) }),
  };
  const changes = fields
    .map((field) => words[field])
    .filter((change) => change !== undefined)
    .reduce((first, second) => t('{first}, and {second}', { first, second }));
  return t('Changed elsewhere, for example in the lock’s app: {changes}.', { changes });
}

interface OnLock {
  readonly lockName: string;
  readonly standing: GuestStanding;
}

/** Whether nothing is left to do on the lock. */
export function isUpToDate({ standing }: Pick<OnLock, 'standing'>): boolean {
  return standing.kind === 'up-to-date';
}

/** How a guest's code stands on all their locks together: what a person has to look at first. */
export function guestState(guest: {
  readonly onLocks: readonly OnLock[];
  readonly isLeaving: boolean;
  readonly timeZone: string;
}): TonedWords {
  const { onLocks, isLeaving, timeZone } = guest;
  const each = onLocks.map(({ standing }) => standingWords(standing, isLeaving, timeZone));
  const kinds = onLocks.map(({ standing }) => standing.kind);
  const toCheck = each.filter(({ tone }) => tone === 'warning' || tone === 'bad').length;
  const waiting = kinds.filter((kind) => kind === 'waiting').length;
  const [first] = each;
  if (first === undefined) {
    return { tone: 'plain', words: t('On no lock') };
  }
  if (toCheck > 0) {
    const words = t('{count, plural, one {Check # lock} other {Check # locks}}', { count: toCheck });
    return { tone: 'warning', words };
  }
  const underWay = each[kinds.indexOf('on-its-way')];
  if (underWay === undefined && waiting > 0) {
    return {
      tone: 'plain',
      words: t('{count, plural, one {Waiting for # lock} other {Waiting for # locks}}', { count: waiting }),
    };
  }
  const isSame = new Set(kinds).size === 1 && !kinds.includes('kept');
  return underWay ?? (isSame ? first : { tone: 'plain', words: t('Not the same on every lock') });
}

/** Why guests are to be confirmed. */
export function oldFileWords({ because, madeAt }: OldFile): Message {
  switch (because) {
    case 'restored':
      return madeAt === null
        ? message('The codes were restored from a backup.')
        : message('The codes were restored from a backup of {made}.', {
            made: dateFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' }).format(madeAt),
          });
    case 'sign-in':
      return message(
        'The service had stopped taking the stored sign-in, as where an older copy of it was put back.',
      );
    case 'changed':
      return message('Codes were changed at a lock while the plugin did not run.');
  }
}

/** What follows from it. */
export const PROPOSED = message(
  'Nobody is let in by what is stored until you confirm it, because somebody may have been removed since: on the Codes page, or with {command}',
  { command: 'latchkey codes confirm' },
);

/** The name on the lock where it is another than that of the guest; else empty. */
export function onLockWords(guest: { readonly name: string; readonly nameOnLock: string }): string {
  return guest.nameOnLock === guest.name ? '' : t('“{name}” on the lock', { name: guest.nameOnLock });
}

/** Up to so many locks are named. */
const MOST_NAMED = 3;

/** Locks by their names, or how many they are. */
export function namesOrCount(names: readonly string[]): string {
  return names.length <= MOST_NAMED
    ? listWords(names)
    : t('{count, plural, one {# lock} other {# locks}}', { count: names.length });
}

export function locksWords(guest: {
  readonly locks: 'all' | readonly unknown[];
  readonly onLocks: readonly OnLock[];
}): string {
  return guest.locks === 'all'
    ? t('All locks, including new ones')
    : namesOrCount(guest.onLocks.map(({ lockName }) => lockName));
}

/** When the guest's code opens: between stays, the next hours of each lock. `plain`: as the place shows a schedule. */
export function guestWhen(
  guest: GuestWhen,
  plain: (schedule: CodeSchedule, zone: string) => string = scheduleSentence,
): string {
  const { schedule, between, hoursOn = {}, timeZone, onLocks } = guest;
  if (between === undefined) {
    return plain(schedule, timeZone);
  }
  const byHours = Map.groupBy(
    onLocks.filter(({ lockId, isLeaving }) => !isLeaving && hoursOn[lockId] !== undefined),
    ({ lockId }) => plain(hoursOn[lockId] ?? schedule, timeZone),
  );
  const next = [...byHours].map(([words, locks]) =>
    byHours.size === 1
      ? words
      : t('{lock}: {words}', { lock: namesOrCount(locks.map(({ lockName }) => lockName)), words }),
  );
  if (next.length === 0) {
    return t('Between stays: no hours at the moment');
  }
  const when = next.join('; ');
  return between.until === null
    ? t('Between stays. Next: {when}', { when })
    : t('Between stays, until {hour} at the latest. Next: {when}', { hour: hourWords(between.until), when });
}
