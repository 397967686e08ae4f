// What is said of a guest's code: how it stands on a lock and on all of them, and what a person has to decide.
import type { CodeField } from '../domain/codes/access-code-policy.ts';
import type { GuestStanding, LookAlike } from '../domain/codes/guests/step.ts';
import { scheduleSentence } from './schedules.ts';
import { counted, type TonedWords } from './sentence.ts';

/** How a code stands on one lock. It never holds digits. */
export function standingWords(standing: GuestStanding, isLeaving: boolean, timeZone: string): TonedWords {
  switch (standing.kind) {
    case 'up-to-date':
      return { tone: 'good', words: isLeaving ? 'Removed' : 'Up to date' };
    case 'on-its-way':
      return { tone: 'plain', words: isLeaving ? 'Removing …' : 'Updating …' };
    case 'waiting':
      return { tone: 'plain', words: standing.words };
    case 'refused':
      return { tone: 'bad', words: standing.failure.words };
    case 'differs':
      return { tone: 'warning', words: differenceWords(standing, timeZone) };
    case 'removed-elsewhere':
      return { tone: 'warning', words: 'The code was removed elsewhere, for example in the lock’s app.' };
    case 'kept':
      return { tone: 'plain', words: 'Left as it is in the lock’s app' };
    case 'ended':
      return { tone: 'plain', words: 'The schedule has ended' };
    case 'look-alike':
      return { tone: 'warning', words: lookAlikeWords(standing) };
    case 'away':
      return {
        tone: 'warning',
        words: `Waiting for ${standing.name}: the account doesn’t list it, and the code may still open it.`,
      };
  }
}

const DECIDE = 'Decide on the Codes page, or with: latchkey guests settle';

/** What a person has to decide, or has decided, without digits; null where nothing. */
export function decisionWords(
  standing: GuestStanding,
  /** `guest`: such as `the guest "Ann"`; null where the line names them. `code`: the name of a code that looks alike, if it is to be said. */
  { guest, code }: { readonly guest: string | null; readonly code: string | null },
): string | null {
  const of = guest === null ? '' : ` of ${guest}`;
  switch (standing.kind) {
    case 'differs':
      return `the code${of} was changed elsewhere. ${DECIDE}`;
    case 'removed-elsewhere':
      return `the code${of} was removed elsewhere. ${DECIDE}`;
    case 'look-alike': {
      const before = guest === null ? '' : `${guest} was removed, but `;
      const end = standing.isLeft ? ', as you decided.' : `. ${DECIDE}`;
      return `${before}${foundCode(standing, code)} is still there${end}`;
    }
    case 'up-to-date':
    case 'on-its-way':
    case 'waiting':
    case 'refused':
    case 'kept':
    case 'ended':
    case 'away':
      return null;
  }
}

function lookAlikeWords(standing: LookAlike): string {
  const code = foundCode(standing, standing.name);
  return standing.isLeft
    ? `You left ${code} on this lock.`
    : `Removed, but there is ${code} on this lock. Remove it?`;
}

/** "a code called “Anne” with the same digits". `name`: null where it is not to be said. */
function foundCode({ has }: Pick<LookAlike, 'has'>, name: string | null): string {
  return `a code${name === null ? '' : ` called “${name}”`} ${SHARED[has]}`;
}

/** The members that a listed code has in common with the guest's. */
const SHARED: Readonly<Record<LookAlike['has'], string>> = {
  digits: 'with the same digits',
  id: 'in the place of the guest’s',
  name: 'with the same name and other digits',
};

function differenceWords(
  { fields, found }: Extract<GuestStanding, { readonly kind: 'differs' }>,
  timeZone: string,
): string {
  const when = scheduleSentence(found.schedule, timeZone);
  const words: Readonly<Partial<Record<CodeField, string>>> = {
    name: `the name is “${found.name}”`,
    pin: 'the digits are different',
    schedule: `it works ${found.schedule.kind === 'always' ? 'always' : when}`,
  };
  const parts = fields.map((field) => words[field]).filter((part) => part !== undefined);
  return `Changed elsewhere, for example in the lock’s app: ${parts.join(', and ')}.`;
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
}): TonedWords {
  const { onLocks, isLeaving } = guest;
  const toCheck = onLocks.filter(({ standing }) => CHECKED.has(standing.kind)).length;
  const waiting = onLocks.filter(({ standing }) => standing.kind === 'waiting').length;
  if (onLocks.length === 0) {
    return { tone: 'plain', words: 'On no lock' };
  }
  if (toCheck > 0) {
    return { tone: 'warning', words: `Check ${counted(toCheck, 'lock')}` };
  }
  if (onLocks.some(({ standing }) => standing.kind === 'on-its-way')) {
    return { tone: 'plain', words: isLeaving ? 'Removing …' : 'Updating …' };
  }
  if (waiting > 0) {
    return { tone: 'plain', words: `Waiting for ${counted(waiting, 'lock')}` };
  }
  if (onLocks.every(({ standing }) => standing.kind === 'ended')) {
    return { tone: 'plain', words: 'The schedule has ended' };
  }
  return onLocks.every(isUpToDate)
    ? { tone: 'good', words: isLeaving ? 'Removed' : 'Up to date' }
    : { tone: 'plain', words: 'Not the same on every lock' };
}

/** Where a person decides, or changes the code. */
const CHECKED: ReadonlySet<GuestStanding['kind']> = new Set([
  'refused',
  'differs',
  'removed-elsewhere',
  'look-alike',
  'away',
]);

/** Up to so many locks are named. */
const MOST_NAMED = 3;

/** Locks by their names, or how many they are. */
export function namesOrCount(names: readonly string[]): string {
  return names.length <= MOST_NAMED ? names.join(', ') : counted(names.length, 'lock');
}

/** Which locks a guest opens. */
export function locksWords(guest: {
  readonly locks: 'all' | readonly unknown[];
  readonly onLocks: readonly OnLock[];
}): string {
  return guest.locks === 'all'
    ? 'All locks, including new ones'
    : namesOrCount(guest.onLocks.map(({ lockName }) => lockName));
}
