// How the bolt was moved last, as Home has it: recent actions are events, late ones can only be read.
import fc from 'fast-check';
import { Bridge, uuid } from 'hap-nodejs';
import { describe, expect, it } from 'vitest';
import type { AccessMethod } from '../../../src/domain/locks/access.ts';
import type { BoltPosition } from '../../../src/domain/locks/bolt.ts';
import { boltOf, lockId, unknownLock } from '../../../src/domain/locks/lock.ts';
import { LATE_AFTER_MS } from '../../../src/domain/time/time.ts';
import { lastActionOf } from '../../../src/homekit/lock/lock-management-service.ts';
import { describedAs, FRONT } from '../../stand-ins/account/runtime.ts';
import { fixtureWithFrontDoor, type HomeFixture } from './fixture.ts';

/** The service's time when a test begins; the fixture's own clock says something else. */
const NOW = 500_000_000;
const HOUR = 3_600_000;
const LAST_ACTION = 'Lock Last Known Action';

interface Move {
  readonly to: BoltPosition;
  readonly method: AccessMethod;
  readonly at: number;
}

function reading(fixture: HomeFixture, bolt: BoltPosition, at = NOW): void {
  fixture.runtime.happen(FRONT, { type: 'reported', source: 'poll', at, bolt, connected: true });
}

function moved(fixture: HomeFixture, { to, method, at }: Move): void {
  const accessor = { method, id: null, name: null };
  fixture.runtime.happen(FRONT, { type: 'reported', source: 'event', at, bolt: to, accessor });
}

function lastAction(fixture: HomeFixture): unknown {
  return fixture
    .service('LockManagement')
    ?.characteristics.find(({ displayName }) => displayName === LAST_ACTION)?.value;
}

/** A door in Home whose bolt was turned by hand a day ago, and which has just been read. */
function benchAfterAHand(): HomeFixture {
  const fixture = fixtureWithFrontDoor();
  moved(fixture, { to: 'unsecured', method: 'thumbturn', at: NOW - 24 * HOUR });
  reading(fixture, 'secured');
  return fixture;
}

/** The actions of which controllers are notified from now on. */
function notices(fixture: HomeFixture): () => readonly unknown[] {
  const sent = fixture.listen();
  return () => sent.filter(({ name }) => name === LAST_ACTION).map(({ value }) => value);
}

/** The next process, with what Homebridge kept of the accessory. */
function restarted(fixture: HomeFixture): HomeFixture {
  return fixtureWithFrontDoor({ restored: fixture.throughCache() });
}

describe('a move that has just happened', () => {
  it.each([
    ['is an event', NOW],
    ['is an event although a poll has already seen the position', NOW + 30_000],
  ])('%s', (_, readAt) => {
    const fixture = benchAfterAHand();
    const received = notices(fixture);
    reading(fixture, readAt === NOW ? 'secured' : 'unsecured', readAt);
    moved(fixture, { to: 'unsecured', method: 'access-code', at: NOW + 20_000 });
    expect(received()).toEqual([5]);
  });

  it('is no event once the bolt has moved elsewhere, and can be read', () => {
    const fixture = benchAfterAHand();
    const received = notices(fixture);
    reading(fixture, 'secured', NOW + 60_000);
    moved(fixture, { to: 'unsecured', method: 'access-code', at: NOW + 10_000 });
    expect([received(), lastAction(fixture)]).toEqual([[], 5]);
    moved(fixture, { to: 'secured', method: 'auto-relock', at: NOW + 40_000 });
    expect([received(), lastAction(fixture)]).toEqual([[8], 8]);
  });
});

it('an old move is no event before the first poll, because its age is unknown, and can be read', async () => {
  const fixture = restarted(benchAfterAHand());
  const received = notices(fixture);
  moved(fixture, { to: 'unsecured', method: 'access-code', at: NOW - HOUR });
  expect([received(), lastAction(fixture)]).toEqual([[], 5]);
  const characteristic = fixture.characteristic('LockManagement', LAST_ACTION);
  expect([await fixture.read(characteristic), await fixture.listed(characteristic)]).toEqual([5, 5]);
  expect(received()).toEqual([]);
});

