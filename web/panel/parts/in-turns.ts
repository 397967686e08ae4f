// Asks about many locks without asking about all of them at once.

/** Calls at a time: the plugin takes 32 of all pages, and the service limits them (our choice). */
const AT_ONCE = 4;

/** Runs the task for each item, a few at a time; resolves after the last. */
export async function inTurns<Item>(
  items: readonly Item[],
  task: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const work = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      await task(item);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
