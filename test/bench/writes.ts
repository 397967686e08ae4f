// How soon Home has the answer to a tap, also with a disk that is slow.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contestant, Side } from './contestant.ts';
import { compared, type Figure, type Pairwise, within } from './figures.ts';
import { both, inTurns, type Pair, slowAnswers, timed } from './pair.ts';

const MOST_OWN_MS = 10;

/** So many taps follow each other; then all commands come to their end before the next ones, in milliseconds. */
const BURST = 8;
const SETTLED_AFTER_MS = 700;

/** The service's own time to accept a command, in milliseconds, when the answer is timed. */
const ACCEPTS_IN_MS = 20;

/** faults#79: a commit takes 50 ms, as on an SD card; and what Home has to get nevertheless. */
const SLOW_COMMIT_MS = 50;
const MOST_SET_MS = 2_500;
const MOST_READ_MS = 100;

export async function measureWrites(pair: Pair, taps: number): Promise<readonly Figure[]> {
  for (const { service } of [pair.ours, pair.limit]) {
    service.travel = () => ({ ms: 0, jams: false });
  }
  await burstsInTurns(pair, BURST);
  slowAnswers(pair, ACCEPTS_IN_MS);
  const answers = await burstsInTurns(pair, taps);
  slowAnswers(pair, 0);
  return [
    compared(
      {
        name: 'write to answer, beyond the time of the service',
        unit: 'ms',
        goal: boundInWords(MOST_OWN_MS),
      },
      answers,
      (ours, limit) => within(MOST_OWN_MS, ours, limit),
    ),
  ];
}

/** Taps, and reads on the connection of another home hub while the taps are written down. */
export async function measureSlowStorage(pair: Pair, taps: number): Promise<readonly Figure[]> {
  const sets: Record<Side, number[]> = { ours: [], limit: [] };
  const reads: Record<Side, number[]> = { ours: [], limit: [] };
  await both(pair, async (contestant) => contestant.slowCommits(SLOW_COMMIT_MS));
  const hubs = { ours: pair.ours.controller.another(), limit: pair.limit.controller.another() };
  try {
    await inTurns(taps, pair, async (contestant, round) => {
      const { side, allPoints } = contestant;
      const asked = { answered: false };
      const answered = timed(async () => contestant.tap(round)).finally(() => {
        asked.answered = true;
      });
      while (!asked.answered) {
        reads[side].push(await timed(async () => hubs[side].read(allPoints)));
      }
      sets[side].push(await answered);
      await sleep(SETTLED_AFTER_MS);
      return 0;
    });
  } finally {
    await both(pair, async (contestant) => contestant.slowCommits(0));
    await Promise.all([hubs.ours.close(), hubs.limit.close()]);
  }
  const slow = `commits ${String(SLOW_COMMIT_MS)} ms slower`;
  return [
    compared(
      { name: `write to answer, ${slow}`, unit: 'ms', goal: boundInWords(MOST_SET_MS) },
      sets,
      (ours, limit) => within(MOST_SET_MS, ours, limit),
    ),
    compared(
      { name: `read of all locks meanwhile, ${slow}`, unit: 'ms', goal: boundInWords(MOST_READ_MS) },
      reads,
      (ours, limit) => within(MOST_READ_MS, ours, limit),
    ),
  ];
}

function boundInWords(mostMs: number): string {
  return `p99 at most ${String(mostMs)} ms, or the limit's`;
}

async function burstsInTurns(pair: Pair, taps: number): Promise<Pairwise> {
  const ours: number[] = [];
  const limit: number[] = [];
  for (let done = 0; done < taps; done += BURST) {
    const burst = await inTurns(Math.min(BURST, taps - done), pair, async (contestant, round) =>
      toAnswer(contestant, done + round),
    );
    ours.push(...burst.ours);
    limit.push(...burst.limit);
    await sleep(SETTLED_AFTER_MS);
  }
  return { ours, limit };
}

async function toAnswer(contestant: Contestant, round: number): Promise<number> {
  const { id } = contestant.lock(round);
  const arriving = contestant.service.arrival(id);
  const accepting = contestant.service.acceptance(id);
  const wholeMs = await timed(async () => contestant.tap(round));
  const [arrival, acceptance] = await Promise.all([arriving, accepting]);
  return wholeMs - (acceptance.at - arrival.at);
}
