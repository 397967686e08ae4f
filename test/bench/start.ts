// How soon after a start Home can read all locks, and how soon what it reads is true: the world changed meanwhile.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contestant } from './contestant.ts';
import { alone, compared, type Figure, percentile } from './figures.ts';
import { inTurns, type Pair, timed } from './pair.ts';

const MOST_RATIO = 1.1;
/** The limit of the first true read beyond the first read and one listing, in milliseconds. */
const MOST_EXTRA_MS = 50;
const MOST_CALLS = 4;
const TRUE_WITHIN_MS = 20_000;

export async function measureStart(pair: Pair, starts: number): Promise<readonly Figure[]> {
  const truths: number[] = [];
  const cpu = { ours: [] as number[], limit: [] as number[] };
  const calls: number[] = [];
  const firstReads = await inTurns(starts, pair, async (contestant) => {
    await contestant.stop();
    turnEveryBolt(contestant);
    const callsBefore = contestant.service.totalCalls;
    const startedAt = performance.now();
    await contestant.start();
    await contestant.controller.read(contestant.allPoints);
    const firstReadMs = performance.now() - startedAt;
    cpu[contestant.side].push((await contestant.memory()).mainCpuMs);
    if (contestant.side === 'ours') {
      await readsTrue(contestant);
      truths.push(performance.now() - startedAt);
      calls.push(contestant.service.totalCalls - callsBefore);
    }
    return firstReadMs;
  });
  const listMs = await timeOfListing(pair.ours, starts);
  const truthGoalMs = MOST_RATIO * percentile(firstReads.limit, 0.5) + listMs + MOST_EXTRA_MS;
  return [
    compared(
      {
        name: 'start to first read of all locks',
        unit: 'ms',
        goal: `p50 ratio at most ${String(MOST_RATIO)}`,
      },
      firstReads,
      (ours, limit) => ours.p50 <= MOST_RATIO * limit.p50,
    ),
    // Beside other processes, times differ by more than the goal allows; this does not.
    compared(
      {
        name: 'processor time of the main thread from the start to that read',
        unit: 'ms',
        goal: `p50 ratio at most ${String(MOST_RATIO)}`,
      },
      cpu,
      (ours, limit) => ours.p50 <= MOST_RATIO * limit.p50,
    ),
    compared(
      {
        name: 'start to first true read of all locks (limit: first read)',
        unit: 'ms',
        goal: `p50 at most that and one listing (${listMs.toFixed(1)} ms) and ${String(MOST_EXTRA_MS)} ms`,
      },
      { ours: truths, limit: firstReads.limit },
      (ours) => ours.p50 <= truthGoalMs,
    ),
    alone(
      {
        name: 'service calls before the first true read',
        unit: 'calls',
        goal: `at most ${String(MOST_CALLS)}`,
      },
      calls,
      Math.max(...calls) <= MOST_CALLS,
    ),
  ];
}

function turnEveryBolt({ service }: Contestant): void {
  for (const [id, state] of service.locks) {
    service.locks.set(id, state === 'Locked' ? 'Unlocked' : 'Locked');
  }
}

/** Reads again and again until every lock is shown as it is. */
async function readsTrue({ controller, service, locks, allPoints }: Contestant): Promise<void> {
  for (const giveUpAt = performance.now() + TRUE_WITHIN_MS; performance.now() < giveUpAt; ) {
    const values = await controller.values(allPoints);
    const isTrue = locks.every(({ id, current, target }) => {
      const truth = service.locks.get(id) === 'Locked' ? 1 : 0;
      return values.get(current) === truth && values.get(target) === truth;
    });
    if (isTrue) {
      return;
    }
    await sleep(1);
  }
  throw new Error('Ours never showed the world as it is');
}

/** One listing of all locks, as the plugin asks for it, median in milliseconds. */
async function timeOfListing({ service }: Contestant, times: number): Promise<number> {
  const samples: number[] = [];
  for (let index = 0; index < times; index += 1) {
    samples.push(
      await timed(async () => {
        const answer = await fetch(`${service.url}/api/locks/devices`);
        await answer.json();
      }),
    );
  }
  return percentile(samples, 0.5);
}
