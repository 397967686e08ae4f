// How a guest's code stands on a lock, in the words of the page.
import type { CodeField } from '../../src/domain/access-code-policy.ts';
import { type GuestStanding, type LookAlike, sharedWords } from '../../src/domain/guest-step.ts';
import type { GuestView } from '../../src/panel/guest-operations.ts';
import { scheduleSentence } from './code-words.ts';

export type Tone = 'good' | 'plain' | 'warning' | 'bad';

/** A line on one lock. It never holds digits. */
export function standingWords(
  standing: GuestStanding,
  isLeaving: boolean,
  timeZone: string,
): { readonly tone: Tone; readonly words: string } {
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

function lookAlikeWords({ name, has, isLeft }: LookAlike): string {
  const code = `a code called “${name}” ${sharedWords({ has })}`;
  return isLeft ? `You left ${code} on this lock.` : `Removed, but there is ${code} on this lock. Remove it?`;
}

function differenceWords(
  { fields, found }: Extract<GuestStanding, { readonly kind: 'differs' }>,
  timeZone: string,
): string {
  const words: Readonly<Partial<Record<CodeField, string>>> = {
    name: `the name is “${found.name}”`,
    pin: 'the digits are different',
    schedule: `it works ${whenWords(scheduleSentence(found.schedule, timeZone))}`,
  };
  const parts = fields.map((field) => words[field]).filter((part) => part !== undefined);
  return `Changed elsewhere, for example in the lock’s app: ${parts.join(', and ')}.`;
}

function whenWords(sentence: string): string {
  return sentence === 'Always' ? 'always' : sentence;
}

/** Which locks a guest opens. */
export function locksWords({ locks, onLocks }: GuestView): string {
  return locks === 'all'
    ? 'All locks, also new ones'
    : onLocks.length === 1
      ? '1 lock'
      : `${String(onLocks.length)} locks`;
}
