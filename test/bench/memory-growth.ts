// How much memory a flood takes that goes on: measured once V8 has made its room for young objects as large as it makes it,
// which it does once, in steps of up to 64 MB, as soon as enough young objects have survived, in any program.
import type { Contestant } from './contestant.ts';
import { alone, type Figure } from './figures.ts';
import type { ProcessMemory } from './preload.ts';

const MOST_GROWTH_MB = 30;

/**
 * The process is warm when V8 had as much room for young objects before so many lots of each kind as after them, and in any
 * case after so many.
 */
const CALM_LOTS = 2;
const MOST_WARMING_LOTS = 10;

/** Sends lots until the process is warm; resolves with its memory then. */
export async function warmUp(ours: Contestant, sendLot: () => Promise<void>): Promise<ProcessMemory> {
  let room = 0;
  let calmLots = 0;
  for (let lot = 0; lot < MOST_WARMING_LOTS && calmLots < CALM_LOTS; lot += 1) {
    await sendLot();
    const { youngRoomBytes } = await ours.memory();
    calmLots = youngRoomBytes === room ? calmLots + 1 : 0;
    room = youngRoomBytes;
  }
  return ours.memory();
}

export function growthFigure(warm: ProcessMemory, hot: ProcessMemory, deliveries: number): Figure {
  const grownMb = megabytes(hot.rssBytes - warm.rssBytes);
  return alone(
    {
      name: `growth of memory (RSS) by ${String(deliveries)} deliveries, once warm`,
      unit: 'MB',
      goal: `under ${String(MOST_GROWTH_MB)} MB`,
    },
    [grownMb],
    grownMb < MOST_GROWTH_MB,
  );
}

/** What the growth leaves out: it is said, and not judged. */
export function warmingFigure(cold: ProcessMemory, warm: ProcessMemory): Figure {
  const room = [cold, warm].map(({ youngRoomBytes }) => megabytes(youngRoomBytes).toFixed(0)).join(' to ');
  return alone(
    {
      name: `the same while warming up; V8's room for young objects went from ${room} MB`,
      unit: 'MB',
      goal: 'none: V8 does it once',
    },
    [megabytes(warm.rssBytes - cold.rssBytes)],
    true,
  );
}

function megabytes(bytes: number): number {
  return bytes / 1e6;
}
