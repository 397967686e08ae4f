// Events of the service: at once, in any order, twice, late, or about something else.
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { commandId } from '../../../../src/domain/commands/command.ts';
import type { BoltPosition } from '../../../../src/domain/locks/bolt.ts';
import { lockId } from '../../../../src/domain/locks/lock.ts';
import type { ServiceReport } from '../../../../src/domain/webhooks/service-event.ts';
import { RetryError } from '../../../../src/support/errors.ts';
import { homeWithFrontDoor, type PolledHome } from '../../../homes/polled-home.ts';
import { StandInFeed, thumbturn, turned } from '../../../stand-ins/service/events.ts';
import { FRONT_DOOR } from '../../../stand-ins/service/locks.ts';

let home: PolledHome;
let feed: StandInFeed;
let close: () => void;

beforeEach(async () => {
  home = await homeWithFrontDoor('secured');
  feed = new StandInFeed();
  close = home.runtime.listenTo(feed);
  // The listings of the start no longer count for the pace.
  await home.clock.advance(6_000);
});

describe('an event in an outage', () => {
  it('causes one listing in ten seconds, not one for each of many events', async () => {
    home.service.listingFault = new RetryError('server-fault', 'No.');
    await home.clock.advance(300_000);
    const before = home.service.listings;
    for (let second = 0; second < 10; second += 1) {
      feed.emit(
        { type: 'battery', battery: { grade: 'normal', percent: 80 - second } },
        { at: home.clock.now() },
      );
      await home.clock.advance(999);
    }
    expect(home.service.listings - before).toBeLessThanOrEqual(2);
  });

  it("ends the outage's pause: the locks are listed at once, at that pace, and the token may be renewed", async () => {
    home.service.listingFault = new RetryError('server-fault', 'No.');
    await home.clock.advance(120_000);
    home.service.listingFault = null;
    await home.clock.advance(10_000);
    const before = home.service.listings;
    const battery = { type: 'battery', battery: { grade: 'normal', percent: 80 } } as const;
    feed.emit(battery, { at: home.clock.now() });
    await home.clock.advance(0);
    expect([home.service.listings, home.link.signsOfLife]).toEqual([before + 1, 1]);
    expect(home.shown()).toEqual(['secured', null]);
    feed.emit(battery, { at: home.clock.now() });
    await home.clock.advance(0);
    expect(home.service.listings).toBe(before + 1);
  });
});

