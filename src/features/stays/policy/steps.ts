// Work in steps, so that a calendar of ten thousand entries never holds up the process: whoever runs it may pause at each step.

/** Each `yield` is a place where others may run. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Items between two steps: well under a millisecond (our choice). */
const ITEMS_A_STEP = 32;

export function* each<T>(items: Iterable<T>, work: (item: T) => void): Steps<void> {
  let done = 0;
  for (const item of items) {
    work(item);
    done += 1;
    if (done % ITEMS_A_STEP === 0) {
      yield undefined;
    }
  }
}

export function* eachOf<T, R>(items: Iterable<T>, work: (item: T) => R): Steps<readonly R[]> {
  const results: R[] = [];
  yield* each(items, (item) => {
    results.push(work(item));
  });
  return results;
}

/** The result, without a pause. */
export function finished<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) {
      return step.value;
    }
  }
}
