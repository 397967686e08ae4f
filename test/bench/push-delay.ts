// How soon Home gets an event of the service: from the POST of the signed event to the event of LockCurrentState.
import type { KeyObject } from 'node:crypto';
import type { Contestant } from './contestant.ts';
import { compared, type Figure, within } from './figures.ts';
import { Messenger } from './messenger.ts';
import { both, inTurns, type Pair } from './pair.ts';

/** What may come on top of the hold of hap-nodejs, in milliseconds. */
const MOST_BEYOND_HOLD_MS = 5;
const MOST_FAST_P50_MS = 5;
const MOST_FAST_P99_MS = 15;

/** The first deliveries find nothing warmed up yet, on either side. */
const WARM_UP = 50;

export interface DelayRounds {
  /** Deliveries whose events hap-nodejs holds back. */
  readonly held: number;
  /** Deliveries to a home with fast events. */
  readonly fast: number;
}

/**
 * Both are notified of the same turns; the limit's route takes the states alone. `holdMs`: what hap-nodejs holds events for,
 * and goes on to.
 */
export async function measureDelay(
  pair: Pair,
  key: KeyObject,
  rounds: DelayRounds,
  holdMs: number,
): Promise<Figure> {
  const held = await withMessengers(pair, key, async (measure) => {
    await both(pair, async (contestant) => contestant.holdEvents(0));
    await inTurns(WARM_UP, pair, measure);
    await both(pair, async (contestant) => contestant.holdEvents(holdMs));
    return inTurns(rounds.held, pair, measure);
  });
  const mostMs = holdMs + MOST_BEYOND_HOLD_MS;
  return compared(
    {
      name: `webhook to its event, held ${String(holdMs)} ms`,
      unit: 'ms',
      goal: `p50 at most ${String(mostMs)} ms`,
    },
    held,
    (ours) => ours.p50 <= mostMs,
  );
}

/**
 * `fast` is ours with `fastEvents` in a stock Homebridge, and a client that subscribed to the pulse. The limit knows no
 * pulse: its hold is removed.
 */
export async function measureFastEvents(
  fast: Contestant,
  limit: Contestant,
  key: KeyObject,
  rounds: DelayRounds,
): Promise<Figure> {
  const pulses = fast.locks.flatMap(({ motion }) => motion ?? []);
  if (pulses.length !== fast.locks.length) {
    throw new Error('Ours shows no pulse, though fast events are switched on');
  }
  await fast.controller.listen([...fast.allPoints, ...pulses]);
  await limit.holdEvents(0);
  const pair = { ours: fast, limit };
  const samples = await withMessengers(pair, key, async (measure) => {
    await inTurns(WARM_UP, pair, measure);
    return inTurns(rounds.fast, pair, measure);
  });
  return compared(
    {
      name: 'webhook to its event, held, with fastEvents (limit: hold removed)',
      unit: 'ms',
      goal: `p50 at most ${String(MOST_FAST_P50_MS)} ms, p99 at most ${String(MOST_FAST_P99_MS)} ms, or the limit's`,
    },
    samples,
    (ours, theirs) => ours.p50 <= MOST_FAST_P50_MS && within(MOST_FAST_P99_MS, ours, theirs),
  );
}

type ToEvent = (contestant: Contestant, round: number) => Promise<number>;

/** One warm connection to each; turns one lock after the other. */
async function withMessengers<T>(
  { ours, limit }: Pair,
  key: KeyObject,
  act: (measure: ToEvent) => Promise<T>,
): Promise<T> {
  const messengers = { ours: new Messenger(ours, key), limit: new Messenger(limit, key) };
  try {
    return await act(async ({ side }, round) => (await messengers[side].turn(round)).toHomeMs);
  } finally {
    await Promise.all([messengers.ours.close(), messengers.limit.close()]);
  }
}
