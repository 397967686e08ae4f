// Entries of a history in words: who did it, what a code has to do with it, and events that are not known here.
import { expect, it } from 'vitest';
import type { Accessor } from '../../../src/domain/access.ts';
import { entryWords } from '../../../src/panel/history-words.ts';

const COOK: Accessor = { method: 'access-code', id: 'c', name: 'Cook' };
const byName = ({ name }: Accessor): string => (name === null ? '' : ` by ${name}`);

it.each([
  ['unsecured', COOK, 'unlocked by Cook'],
  ['code-added', COOK, 'the access code "Cook" was added'],
  ['code-updated', COOK, 'the access code "Cook" was changed'],
  ['code-deleted', COOK, 'the access code "Cook" was deleted'],
  ['code-added', { ...COOK, name: null }, 'an access code was added'],
  ['code-added', { ...COOK, method: 'virtual-key' }, 'an access code was added by Cook'],
] as const)('%s of %o is said as what it is: no code adds another', (what, by, words) => {
  expect(entryWords({ what, by }, byName)).toBe(words);
});

it('an event that is not known here is called by the service’s own word, on one line', () => {
  const by = { method: 'unavailable', id: null, name: null } as const;
  expect(entryWords({ what: 'unrecognised', serviceWord: 'Door\nheld', by }, byName)).toBe(
    'event "Door held"',
  );
  expect(entryWords({ what: 'unrecognised', by }, byName)).toBe('something the service does not name');
});