describe('an event of a bolt', () => {
  it('shows its position at once, with the mover, and without a call', () => {
    const before = home.service.listings;
    feed.emit(turned('unsecured'), { at: home.clock.now() });
    expect([home.shown(), home.lock().lastMove?.by, home.service.listings]).toEqual([
      ['unsecured', null],
      thumbturn,
      before,
    ]);
  });

  it('is refuted by a later listing, though that one repeats the position from before the event', async () => {
    await home.runtime.refresh();
    feed.emit(turned('unsecured'), { at: home.clock.now() });
    expect(home.shown()).toEqual(['unsecured', null]);
    await home.clock.advance(300_000);
    expect(home.shown()).toEqual(['secured', null]);
  });

  it('of the very instant of a listing lasts until the next one, which repeats the first', async () => {
    await home.runtime.refresh();
    feed.emit({ type: 'battery', battery: { grade: 'low', percent: 10 } }, { at: home.lock().batteryAt });
    expect(home.lock().battery.percent).toBe(10);
    await home.clock.advance(400_000);
    expect(home.lock().battery.percent).toBe(87);
  });

  it('changes target and position in one step (faults#32)', () => {
    const shown: unknown[] = [];
    home.runtime.subscribe(() => shown.push(home.shown()));
    feed.emit(turned('unsecured'), { at: home.clock.now() });
    expect(shown).toContainEqual(['unsecured', null]);
  });

  it('that is older than the belief changes nothing, and causes one reading (faults#47)', async () => {
    const then = home.clock.now();
    await home.clock.advance(40_000);
    const before = home.service.listings;
    feed.emit(turned('unsecured'), { at: then });
    expect(home.shown()).toEqual(['secured', null]);
    await home.clock.advance(0);
    expect([home.service.listings - before, home.shown()]).toEqual([1, ['secured', null]]);
  });

  it('leaves the same state in all orders of five (faults#47)', () => {
    const order = fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 });
    const rests = fc.array(fc.constantFrom<BoltPosition>('secured', 'unsecured'), {
      minLength: 5,
      maxLength: 5,
    });
    fc.assert(
      fc.property(order, rests, (arrivals, positions) => {
        const start = home.clock.now();
        home.clock.jumpWallTo(start + 10);
        for (const index of arrivals) {
          feed.emit(turned(positions[index] ?? 'secured'), { at: start + index });
        }
        expect(home.shown()).toEqual([positions[4], null]);
      }),
      { numRuns: 200 },
    );
  });

  it("keeps its place among those of the last second, though the service's dates have whole seconds", () => {
    feed.emit(turned('unsecured'), { at: home.clock.now() + 300 });
    feed.emit(turned('secured'), { at: home.clock.now() + 600 });
    feed.emit(turned('unsecured'), { at: home.clock.now() + 400 });
    expect(home.shown()).toEqual(['secured', null]);
  });

  it('of the future counts as of now, so that it does not outlast later reports', async () => {
    feed.emit(turned('unsecured'), { at: home.clock.now() + 3_600_000 });
    await home.clock.advance(340_000);
    expect(home.shown()).toEqual(['secured', null]);
  });

  it.each<[string, ServiceReport, number | null]>([
    ['only announces a change', { type: 'bolt', bolt: null, accessor: null }, 0],
    ['names no time', turned('unsecured'), null],
    [
      'cannot say who',
      { type: 'bolt', bolt: 'unsecured', accessor: { ...thumbturn, method: 'unavailable' } },
      0,
    ],
    ['brings the lock back', { type: 'connectivity', connected: true }, 0],
    ['speaks of the connection in a strange word', { type: 'connectivity', connected: null }, 0],
  ])('that %s causes a reading', async (_title, message, age) => {
    home.service.turn('unsecured');
    const before = home.service.listings;
    feed.emit(message, { at: age === null ? null : home.clock.now() - age });
    await home.clock.advance(0);
    expect([home.service.listings - before, home.shown()]).toEqual([1, ['unsecured', null]]);
  });

  it('that comes while a listing is under way causes another one, asked for after it', async () => {
    home.service.listingReplyMs = 2_000;
    const asked = home.runtime.refresh();
    await home.clock.advance(500);
    home.service.turn('unsecured');
    feed.emit({ type: 'bolt', bolt: null, accessor: null }, { at: home.clock.now() });
    await home.clock.advance(4_000);
    await asked;
    expect(home.shown()).toEqual(['unsecured', null]);
  });

  it('about a lock that the account does not have adds none, and does not prove that ours arrive (faults#49)', () => {
    feed.emit(turned('unsecured'), { at: home.clock.now(), lockId: lockId('somebody-elses') });
    expect(home.runtime.locks().map(({ id }) => id)).toEqual([FRONT_DOOR]);
    expect([home.runtime.webhooks.health, home.runtime.status().ignoredEvents.foreign]).toEqual([
      'degraded',
      1,
    ]);
  });

  it('about a lock that the account no longer lists neither moves it nor brings it back, and causes one listing', async () => {
    home.service.add(lockId('back-door'));
    home.service.lock().listed = false;
    await home.clock.advance(31_000);
    const before = [home.lock(), home.runtime.webhooks.health] as const;
    expect(before[0].presence).toBe('missing');
    const asked = home.service.listings;
    for (const message of [turned('unsecured'), { type: 'connectivity', connected: true } as const]) {
      feed.emit(message, { at: home.clock.now() });
    }
    await home.clock.advance(0);
    expect([home.lock().belief, home.runtime.webhooks.health]).toEqual([before[0].belief, before[1]]);
    expect([home.lock().presence, home.service.listings - asked]).toEqual(['missing', 1]);
    expect(home.runtime.status().ignoredEvents.foreign).toBe(2);
    home.service.lock().listed = true;
    await home.clock.advance(10_000);
    feed.emit(turned('unsecured'), { at: home.clock.now() });
    await home.clock.advance(0);
    expect(home.lock().presence).toBe('reachable');
  });

  it('has no effect while no account is linked, and is counted', () => {
    const received: unknown[] = [];
    home.link.set('unlinked');
    home.runtime.subscribe((event) => received.push(event));
    const before = [home.lock(), home.runtime.webhooks.health];
    const all: ServiceReport[] = [
      turned('unsecured'),
      { type: 'wrong-code' },
      { type: 'battery', battery: { grade: 'low', percent: 15 } },
      { type: 'signed-out', userId: 'resident' },
    ];
    for (const message of all) {
      feed.emit(message, { at: home.clock.now() });
    }
    expect([home.lock(), home.runtime.webhooks.health]).toEqual(before);
    expect([received, home.runtime.linkState(), home.runtime.status().ignoredEvents.foreign]).toEqual([
      [],
      'unlinked',
      4,
    ]);
  });
});

