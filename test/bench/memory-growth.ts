// How much memory a flood keeps that goes on. What is alive is compared: the resident set rises and falls with what V8 has not
// collected yet, up to 30 MB, and with its room for young objects, 15 to 134 MB.
import type { Contestant } from './contestant.ts';
import { alone, compared, type Figure, type Pairwise } from './figures.ts';

const MOST_GROWTH_MB = 10;

/** Lots of each kind until all that is kept for a while is kept, above all the ids of ten thousand events. */
const WARMING_LOTS = 3;

/** Sends lots until nothing more is kept than what leaves; resolves with the bytes that are alive then. */
export async function warmUp(ours: Contestant, sendLot: () => Promise<void>): Promise<number> {
  for (let lot = 0; lot < WARMING_LOTS; lot += 1) {
    await sendLot();
  }
  return liveBytes(ours);
}

export async function liveBytes(ours: Contestant): Promise<number> {
  const { heapBytes } = await ours.report();
  return heapBytes;
}

export function growthFigure(warmBytes: number, hotBytes: number, deliveries: number): Figure {
  const grownMb = (hotBytes - warmBytes) / 1e6;
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
