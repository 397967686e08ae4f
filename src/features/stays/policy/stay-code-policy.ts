// How the code of a stay is made: from the guest's phone, at random, or from a template.
import { type AccessCode, accessCodeId } from '../../../domain/codes/access-code.ts';
import { faultsOfCode, LONGEST_PIN, SHORTEST_PIN } from '../../../domain/codes/access-code-policy.ts';
import { commonLength, type TakenLengths } from '../../../domain/codes/pin-length.ts';

type CodePart =
  | { readonly kind: 'phone' }
  | { readonly kind: 'random'; readonly digits: number }
  | { readonly kind: 'fixed'; readonly text: string };

const PARTS = /\{phone4\}|\{random([1-8])\}|(\d+)/gy;

/** The parts of a template; null when it is malformed, or makes no code of 4 to 8 digits. */
export function readTemplate(template: string): readonly CodePart[] | null {
  const parts: CodePart[] = [];
  let read = 0;
  for (const [word, random, fixed] of template.matchAll(PARTS)) {
    read += word.length;
    parts.push(
      random !== undefined
        ? { kind: 'random', digits: Number(random) }
        : fixed === undefined
          ? { kind: 'phone' }
          : { kind: 'fixed', text: fixed },
    );
  }
  const length = parts.reduce((sum, part) => sum + lengthOf(part), 0);
  const isWhole = read === template.length;
  const isCode = length >= SHORTEST_PIN && length <= LONGEST_PIN;
  // A template of fixed digits would let every former guest in.
  const differs = parts.some(({ kind }) => kind !== 'fixed');
  return isWhole && isCode && differs ? parts : null;
}

export function isCodeRule(code: string): boolean {
  return code === 'phone' || code === 'random' || readTemplate(code) !== null;
}

function lengthOf(part: CodePart): number {
  switch (part.kind) {
    case 'phone':
      return 4;
    case 'random':
      return part.digits;
    case 'fixed':
      return part.text.length;
  }
}

/** The codes and rules of the locks that a new code must respect, as far as they are known. */
export interface LockCodeFacts {
  readonly codes: readonly AccessCode[];
  readonly lengths: TakenLengths;
}

export interface CodeRule {
  /** `phone`, `random`, or a template. */
  readonly code: string;
  readonly phone4: string | null;
  /** The stay had this code before. */
  readonly former: string | null;
  /** Digits that other guests of the calendar have or had: whoever left could come in with them. */
  readonly spent: ReadonlySet<string>;
  readonly locks: readonly LockCodeFacts[];
  /** This many digits, each equally likely. */
  readonly randomDigits: (count: number) => string;
}

/** The number of random codes that are tried before the search ends (our choice). */
const TRIES = 40;

/** Codes to try in this order, each valid on the locks as far as is known. Empty: no length fits all of them. */
export function codesToTry(rule: CodeRule): readonly string[] {
  const parts = readTemplate(rule.code === 'phone' ? '{phone4}' : rule.code);
  const made = parts === null ? [] : Array.from({ length: TRIES }, () => filled(parts, rule) ?? '');
  const length = commonLength(rule.locks.map(({ lengths }) => lengths));
  const random =
    length === null
      ? []
      : Array.from({ length: TRIES }, () => rule.randomDigits(length)).filter((pin) => !isEasyToGuess(pin));
  const fresh = [...made, ...random].filter((pin) => !rule.spent.has(pin));
  const all = [...(rule.former === null ? [] : [rule.former]), ...fresh];
  return [...new Set(all)].filter((pin) => pin !== '' && rule.locks.every((lock) => takes(lock, pin)));
}

/** The digits; null where the booking lacks the parts that the template needs. */
function filled(parts: readonly CodePart[], { phone4, randomDigits }: CodeRule): string | null {
  const texts = parts.map((part) => {
    switch (part.kind) {
      case 'phone':
        return phone4;
      case 'random':
        return randomDigits(part.digits);
      case 'fixed':
        return part.text;
    }
  });
  return texts.includes(null) ? null : texts.join('');
}

function takes({ codes, lengths }: LockCodeFacts, pin: string): boolean {
  const { anyLength, knownLength, refusedLengths } = lengths;
  const fits = anyLength || knownLength === null || knownLength === pin.length;
  const draft = { name: '', pin, schedule: { kind: 'always' } } as const;
  const facts = { codes, variableLength: true, replaces: accessCodeId(''), now: 0 };
  return (
    fits &&
    !refusedLengths.includes(pin.length) &&
    !faultsOfCode(draft, facts).some(({ field }) => field === 'pin')
  );
}

/** A single repeated digit, or digits in a row. */
export function isEasyToGuess(pin: string): boolean {
  const steps = new Set(Array.from(pin.slice(1), (digit, index) => Number(digit) - Number(pin[index])));
  const [step = 0] = steps;
  return steps.size === 1 && Math.abs(step) <= 1;
}