describe('an event that cannot be verified', () => {
  it('never changes a state by itself, and causes one reading in ten seconds at the most', async () => {
    const before = home.service.listings;
    for (let time = 0; time < 50; time += 1) {
      feed.emit(turned('unsecured'), { at: home.clock.now() }, 'unverified');
      await home.clock.advance(100);
    }
    expect([home.shown(), home.service.listings - before]).toEqual([['secured', null], 1]);
  });

  it('that comes soon after another causes a reading at the end of the ten seconds', async () => {
    feed.emit(turned('unsecured'), { at: home.clock.now() }, 'unverified');
    await home.clock.advance(100);
    home.service.turn('unsecured');
    feed.emit(turned('unsecured'), { at: home.clock.now() }, 'unverified');
    await home.clock.advance(10_000);
    expect(home.shown()).toEqual(['unsecured', null]);
  });
});

describe('the end of a command', () => {
  /** The service reports the end of the first command. */
  const reportSuccess = (): void => {
    feed.emit(
      { type: 'command-ended', reading: { state: 'successful', commandId: commandId('0') } },
      { at: home.clock.now() },
    );
  };

  it('that an event reports ends it at once, without waiting for a reading', async () => {
    home.service.travelMs = 5_000;
    await home.request('unsecured');
    await home.clock.advance(2_500);
    reportSuccess();
    expect(home.shown()).toEqual(['unsecured', null]);
  });

  it('that an event reports before the service has answered the command counts as soon as the command has its id', async () => {
    home.service.latencyMs = 1_500;
    home.service.travelMs = 5_000;
    await home.request('unsecured');
    await home.clock.advance(1_000);
    reportSuccess();
    expect(home.shown()).toEqual(['secured', 'unsecured']);
    await home.clock.advance(500);
    expect(home.shown()).toEqual(['unsecured', null]);
  });

  it("of another program's command ends none that has no id yet", async () => {
    home.service.latencyMs = 1_500;
    home.service.travelMs = 5_000;
    await home.request('unsecured');
    feed.emit(
      { type: 'command-ended', reading: { state: 'successful', commandId: commandId('not-ours') } },
      { at: home.clock.now() },
    );
    await home.clock.advance(1_500);
    expect(home.shown()).toEqual(['secured', 'unsecured']);
  });

  it('that an event reports causes no reading, and one that was read does', async () => {
    await home.clock.advance(40_000);
    const listings = [home.service.listings];
    home.service.travelMs = 5_000;
    await home.request('unsecured');
    await home.clock.advance(2_500);
    reportSuccess();
    await home.clock.advance(20_000);
    listings.push(home.service.listings);
    await home.request('secured');
    await home.clock.advance(25_000);
    listings.push(home.service.listings);
    expect(listings.map((count) => count - (listings[0] ?? 0))).toEqual([0, 0, 3]);
  });

  it('as a jam shows the jam, whatever program had sent it', () => {
    feed.emit(
      {
        type: 'command-ended',
        reading: { state: 'failed', commandId: commandId('not-ours'), reason: 'bolt-jammed' },
      },
      { at: home.clock.now() },
    );
    expect(home.shown()).toEqual(['jammed', null]);
  });
});

