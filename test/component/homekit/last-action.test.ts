// How the bolt was moved last, as Home has it: what has just happened is told, what is told late only stands there to be read.

import fc from 'fast-check';
import type { PlatformAccessory } from 'homebridge';
import { describe, expect, it } from 'vitest';
import type { AccessMethod } from '../../../src/domain/access.ts';
import type { BoltPosition } from '../../../src/domain/bolt.ts';
import { lastActionOf } from '../../../src/homekit/lock-management-service.ts';
import { RECENT_FOR_MS } from '../../../src/sync/state/recent-moves.ts';
import { type Bench, benchWithFrontDoor, FRONT } from './fixture.ts';

/** The service's time when a test begins; the bench's own clock says something else. */
const NOW = 500_000_000;
const HOUR = 3_600_000;
const LAST_ACTION = 'Lock Last Known Action';

interface Move {
  readonly to: BoltPosition;
  readonly method: AccessMethod;
  readonly at: number;
}

function reading(bench: Bench, bolt: BoltPosition, at = NOW): void {
  bench.runtime.happen(FRONT, { type: 'reported', source: 'poll', at, bolt, connected: true });
}

function told(bench: Bench, { to, method, at }: Move): void {
  const accessor = { method, id: null, name: null };
  bench.runtime.happen(FRONT, { type: 'reported', source: 'event', at, bolt: to, accessor });
}

function lastAction(bench: Bench): unknown {
  return bench
    .service('LockManagement')
    ?.characteristics.find(({ displayName }) => displayName === LAST_ACTION)?.value;
}

/** A door in Home whose bolt was turned by hand a day ago, and which has just been read. */
function benchAfterAHand(restored: readonly PlatformAccessory[] = []): Bench {
  const bench = benchWithFrontDoor({ restored });
  told(bench, { to: 'unsecured', method: 'thumbturn', at: NOW - 24 * HOUR });
  reading(bench, 'secured');
  return bench;
}

/** The actions of which controllers are told from now on. */
function notices(bench: Bench): () => readonly unknown[] {
  const sent = bench.listen();
  return () => sent.filter(({ name }) => name === LAST_ACTION).map(({ value }) => value);
}

/** The next process, with what Homebridge kept of the accessory. */
function restarted(bench: Bench): Bench {
  return benchWithFrontDoor({ restored: bench.throughCache() });
}

describe('a move that has just happened', () => {
  it('is told', () => {
    const bench = benchAfterAHand();
    const heard = notices(bench);
    told(bench, { to: 'unsecured', method: 'access-code', at: NOW + 1_000 });
    expect(heard()).toEqual([5]);
  });

  it('is told although a reading has seen the bolt there before', () => {
    const bench = benchAfterAHand();
    const heard = notices(bench);
    reading(bench, 'unsecured', NOW + 30_000);
    told(bench, { to: 'unsecured', method: 'access-code', at: NOW + 20_000 });
    expect(heard()).toEqual([5]);
  });

  it('is not told once the bolt rests elsewhere, and stands there to be read', () => {
    const bench = benchAfterAHand();
    const heard = notices(bench);
    reading(bench, 'secured', NOW + 60_000);
    told(bench, { to: 'unsecured', method: 'access-code', at: NOW + 10_000 });
    expect([heard(), lastAction(bench)]).toEqual([[], 5]);
    told(bench, { to: 'secured', method: 'auto-relock', at: NOW + 40_000 });
    expect([heard(), lastAction(bench)]).toEqual([[8], 8]);
  });
});

