// What a relay makes of homes whose events nobody has taken: it looks after ten seconds, counts, and moves whom nobody serves.
import type { ConsumerInfo, JetStreamManager } from '@nats-io/jetstream';
import { expect, it } from 'vitest';
import { keptLog } from '../../../test/support/kept-log.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import type { ConsumerReading } from '../../src/cluster/home-consumers.ts';
import { WaitingHomes } from '../../src/cluster/waiting-homes.ts';
import { clusterMetrics } from '../../src/cluster-metrics.ts';

const BLUE = { home: 'blue', generation: 1 };
const SECOND_MS = 1_000;
/** No event is looked for in the stream: each was published by this relay. */
const NO_STREAM = {} as JetStreamManager;

/** A consumer on node a that has given its home the events up to this position. */
const standing = (given: number, isAsking: boolean): ConsumerInfo =>
  ({
    delivered: { stream_seq: given },
    num_waiting: isAsking ? 1 : 0,
    num_ack_pending: 0,
    cluster: { leader: 'a' },
  }) as ConsumerInfo;

function stage() {
  const clock = new ManualClock();
  const lines: string[] = [];
  const moves: (string | null)[] = [];
  const world: { looked: ConsumerReading; canMove: boolean } = { looked: standing(0, true), canMove: true };
  const waiting = new WaitingHomes({
    consumers: {
      read: async () => Promise.resolve(world.looked),
      move: async (_name, _seat, from) => {
        moves.push(from);
        return world.canMove ? Promise.resolve('b') : Promise.reject(new Error('No node'));
      },
    },
    nameOf: ({ home }) => home,
    clock,
    log: keptLog(lines),
  });
  const figures = () => {
    const size = { homes: 1, events: 1, bytes: 1 };
    return Object.fromEntries(
      clusterMetrics({ ...size, most: size, refused: 0, ...waiting.figures })
        .slice(3)
        .map(({ name, samples }) => [name.replace('latchkey_relay_cluster_', ''), samples[0]?.value]),
    );
  };
  /** Looks once that time has passed. */
  const after = async (ms: number): Promise<void> => {
    await clock.advance(ms);
    await waiting.checkDue(NO_STREAM);
  };
  return { waiting, world, lines, moves, figures, after };
}

it('a home that asks and is given nothing for ten seconds is counted, named and moved; then it counts no more', async () => {
  const { waiting, world, lines, moves, figures, after } = stage();
  waiting.noted(BLUE, 7);
  await after(9 * SECOND_MS);
  expect(moves).toEqual([]);
  expect(figures()).toEqual({ homes_waiting: 0, homes_unserved: 0, oldest_seconds: 0, moved_total: 0 });
  await after(3 * SECOND_MS);
  expect(moves).toEqual(['a']);
  expect(figures()).toEqual({ homes_waiting: 1, homes_unserved: 1, oldest_seconds: 12, moved_total: 1 });
  expect(lines).toEqual([
    expect.stringContaining('The home "blue" gets none of its events: its consumer stands on a.'),
    expect.stringContaining('The consumer of the home "blue" was moved to b.'),
  ]);
  world.looked = standing(7, true);
  await after(10 * SECOND_MS);
  expect(figures()).toEqual({ homes_waiting: 0, homes_unserved: 0, oldest_seconds: 0, moved_total: 1 });
});

it('one that no node takes is said to be so, and tried again', async () => {
  const { waiting, world, lines, moves, figures, after } = stage();
  [world.looked, world.canMove] = ['silent', false];
  waiting.noted(BLUE, 7);
  await after(10 * SECOND_MS);
  await after(10 * SECOND_MS);
  expect(moves).toEqual([null, null]);
  expect(lines).toContainEqual(expect.stringContaining('No node takes the consumer of the home "blue".'));
  expect(figures()).toEqual({ homes_waiting: 1, homes_unserved: 1, oldest_seconds: 20, moved_total: 0 });
});

it('one that is away waits, and is neither named nor moved', async () => {
  const { waiting, world, lines, moves, figures, after } = stage();
  world.looked = standing(0, false);
  waiting.noted(BLUE, 7);
  await after(15 * SECOND_MS);
  expect([moves, lines]).toEqual([[], []]);
  expect(figures()).toEqual({ homes_waiting: 1, homes_unserved: 0, oldest_seconds: 15, moved_total: 0 });
});
