// How much memory a flood keeps that goes on. What is alive is compared: the resident set rises and falls with what V8 has not
// collected yet, up to 30 MB, and with its room for young objects, 15 to 134 MB.
import type { Contestant } from './contestant.ts';
import { alone, compared, type Figure, type Pairwise } from './figures.ts';

const MOST_GROWTH_MB = 10;

/** Lots of each kind until all that is kept for a while is kept, above all the ids of ten thousand events. */
const WARMING_LOTS = 3;

/** Sends lots until nothing more is kept than what leaves. */
export async function warmUp(sendLot: () => Promise<void>): Promise<void> {
  for (let lot = 0; lot < WARMING_LOTS; lot += 1) {
    await sendLot();
  }
}

/** How many bytes more are alive after these lots. To look costs two collections, after which everything is slow for a while. */
export async function grownBy(ours: Contestant, lots: number, sendLot: () => Promise<void>): Promise<number> {
  const { heapBytes: warm } = await ours.report();
  for (let lot = 0; lot < lots; lot += 1) {
    await sendLot();
  }
  const { heapBytes: hot } = await ours.report();
  return hot - warm;
}

export function growthFigure(grownBytes: number, deliveries: number): Figure {
  const grownMb = grownBytes / 1e6;
  return alone(
    {
      name: `growth of the live heap by ${String(deliveries)} deliveries, once warm`,
      unit: 'MB',
      goal: `under ${String(MOST_GROWTH_MB)} MB`,
    },
    [grownMb],
    grownMb < MOST_GROWTH_MB,
  );
}

/** Said and not judged: V8 decides by the machine's memory how much garbage waits. */
export function residentFigure(bytes: Pairwise): Figure {
  const megabytes = (samples: readonly number[]): number[] => samples.map((sample) => sample / 1e6);
  return compared(
    { name: 'resident set after each lot', unit: 'MB', goal: 'none: mostly garbage that waits' },
    { ours: megabytes(bytes.ours), limit: megabytes(bytes.limit) },
    () => true,
  );
}