describe('an event of another kind', () => {
  it('sets connection or battery by its own time (faults#23)', async () => {
    const then = home.clock.now();
    await home.clock.advance(1_000);
    feed.emit({ type: 'connectivity', connected: false }, { at: home.clock.now() });
    feed.emit({ type: 'connectivity', connected: true }, { at: then - 10_000 });
    feed.emit({ type: 'battery', battery: { grade: 'low', percent: 15 } }, { at: home.clock.now() });
    expect([home.lock().presence, home.lock().battery.percent]).toEqual(['offline', 15]);
  });

  it('of a sign-out without a time causes a reading, which shows whether it is true', async () => {
    const before = home.service.listings;
    feed.emit({ type: 'signed-out', userId: 'resident' }, { at: null, lockId: null });
    await home.clock.advance(0);
    expect([home.runtime.linkState(), home.service.listings - before]).toEqual(['linked', 1]);
  });

  it('ends the link when the person signed out everywhere', () => {
    feed.emit({ type: 'signed-out', userId: 'resident' }, { at: home.clock.now(), lockId: null });
    expect(home.runtime.linkState()).toBe('signed-out');
  });

  it.each(['neighbour', null])(
    'of a sign-out of perhaps another person (%s) ends nothing, and causes a reading',
    async (userId) => {
      const before = home.service.listings;
      feed.emit({ type: 'signed-out', userId }, { at: home.clock.now(), lockId: null });
      await home.clock.advance(0);
      expect([home.runtime.linkState(), home.service.listings - before]).toEqual(['linked', 1]);
    },
  );

  it('of an unknown word is counted, and named in the log once', () => {
    feed.emit({ type: 'unrecognised', trigger: 'DoorPainted' }, { at: home.clock.now() });
    feed.emit({ type: 'unrecognised', trigger: 'DoorPainted' }, { at: home.clock.now(), lockId: null });
    expect(home.runtime.status().ignoredEvents.unrecognised).toBe(2);
    expect(home.lines.filter((line) => line.includes('DoorPainted'))).toEqual([]);
  });

  it('at the keypad is reported to alerts, with its time', () => {
    const received: unknown[] = [];
    home.runtime.subscribe((event) => received.push(event));
    const at = home.clock.now() - 3_000;
    feed.emit({ type: 'wrong-code' }, { at });
    expect(received).toEqual([{ type: 'alert', id: FRONT_DOOR, alert: 'wrong-code', at }]);
  });

  it('at the keypad that is reported hours later raises no alert', () => {
    const received: unknown[] = [];
    home.runtime.subscribe((event) => received.push(event));
    feed.emit({ type: 'alarm' }, { at: home.clock.now() - 3_600_000 });
    expect(received).toEqual([]);
  });
});

