// How long Home waits for a read, in any state of the service, and that no read calls the service.
import { setTimeout as sleep } from 'node:timers/promises';
import { compared, type Figure, none, type Summary } from './figures.ts';
import { both, inTurns, type Pair, slowAnswers, timed } from './pair.ts';

const MOST_RATIO = 1.2;

/** The service's answers take this much longer, in milliseconds. */
const SLOWER_MS = 100;

/** A listing is due 1.5 s after a tap, and fails at once when the service is dead. */
const LOSS_NOTICED_MS = 2_500;
const RECOVERED_WITHIN_MS = 60_000;

/** How often one lock is read, and how often all of them. */
export interface ReadRounds {
  readonly one: number;
  readonly all: number;
}

export async function measureReads(pair: Pair, rounds: ReadRounds): Promise<readonly Figure[]> {
  await readsInTurns(pair, rounds, 'to warm up');
  const { service } = pair.ours;
  const before = service.totalCalls;
  const well = await readsInTurns(pair, rounds, '');
  slowAnswers(pair, SLOWER_MS);
  const slow = await readsInTurns(pair, rounds, `, service ${String(SLOWER_MS)} ms slower`);
  slowAnswers(pair, 0);
  const perRead = (service.totalCalls - before) / (2 * (rounds.one + rounds.all));
  const dead = await readsWithoutService(pair, rounds);
  return [...well, ...slow, ...dead, none('service calls per read', 'calls', perRead)];
}

async function readsInTurns(
  pair: Pair,
  rounds: ReadRounds,
  circumstances: string,
): Promise<readonly Figure[]> {
  const figure = { unit: 'ms', goal: `p50 ratio at most ${String(MOST_RATIO)}` };
  const one = await inTurns(rounds.one, pair, async (contestant, round) => {
    const { current, target } = contestant.lock(round);
    return timed(async () => contestant.controller.read([current, target]));
  });
  const all = await inTurns(rounds.all, pair, async ({ controller, allPoints }) =>
    timed(async () => controller.read(allPoints)),
  );
  return [
    compared({ ...figure, name: `read of one lock${circumstances}` }, one, isNear),
    compared({ ...figure, name: `read of all locks${circumstances}` }, all, isNear),
  ];
}

/** Ours learns of the loss by a tap that fails, so that it reads while it knows and tries to come back. */
async function readsWithoutService(pair: Pair, rounds: ReadRounds): Promise<readonly Figure[]> {
  await both(pair, async (contestant) => {
    await contestant.service.die();
    const failed = await contestant.controller.tryToWrite({ [contestant.lock(0).target]: 0 });
    if (failed.length === 0) {
      throw new Error(`A tap succeeded at ${contestant.side} without a service`);
    }
  });
  await sleep(LOSS_NOTICED_MS);
  const figures = await readsInTurns(pair, rounds, ', service dead');
  const { service } = pair.ours;
  const listings = service.calls.list;
  await both(pair, async (contestant) => contestant.service.revive());
  const giveUpAt = performance.now() + RECOVERED_WITHIN_MS;
  while (service.calls.list === listings && performance.now() < giveUpAt) {
    await sleep(100);
  }
  return figures;
}

function isNear(ours: Summary, limit: Summary): boolean {
  return ours.p50 <= MOST_RATIO * limit.p50;
}