describe('the end of a command of ours', () => {
  it('keeps its action when the next reading confirms it with an older move', () => {
    const fixture = benchAfterAHand();
    moved(fixture, { to: 'unsecured', method: 'access-code', at: NOW + 1_000 });
    fixture.runtime.happen(FRONT, {
      type: 'command-completed',
      target: 'secured',
      provenSince: NOW + 9_000,
      at: NOW + 9_500,
      next: null,
    });
    const received = notices(fixture);
    reading(fixture, 'secured', NOW + 60_000);
    expect([received(), lastAction(fixture)]).toEqual([[], 6]);
  });
});

describe('after a restart', () => {
  it('a stored date of a wrong clock is believed only until that clock is right', () => {
    const before = fixtureWithFrontDoor();
    moved(before, { to: 'secured', method: 'auto-relock', at: NOW + 24 * HOUR });
    const fixture = restarted(before);
    reading(fixture, 'secured');
    moved(fixture, { to: 'unsecured', method: 'access-code', at: NOW + 1_000 });
    expect(lastAction(fixture)).toBe(5);
  });
});

/** Ways for which HomeKit has a word in both directions. */
const method = fc.constantFrom<AccessMethod>('access-code', 'thumbturn', 'platform');

/** Before the reading, and often recent enough to be news. */
const agoMs = fc.oneof(fc.integer({ min: 1, max: 2 * LATE_AFTER_MS }), fc.integer({ min: 1, max: HOUR }));

const moves = fc
  .uniqueArray(fc.record({ to: fc.constantFrom<BoltPosition>('secured', 'unsecured'), method, agoMs }), {
    minLength: 5,
    maxLength: 5,
    selector: ({ agoMs: ms }) => ms,
  })
  .map((all) => all.map(({ to, method: by, agoMs: ms }): Move => ({ to, method: by, at: NOW - ms })));

it('of five moves reported in any order, across a restart, the latest by its own time is shown, and no old one was an event', () => {
  fc.assert(
    fc.property(
      moves,
      fc.constantFrom<BoltPosition>('secured', 'unsecured'),
      fc.nat(5),
      (all, bolt, restartAt) => {
        let fixture = benchAfterAHand();
        reading(fixture, bolt, NOW);
        const known: Move[] = [];
        for (const [index, move] of all.entries()) {
          if (index === restartAt) {
            fixture = restarted(fixture);
            reading(fixture, bolt, NOW);
          }
          const received = notices(fixture);
          moved(fixture, move);
          known.push(move);
          const latest = known.reduce((a, b) => (a.at > b.at ? a : b));
          expect(lastAction(fixture)).toBe(lastActionOf(latest.method, latest.to));
          if (received().length > 0) {
            // A listing that overtook an unlock by less than ten seconds proves nothing.
            const shown = fixture.runtime.lock(FRONT);
            expect([move, move.to]).toEqual([latest, shown && boltOf(shown)]);
            expect(NOW - move.at).toBeLessThanOrEqual(LATE_AFTER_MS);
          }
        }
      },
    ),
  );
});

it('the first actions of many locks are shown in one change of the bridge, and no later than ten minutes (faults#161)', async () => {
  const fixture = fixtureWithFrontDoor();
  const ids = [FRONT, lockId('back'), lockId('side')];
  fixture.runtime.add(unknownLock(lockId('back'), describedAs('Back door')));
  fixture.runtime.add(unknownLock(lockId('side'), describedAs('Side door')));
  const bridge = new Bridge('Bridge', uuid.generate('bridge'));
  // oxlint-disable-next-line no-underscore-dangle -- as Homebridge does it
  bridge.addBridgedAccessories(fixture.accessories.map((accessory) => accessory._associatedHAPAccessory));
  const changes: number[] = [];
  for (const accessory of bridge.bridgedAccessories) {
    accessory.on('service-configurationChange' as never, () => changes.push(fixture.clock.monotonic()));
  }
  for (const id of ids) {
    fixture.runtime.report(id, {
      bolt: 'secured',
      accessor: { method: 'thumbturn', id: null, name: null },
    });
    await fixture.clock.advance(60_000);
  }
  expect(changes).toEqual([]);
  await fixture.clock.advance(480_000);
  expect(changes).toEqual(ids.map(() => 600_000));
  expect(lastAction(fixture)).toBe(9);
});