describe('polling beside webhooks', () => {
  it('is rare while webhooks arrive, with 66 listings an hour at the most', async () => {
    feed.emit(turned('secured'), { at: home.clock.now() });
    await home.clock.advance(60_000);
    const before = home.service.listings;
    await home.clock.advance(3_600_000);
    expect(home.service.listings - before).toBeLessThanOrEqual(66);
  });

  it.each([0, 0.5, 0.999])(
    'heals a lost webhook within 60 s, with 66 listings an hour at the most (jitter %d)',
    async (random) => {
      home.random = random;
      feed.emit(turned('secured'), { at: home.clock.now() });
      await home.clock.advance(120_000);
      const before = home.service.listings;
      await home.clock.advance(3_600_000);
      expect(home.service.listings - before).toBeLessThanOrEqual(66);
      for (let time = 0; time < 20; time += 1) {
        await home.clock.advance(7_001);
        home.service.turn(time % 2 === 0 ? 'unsecured' : 'secured');
        await home.clock.advance(60_000);
        expect(home.shown()[0]).toBe(time % 2 === 0 ? 'unsecured' : 'secured');
        // Webhooks count as healthy all the same.
        home.runtime.webhooks.proved(FRONT_DOOR);
      }
    },
  );

  it.each<[string, () => void]>([
    [
      'that only announce a change',
      () => feed.emit({ type: 'bolt', bolt: null, accessor: null }, { at: home.clock.now() }),
    ],
    [
      'that bring the lock back',
      () => feed.emit({ type: 'connectivity', connected: true }, { at: home.clock.now() }),
    ],
    [
      'of commands of others',
      () =>
        feed.emit(
          { type: 'command-ended', reading: { state: 'successful', commandId: commandId('theirs') } },
          { at: home.clock.now() },
        ),
    ],
    ['that nothing proves', () => feed.emit(turned('unsecured'), { at: home.clock.now() }, 'unverified')],
  ])(
    'is paced for a flood of events %s: two in five seconds, and the last event counts',
    async (_title, emit) => {
      const asked: number[] = [];
      home.service.onListing = () => asked.push(home.clock.monotonic());
      for (let time = 0; time < 200; time += 1) {
        emit();
        await home.clock.advance(100);
      }
      home.service.turn('unsecured');
      emit();
      await home.clock.advance(11_000);
      expect(home.shown()[0]).toBe('unsecured');
      expect(asked.length).toBeGreaterThanOrEqual(2);
      for (const [index, at] of asked.entries()) {
        expect((asked[index + 2] ?? Number.POSITIVE_INFINITY) - at).toBeGreaterThanOrEqual(5_000);
      }
    },
  );

  it('finds a change that no webhook announced, and is frequent from then on (faults#54)', async () => {
    feed.emit(turned('secured'), { at: home.clock.now() });
    await home.clock.advance(1_000);
    home.service.turn('unsecured');
    await home.clock.advance(300_000);
    expect(home.shown()).toEqual(['unsecured', null]);
    const before = home.service.listings;
    await home.clock.advance(300_000);
    expect(home.service.listings - before).toBeGreaterThanOrEqual(9);
  });

  it('is frequent again when the listener is closed', async () => {
    feed.emit(turned('secured'), { at: home.clock.now() });
    close();
    const before = home.service.listings;
    await home.clock.advance(300_000);
    expect(home.service.listings - before).toBeGreaterThanOrEqual(9);
  });
});

describe('a position that is reported too late', () => {
  const HOUR = 3_600_000;

  it.each(['secured', 'unsecured'] as const)('as %s is not shown, not even for a moment', async (bolt) => {
    home.service.listingFault = new RetryError('unreachable', 'Nobody answers.');
    await home.clock.advance(2 * HOUR);
    expect(home.shown()).toEqual(['unknown', null]);
    const shown: unknown[] = [];
    home.runtime.subscribe(() => shown.push(home.shown()[0]));
    feed.emit(turned(bolt), { at: home.clock.now() - HOUR });
    expect(new Set(shown)).toEqual(new Set(['unknown']));
    expect(home.lock().lastMove?.to).toBe(bolt);
  });

  it('but not too late to be true is shown, while the service does not answer', async () => {
    home.service.listingFault = new RetryError('unreachable', 'Nobody answers.');
    await home.clock.advance(2 * HOUR);
    feed.emit(turned('unsecured'), { at: home.clock.now() - 5_000 });
    expect(home.shown()).toEqual(['unsecured', null]);
  });

  it('as a jam is shown all the same: it needs a hand at the door until the bolt is known to rest', async () => {
    home.service.listingFault = new RetryError('unreachable', 'Nobody answers.');
    await home.clock.advance(2 * HOUR);
    const reading = { state: 'failed', commandId: commandId('not-ours'), reason: 'bolt-jammed' } as const;
    feed.emit({ type: 'command-ended', reading }, { at: home.clock.now() - HOUR });
    expect(home.shown()).toEqual(['jammed', null]);
  });
});
