// Events of the service: at once, in any order, twice, late, or about something else.
import { beforeEach, describe, expect, it } from 'vitest';
import { commandId } from '../../../../src/domain/commands/command.ts';
import { lockId } from '../../../../src/domain/locks/lock.ts';
import type { EventTrust } from '../../../../src/domain/webhooks/ports.ts';
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

/** An event that is dated now. */
function arrives(message: ServiceReport, trust?: EventTrust): void {
  feed.emit(message, { at: home.clock.now() }, trust);
}

const battery = (percent: number): ServiceReport => ({
  type: 'battery',
  battery: { grade: 'normal', percent },
});
const announced: ServiceReport = { type: 'bolt', bolt: null, accessor: null };
const succeeded = (id: string): ServiceReport => ({
  type: 'command-ended',
  reading: { state: 'successful', commandId: commandId(id) },
});
const jammed: ServiceReport = {
  type: 'command-ended',
  reading: { state: 'failed', commandId: commandId('not-ours'), reason: 'bolt-jammed' },
};

describe('an event in an outage', () => {
  it('causes one listing in ten seconds, not one for each of many events', async () => {
    home.service.listingFault = new RetryError('server-fault', 'No.');
    await home.clock.advance(300_000);
    const before = home.service.listings;
    for (let second = 0; second < 10; second += 1) {
      arrives(battery(80 - second));
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
    arrives(battery(80));
    await home.clock.advance(0);
    expect([home.service.listings, home.link.signsOfLife]).toEqual([before + 1, 1]);
    expect(home.shown()).toEqual(['secured', null]);
    arrives(battery(80));
    await home.clock.advance(0);
    expect(home.service.listings).toBe(before + 1);
  });
});

describe('an event of a bolt', () => {
  it('shows its position at once and in one step, with the mover, and without a call (faults#32)', () => {
    const before = home.service.listings;
    const shown: unknown[] = [];
    home.runtime.subscribe(() => shown.push(home.shown()));
    arrives(turned('unsecured'));
    expect(shown[0]).toEqual(['unsecured', null]);
    expect([home.shown(), home.lock().lastMove?.by, home.service.listings]).toEqual([
      ['unsecured', null],
      thumbturn,
      before,
    ]);
  });

  it('is refuted by a later listing, though that one repeats the position from before the event', async () => {
    await home.runtime.refresh();
    arrives(turned('unsecured'));
    expect(home.shown()).toEqual(['unsecured', null]);
    await home.clock.advance(300_000);
    expect(home.shown()).toEqual(['secured', null]);
  });

  it('of "unlocked" outlasts a listing that lags behind it, which is asked again until it agrees', async () => {
    const before = home.service.listings;
    // Its mover is unknown, so a listing follows at once, and still says "locked".
    arrives({ type: 'bolt', bolt: 'unsecured', accessor: { ...thumbturn, method: 'unavailable' } });
    await home.clock.advance(4_000);
    expect(home.shown()).toEqual(['unsecured', null]);
    home.service.turn('unsecured');
    await home.clock.advance(56_000);
    expect(home.shown()).toEqual(['unsecured', null]);
    expect(home.service.listings - before).toBeLessThanOrEqual(7);
  });

  it('of "unlocked" that a listing disputes fulfils no request: "unlock" is sent', async () => {
    arrives(turned('unsecured'));
    await home.runtime.refresh();
    await home.request('unsecured');
    expect(home.service.sent).toHaveLength(1);
  });

  it('of "unlocked" that a hand undid is refuted within 16 s', async () => {
    arrives(turned('unsecured'));
    await home.runtime.refresh();
    await home.clock.advance(16_000);
    expect(home.shown()).toEqual(['secured', null]);
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

  it("keeps its place among those of the last second, though the service's dates have whole seconds", () => {
    feed.emit(turned('unsecured'), { at: home.clock.now() + 300 });
    feed.emit(turned('secured'), { at: home.clock.now() + 600 });
    feed.emit(turned('unsecured'), { at: home.clock.now() + 400 });
    expect(home.shown()).toEqual(['secured', null]);
  });

  it.each<[string, ServiceReport, number | null]>([
    ['only announces a change', announced, 0],
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

  it('that names no position causes a reading, a second one, because either may be the older, and a close watch (faults#140)', async () => {
    const before = home.service.listings;
    feed.emit({ type: 'bolt', bolt: 'unknown', accessor: null }, { at: home.clock.now() - 1 });
    expect(home.shown()).toEqual(['unknown', null]);
    await home.clock.advance(0);
    expect([home.service.listings - before, home.shown()]).toEqual([2, ['secured', null]]);
    await home.clock.advance(25_000);
    expect(home.service.listings - before).toBe(7);
  });

  it('that comes while a listing is under way causes another one, asked for after it', async () => {
    home.service.listingReplyMs = 2_000;
    const asked = home.runtime.refresh();
    await home.clock.advance(500);
    home.service.turn('unsecured');
    arrives(announced);
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

  it('about a lock that is new outlives the older listing that is under way', async () => {
    const id = lockId('back-door');
    home.service.add(id, 'secured');
    home.service.listingReplyMs = 3_000;
    const listed = home.runtime.refresh();
    await home.clock.advance(1_000);
    home.service.turn('unsecured', id);
    feed.emit(turned('unsecured'), { at: home.clock.now(), lockId: id });
    await home.clock.advance(8_000);
    await listed;
    expect(home.runtime.lock(id)?.belief.rest?.bolt).toBe('unsecured');
  });

  it('about a lock that the account never lists causes one listing in ten seconds at the most', async () => {
    const before = home.service.listings;
    for (let time = 0; time < 50; time += 1) {
      feed.emit(turned('unsecured'), { at: home.clock.now(), lockId: lockId('somebody-elses') });
      await home.clock.advance(100);
    }
    expect(home.service.listings - before).toBe(1);
  });

  it('about a lock that the account no longer lists neither moves it nor brings it back, and causes one listing', async () => {
    home.service.add(lockId('back-door'));
    home.service.lock().listed = false;
    await home.clock.advance(31_000);
    const before = [home.lock(), home.runtime.webhooks.health] as const;
    expect(before[0].presence).toBe('missing');
    const asked = home.service.listings;
    for (const message of [turned('unsecured'), { type: 'connectivity', connected: true } as const]) {
      arrives(message);
    }
    await home.clock.advance(0);
    expect([home.lock().belief, home.runtime.webhooks.health]).toEqual([before[0].belief, before[1]]);
    expect([home.lock().presence, home.service.listings - asked]).toEqual(['missing', 1]);
    expect(home.runtime.status().ignoredEvents.foreign).toBe(2);
    home.service.lock().listed = true;
    await home.clock.advance(10_000);
    arrives(turned('unsecured'));
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
      arrives(message);
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
      arrives(turned('unsecured'), 'unverified');
      await home.clock.advance(100);
    }
    expect([home.shown(), home.service.listings - before]).toEqual([['secured', null], 1]);
  });

  it('that comes soon after another causes a reading at the end of the ten seconds', async () => {
    arrives(turned('unsecured'), 'unverified');
    await home.clock.advance(100);
    home.service.turn('unsecured');
    arrives(turned('unsecured'), 'unverified');
    await home.clock.advance(10_000);
    expect(home.shown()).toEqual(['unsecured', null]);
  });
});

describe('the end of a command', () => {
  it('that an event reports ends it at once without a reading, and one that is read back causes one', async () => {
    await home.clock.advance(40_000);
    const listings = [home.service.listings];
    home.service.travelMs = 5_000;
    await home.request('unsecured');
    await home.clock.advance(2_500);
    arrives(succeeded('0'));
    expect(home.shown()).toEqual(['unsecured', null]);
    await home.clock.advance(20_000);
    listings.push(home.service.listings);
    await home.request('secured');
    await home.clock.advance(25_000);
    listings.push(home.service.listings);
    expect(listings.map((count) => count - (listings[0] ?? 0))).toEqual([0, 0, 4]);
  });

  it('as a jam shows the jam, whatever program had sent it', () => {
    arrives(jammed);
    expect(home.shown()).toEqual(['jammed', null]);
  });
});

describe('an event of another kind', () => {
  it('sets connection or battery by its own time (faults#23)', async () => {
    const then = home.clock.now();
    await home.clock.advance(1_000);
    arrives({ type: 'connectivity', connected: false });
    feed.emit({ type: 'connectivity', connected: true }, { at: then - 10_000 });
    arrives({ type: 'battery', battery: { grade: 'low', percent: 15 } });
    expect([home.lock().presence, home.lock().battery.percent]).toEqual(['offline', 15]);
  });

  it.each([
    ['without a time', 'resident', null],
    ['of another person', 'neighbour', 0],
    ['of nobody knows whom', null, 0],
  ])(
    'of a sign-out %s ends nothing, and causes a reading, which shows whether it is true',
    async (_title, userId, agoMs) => {
      const before = home.service.listings;
      const at = agoMs === null ? null : home.clock.now() - agoMs;
      feed.emit({ type: 'signed-out', userId }, { at, lockId: null });
      await home.clock.advance(0);
      expect([home.runtime.linkState(), home.service.listings - before]).toEqual(['linked', 1]);
    },
  );

  it('of an unknown word is counted, and named in the log once', () => {
    arrives({ type: 'unrecognised', trigger: 'DoorPainted' });
    feed.emit({ type: 'unrecognised', trigger: 'DoorPainted' }, { at: home.clock.now(), lockId: null });
    expect(home.runtime.status().ignoredEvents.unrecognised).toBe(2);
    expect(home.lines.filter((line) => line.includes('DoorPainted'))).toEqual([]);
  });

  it.each([
    ['is reported to alerts, with its time', 3_000, ['alert']],
    ['that is reported hours later raises no alert', 3_600_000, []],
  ])('at the keypad %s', (_title, agoMs, types) => {
    const received: unknown[] = [];
    home.runtime.subscribe((event) => received.push(event));
    const at = home.clock.now() - agoMs;
    feed.emit({ type: 'wrong-code' }, { at });
    expect(received).toEqual(types.map((type) => ({ type, id: FRONT_DOOR, alert: 'wrong-code', at })));
  });
});

describe('polling beside webhooks', () => {
  it.each([0, 0.5, 0.999])(
    'heals a lost webhook within 60 s, with 66 listings an hour at the most (jitter %d)',
    async (random) => {
      home.random = random;
      arrives(turned('secured'));
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

  it.each<[string, ServiceReport, EventTrust, number]>([
    ['that only announce a change', announced, 'verified', 8],
    ['that bring the lock back', { type: 'connectivity', connected: true }, 'verified', 8],
    ['of commands of others', succeeded('theirs'), 'verified', 8],
    ['that nothing proves', turned('unsecured'), 'unverified', 0],
  ])(
    'is paced for a flood of events %s: two in five seconds beside the late ones of close watches, and the last event counts',
    async (_title, message, trust, watches) => {
      const asked: number[] = [];
      home.service.onListing = () => asked.push(home.clock.monotonic());
      for (let time = 0; time < 200; time += 1) {
        arrives(message, trust);
        await home.clock.advance(100);
      }
      home.service.turn('unsecured');
      arrives(message, trust);
      await home.clock.advance(11_000);
      expect(home.shown()[0]).toBe('unsecured');
      expect(asked.length).toBeGreaterThanOrEqual(2);
      for (const [index, at] of asked.entries()) {
        const third = asked[index + 2 + watches] ?? Number.POSITIVE_INFINITY;
        expect(third - at).toBeGreaterThanOrEqual(5_000);
      }
      expect(asked.length).toBeLessThanOrEqual(2 * 7 + 2 * watches);
    },
  );

  it('finds a change that no webhook announced, and is frequent from then on (faults#54)', async () => {
    arrives(turned('secured'));
    await home.clock.advance(1_000);
    home.service.turn('unsecured');
    await home.clock.advance(300_000);
    expect(home.shown()).toEqual(['unsecured', null]);
    const before = home.service.listings;
    await home.clock.advance(300_000);
    expect(home.service.listings - before).toBeGreaterThanOrEqual(9);
  });

  it('is frequent again when the listener is closed', async () => {
    arrives(turned('secured'));
    close();
    const before = home.service.listings;
    await home.clock.advance(300_000);
    expect(home.service.listings - before).toBeGreaterThanOrEqual(9);
  });
});

describe('a position that is reported too late', () => {
  const HOUR = 3_600_000;

  beforeEach(async () => {
    home.service.listingFault = new RetryError('unreachable', 'Nobody answers.');
    await home.clock.advance(2 * HOUR);
  });

  it.each(['secured', 'unsecured'] as const)('as %s is not shown, not even for a moment', (bolt) => {
    expect(home.shown()).toEqual(['unknown', null]);
    const shown: unknown[] = [];
    home.runtime.subscribe(() => shown.push(home.shown()[0]));
    feed.emit(turned(bolt), { at: home.clock.now() - HOUR });
    expect(new Set(shown)).toEqual(new Set(['unknown']));
    expect(home.lock().lastMove?.to).toBe(bolt);
  });

  it('but not too late to be true is shown, while the service does not answer', () => {
    feed.emit(turned('unsecured'), { at: home.clock.now() - 5_000 });
    expect(home.shown()).toEqual(['unsecured', null]);
  });

  it('as a jam is shown all the same: it needs a hand at the door until the bolt is known to rest', () => {
    feed.emit(jammed, { at: home.clock.now() - HOUR });
    expect(home.shown()).toEqual(['jammed', null]);
  });
});
