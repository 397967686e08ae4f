// Whether a lock has a guest's code: only the standing in which nothing is open counts, and never where it is to be gone.
import { expect, it } from 'vitest';
import { type GuestStanding, hasCode } from '../../../../../src/domain/codes/guest-step.ts';
import { message } from '../../../../../src/domain/language/message.ts';
import { codeFailure } from '../../../../../src/words/code-failures.ts';

const words = message('Later.');
const schedule = { kind: 'always' } as const;

const STANDINGS: Readonly<Record<GuestStanding['kind'], GuestStanding>> = {
  'up-to-date': { kind: 'up-to-date' },
  'on-its-way': { kind: 'on-its-way' },
  waiting: { kind: 'waiting', words, retryAt: null, isSettling: true },
  refused: { kind: 'refused', failure: codeFailure('code-exists') },
  differs: { kind: 'differs', fields: ['pin'], found: { name: 'Anne', schedule } },
  'removed-elsewhere': { kind: 'removed-elsewhere' },
  kept: { kind: 'kept' },
  ended: { kind: 'ended' },
  proposed: { kind: 'proposed' },
  'look-alike': { kind: 'look-alike', name: 'Anne', has: 'digits', isLeft: false },
  away: { kind: 'away', name: 'Front door' },
};

it.each(Object.values(STANDINGS))('a lock on which the code is $kind', (standing) => {
  expect(hasCode({ standing, isLeaving: false })).toBe(standing.kind === 'up-to-date');
  expect(hasCode({ standing, isLeaving: true })).toBe(false);
});
