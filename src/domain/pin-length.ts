// How many digits a lock takes: what its codes and its refusals have taught, and a number that fits several locks.

/** Learned of one lock, across restarts. It is advice: a lock that was set otherwise since then still decides. */
export interface LearnedLengths {
  /** Of a code that the lock has, or took; null: none yet. */
  readonly taken: number | null;
  readonly refused: readonly number[];
}

export const NOTHING_LEARNED: LearnedLengths = { taken: null, refused: [] };

export function afterTaking({ refused }: LearnedLengths, length: number): LearnedLengths {
  return { taken: length, refused: refused.filter((one) => one !== length) };
}

export function afterRefusing({ taken, refused }: LearnedLengths, length: number): LearnedLengths {
  return {
    taken: taken === length ? null : taken,
    refused: [...refused.filter((one) => one !== length), length].sort((a, b) => a - b),
  };
}

/** What one lock takes, as far as it is known. */
export interface TakenLengths {
  /** The lock takes codes of different lengths. */
  readonly anyLength: boolean;
  /** The one length that it takes; null: any, or not known. */
  readonly knownLength: number | null;
  readonly refusedLengths: readonly number[];
}

/** Hard to guess, and short enough to be remembered (our choice); then the others. */
const WHERE_ANY_IS_TAKEN = [6, 5, 7, 8, 4] as const;
/** Locks that take one length take the shortest more often than any other (our choice). */
const WHERE_NONE_IS_KNOWN = [4, 5, 6, 7, 8] as const;

/** The length for one code on all of these locks; null where none fits all, as far as it is known. */
export function commonLength(locks: readonly TakenLengths[]): number | null {
  const order = locks.every(({ anyLength }) => anyLength) ? WHERE_ANY_IS_TAKEN : WHERE_NONE_IS_KNOWN;
  const fits = (length: number): boolean =>
    locks.every(
      ({ knownLength, refusedLengths }) =>
        (knownLength === null || knownLength === length) && !refusedLengths.includes(length),
    );
  return order.find(fits) ?? null;
}
