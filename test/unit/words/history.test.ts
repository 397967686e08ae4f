// Entries of a history in words: the person, the code, and unknown events.

import { expect, it } from 'vitest';
import type { Accessor } from '../../../src/domain/locks/access.ts';
import { entryWords } from '../../../src/words/history.ts';

const COOK: Accessor = { method: 'access-code', id: 'c', name: 'Cook' };

it.each([
  ['unsecured', COOK, 'unlocked by Cook (a code)'],
  ['code-added', COOK, 'the access code "Cook" was added'],
  ['code-updated', COOK, 'the access code "Cook" was changed'],
  ['code-deleted', COOK, 'the access code "Cook" was removed'],
  ['code-added', { ...COOK, name: null }, 'an access code was added'],
  ['code-added', { ...COOK, method: 'virtual-key' }, "an access code was added by Cook (the lock's app)"],
] as const)('%s of %o has its own words, without those of another code', (what, by, words) => {
  expect(entryWords({ what, by })).toBe(words);
});

it('an event that is not known here is called by the service’s own word', () => {
  const by = { method: 'unavailable', id: null, name: null } as const;
  expect(entryWords({ what: 'unrecognised', serviceWord: 'Door held', by })).toBe('event "Door held"');
  expect(entryWords({ what: 'unrecognised', by })).toBe('something the service does not name');
});
