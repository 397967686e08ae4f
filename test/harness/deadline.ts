// Waits for an event of real processes, and names the missing one when it does not come.

/** Rejects with the text of `explain` when `promise` has not settled within `withinMs`. */
export async function within<T>(promise: Promise<T>, withinMs: number, explain: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`${explain()} (waited ${withinMs} ms)`));
    }, withinMs);
  });
  try {
    return await Promise.race([promise, expired]);
  } finally {
    clearTimeout(timer);
  }
}
