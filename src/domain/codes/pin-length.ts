// How many digits a lock takes, and how long its names are: learned from its codes and its refusals, and a length that fits several locks.

/** What was learned of one lock, across restarts. It only advises, because a lock may have been set up anew since. */
export interface LearnedLengths {
  /** The length of the last code that the lock had or accepted; null: none yet. */
  readonly taken: number | null;
  readonly refused: readonly number[];
  /** It refused a name of more characters than the former limit. */
  readonly shortNames?: true;
}

export const NOTHING_LEARNED: LearnedLengths = { taken: null, refused: [] };

export function afterTaking(learned: LearnedLengths, length: number): LearnedLengths {
  return { ...learned, taken: length, refused: learned.refused.filter((one) => one !== length) };
}

export function afterRefusing(learned: LearnedLengths, length: number): LearnedLengths {
  const { taken, refused } = learned;
  return {
    ...learned,
    taken: taken === length ? null : taken,
    refused: [...refused.filter((one) => one !== length), length].sort((a, b) => a - b),
  };
}

/** The known rules of one lock on the length. */
export interface TakenLengths {
  /** The lock takes codes of different lengths. */
  readonly anyLength: boolean;
  /** The only length that the lock takes; null: any, or not known. */
  readonly knownLength: number | null;
  readonly refusedLengths: readonly number[];
}

/** Six digits are hard to guess and easy to remember (our choice); the other lengths follow. */
const WHERE_ANY_IS_TAKEN = [6, 5, 7, 8, 4] as const;
/** Locks that take one length take the shortest more often than any other (our choice). */
const WHERE_NONE_IS_KNOWN = [4, 5, 6, 7, 8] as const;

/** The length for one code on all of these locks; null where none fits all, as far as is known. */
export function commonLength(locks: readonly TakenLengths[]): number | null {
  const order = locks.every(({ anyLength }) => anyLength) ? WHERE_ANY_IS_TAKEN : WHERE_NONE_IS_KNOWN;
  const fits = (length: number): boolean =>
    locks.every(
      ({ knownLength, refusedLengths }) =>
        (knownLength === null || knownLength === length) && !refusedLengths.includes(length),
    );
  return order.find(fits) ?? null;
}