describe('what the service repeats after an outage', () => {
  it('tells Home nothing of the moves between, and leaves the last of them to be read', async () => {
    const bench = benchAfterAHand();
    const heard = notices(bench);
    const ago = [3, 2, 1].map((hours) => NOW - hours * HOUR);
    told(bench, { to: 'unsecured', method: 'access-code', at: ago[0] ?? 0 });
    told(bench, { to: 'secured', method: 'auto-relock', at: ago[1] ?? 0 });
    told(bench, { to: 'secured', method: 'one-touch', at: ago[2] ?? 0 });
    expect([heard(), lastAction(bench)]).toEqual([[], 2]);
    const characteristic = bench.characteristic('LockManagement', LAST_ACTION);
    expect([await bench.read(characteristic), await bench.listed(characteristic)]).toEqual([2, 2]);
    expect(heard()).toEqual([]);
  });

  it('says nothing of now before the first reading: how old it is, nobody knows', () => {
    const bench = restarted(benchAfterAHand());
    const heard = notices(bench);
    told(bench, { to: 'unsecured', method: 'access-code', at: NOW - HOUR });
    expect([heard(), lastAction(bench)]).toEqual([[], 5]);
  });
});

describe('the end of a command of ours', () => {
  it('is not replaced by an older move when the next reading confirms it', () => {
    const bench = benchAfterAHand();
    told(bench, { to: 'unsecured', method: 'access-code', at: NOW + 1_000 });
    bench.runtime.happen(FRONT, {
      type: 'command-completed',
      target: 'secured',
      provenSince: NOW + 9_000,
      at: NOW + 9_500,
      next: null,
    });
    const heard = notices(bench);
    reading(bench, 'secured', NOW + 60_000);
    expect([heard(), lastAction(bench)]).toEqual([[], 6]);
  });
});

describe('after a restart', () => {
  it('a move from before the one that Home shows changes nothing', () => {
    const before = benchAfterAHand();
    told(before, { to: 'secured', method: 'auto-relock', at: NOW - HOUR });
    const bench = restarted(before);
    reading(bench, 'secured');
    told(bench, { to: 'unsecured', method: 'access-code', at: NOW - 2 * HOUR });
    expect(lastAction(bench)).toBe(8);
  });

  it('a date that was kept from a clock that was wrong is believed no longer than that clock', () => {
    const before = benchWithFrontDoor();
    told(before, { to: 'secured', method: 'auto-relock', at: NOW + 24 * HOUR });
    const bench = restarted(before);
    reading(bench, 'secured');
    told(bench, { to: 'unsecured', method: 'access-code', at: NOW + 1_000 });
    expect(lastAction(bench)).toBe(5);
  });
});

/** Ways for which HomeKit has a word in both directions. */
const method = fc.constantFrom<AccessMethod>('access-code', 'thumbturn', 'platform');

/** Before the reading, and often recent enough to be news. */
const agoMs = fc.oneof(fc.integer({ min: 1, max: 2 * RECENT_FOR_MS }), fc.integer({ min: 1, max: HOUR }));

const moves = fc
  .uniqueArray(fc.record({ to: fc.constantFrom<BoltPosition>('secured', 'unsecured'), method, agoMs }), {
    minLength: 5,
    maxLength: 5,
    selector: ({ agoMs: ms }) => ms,
  })
  .map((all) => all.map(({ to, method: by, agoMs: ms }): Move => ({ to, method: by, at: NOW - ms })));

it('of five moves told in any order, across a restart, the latest by its own time stands there, and no old one was told', () => {
  fc.assert(
    fc.property(
      moves,
      fc.constantFrom<BoltPosition>('secured', 'unsecured'),
      fc.nat(5),
      (all, bolt, restartAt) => {
        let bench = benchAfterAHand();
        reading(bench, bolt, NOW);
        const known: Move[] = [];
        for (const [index, move] of all.entries()) {
          if (index === restartAt) {
            bench = restarted(bench);
            reading(bench, bolt, NOW);
          }
          const heard = notices(bench);
          told(bench, move);
          known.push(move);
          const latest = known.reduce((a, b) => (a.at > b.at ? a : b));
          expect(lastAction(bench)).toBe(lastActionOf(latest.method, latest.to));
          if (heard().length > 0) {
            expect([move, move.to]).toEqual([latest, bolt]);
            expect(NOW - move.at).toBeLessThanOrEqual(RECENT_FOR_MS);
          }
        }
      },
    ),
  );
});
