// What a guest is called, in any script, and the name that their code gets on the locks.
import { folded } from '../language/folded-text.ts';
import { type Message, message } from '../language/message.ts';
import type { CodeFault } from './access-code-policy.ts';
import { freeName, isPlain, isVariantOf, LONGEST_CODE_NAME, plainWords } from './plain-name.ts';

/** Characters (our choice): a page and a log can still show it. */
const LONGEST_CALLED = 60;

/** Control characters, and those that turn the direction of the text behind the name. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** A letter, digit or sign that can be seen. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** A name on locks where no letter of a guest's own can be stored. */
const NAMELESS = 'Guest';

/** The same name in one spelling. */
export function asCalled(name: string): string {
  return name.normalize('NFC').trim();
}

/** Whether two people cannot be told apart by their names. */
function isSameCall(a: string, b: string): boolean {
  return folded(a) === folded(b);
}

/** The rule that a name breaks; null: none. `others`: what other guests of the same locks are called. */
export function faultOfCall(called: string, others: readonly string[]): CodeFault | null {
  if (!VISIBLE.test(called)) {
    return fault('code-name-missing', message('Enter a name.'));
  }
  if (UNPRINTABLE.test(called)) {
    return fault('values-invalid', message('The name has characters that cannot be shown.'));
  }
  if (Array.from(called).length > LONGEST_CALLED) {
    return fault('code-name-too-long', message('Use at most {most} characters.', { most: LONGEST_CALLED }));
  }
  return others.some((other) => isSameCall(other, called))
    ? fault('code-name-exists', message('Another guest has this name.'))
    : null;
}

function fault(reason: CodeFault['reason'], words: Message): CodeFault {
  return { field: 'name', reason, words };
}

/** Names of codes that mean other guests, in small letters. A guest of the same name is refused by name, so theirs is not among them. */
export function namesTaken(
  called: string,
  others: readonly { readonly name: string; readonly nameOnLock: string }[],
): ReadonlySet<string> {
  const different = others.filter(({ name }) => !isSameCall(name, called));
  return new Set(different.map(({ nameOnLock }) => nameOnLock.toLowerCase()));
}

/** Whether a lock can store the name as it is. */
export function isStorable(called: string): boolean {
  return isPlain(called) && called.length <= LONGEST_CODE_NAME;
}

/**
 * The name on the locks. `before`: the present one. It stays while it fits, so that no command is sent for it. `taken`: the names of
 * other guests' codes, in small letters.
 */
export function nameOnLocks(called: string, before: string | null, taken: ReadonlySet<string>): string {
  const isFree = (name: string): boolean => !taken.has(name.toLowerCase());
  if (isStorable(called) && isFree(called)) {
    return called;
  }
  const written = isStorable(called) ? called : plainWords(called);
  const wanted = /[A-Za-z]/.test(written) ? written : NAMELESS;
  return before !== null && isVariantOf(before, wanted) && isFree(before) ? before : freeName(wanted, taken);
}
