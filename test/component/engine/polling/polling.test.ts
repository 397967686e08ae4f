// Truth by polling: the effect of a listing, of an absence, of an outage and of age.
import { describe, expect, it } from 'vitest';
import { verbatim } from '../../../../src/domain/language/message.ts';
import type { BoltPosition } from '../../../../src/domain/locks/bolt.ts';
import { lockId } from '../../../../src/domain/locks/lock.ts';
import {
  FinalError,
  type LatchkeyError,
  RelinkError,
  RetryError,
  WaitError,
} from '../../../../src/support/errors.ts';
import { homeWithFrontDoor, PolledHome } from '../../../homes/polled-home.ts';
import { FRONT_DOOR } from '../../../stand-ins/service/locks.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const unreachable = new RetryError('unreachable', 'The lock service could not be reached.');

const BACK_DOOR = lockId('back-door');

async function homeWithTwoDoors(bolt?: BoltPosition): Promise<PolledHome> {
  const home = await homeWithFrontDoor(bolt);
  home.service.add(BACK_DOOR);
  await home.clock.advance(30_000);
  return home;
}

function fail(home: PolledHome, fault: LatchkeyError): void {
  home.service.listingFault = fault;
}

describe('the account', () => {
  it('knows nothing of a lock before the first answer of the service (faults#22)', async () => {
    const home = await homeWithFrontDoor('secured');
    home.service.listingFault = unreachable;
    await home.restart();
    expect(home.shown()).toEqual(['unknown', null]);
  });

  it('sees a turn at the door with the next listing, in one step', async () => {
    const home = await homeWithFrontDoor('secured');
    const shown: unknown[] = [];
    home.runtime.subscribe(() => shown.push(home.shown()));
    home.service.turn('unsecured');
    await home.clock.advance(30_000);
    expect(shown).toContainEqual(['unsecured', null]);
    expect(shown.filter((now) => String(now) !== 'unsecured,' && String(now) !== 'secured,')).toEqual([]);
  });

  it('reports all unchanged locks as refreshed in one event, and a moved one by itself', async () => {
    const home = await homeWithFrontDoor('secured');
    for (const door of ['back-door', 'side-door']) {
      home.service.add(lockId(door), 'secured');
    }
    await home.clock.advance(60_000);
    const emitted: unknown[] = [];
    home.runtime.subscribe((event) => {
      emitted.push(event.type === 'locks-refreshed' ? event.locks.length : event.type);
    });
    const before = home.lock().belief.confirmedAt ?? 0;
    await home.clock.advance(30_000);
    expect(emitted).toEqual([3]);
    const confirmedAt = new Set(home.runtime.locks().map(({ belief }) => belief.confirmedAt ?? 0));
    expect(confirmedAt.size).toBe(1);
    expect(Math.min(...confirmedAt) - before).toBeGreaterThanOrEqual(30_000 / 1.1);
    home.service.turn('unsecured');
    await home.clock.advance(30_000);
    expect([emitted.includes('lock-changed'), home.shown()]).toEqual([true, ['unsecured', null]]);
  });

  it('asks once for all locks, and no more often with more locks', async () => {
    const home = new PolledHome();
    for (let door = 0; door < 149; door += 1) {
      home.service.add(lockId(`door-${door}`));
    }
    await home.start();
    await home.clock.advance(3_600_000);
    expect(home.service.listings).toBe(121);
  });

  it('adds a new lock and follows a new name', async () => {
    const home = await homeWithFrontDoor();
    const seen: string[] = [];
    home.runtime.subscribe((event) => seen.push(event.type));
    home.service.add(BACK_DOOR, 'secured');
    home.service.lock().description = { ...home.service.lock().description, name: 'Main entrance' };
    await home.clock.advance(30_000);
    expect(seen).toContain('lock-appeared');
    expect(home.lock().description.name).toBe('Main entrance');
    expect(home.shown(BACK_DOOR)).toEqual(['secured', null]);
  });

  it('marks a lock offline when the service cannot reach it, and reachable when it can', async () => {
    const home = await homeWithFrontDoor('secured');
    home.service.lock().connected = false;
    await home.clock.advance(30_000);
    expect(home.lock().presence).toBe('offline');
    home.service.lock().connected = true;
    home.service.turn('unsecured');
    await home.clock.advance(30_000);
    expect([home.lock().presence, home.shown()]).toEqual(['reachable', ['unsecured', null]]);
  });

  it('knows no position of a lock that never reported one', async () => {
    const home = new PolledHome();
    home.service.add(FRONT_DOOR, 'secured').connected = false;
    await home.start();
    expect(home.shown()).toEqual(['unknown', null]);
  });
});

describe('an outage', () => {
  it('makes every belief unknown after five minutes without a reading, is logged once, and ends by itself (faults#5, faults#172)', async () => {
    const home = await homeWithFrontDoor('secured');
    home.service.listingFault = unreachable;
    await home.clock.advance(289_000);
    expect(home.shown()).toEqual(['secured', null]);
    await home.clock.advance(7_000);
    expect(home.shown()).toEqual(['unknown', null]);
    home.service.listingFault = null;
    await home.clock.advance(300_000);
    expect(home.shown()).toEqual(['secured', null]);
    expect(home.lines).toEqual([
      'The lock service does not answer as it should: The lock service could not be reached. Trying again by itself.',
      'The lock service answers again.',
    ]);
  });

  it.each([
    ['a link that only a person can renew', new RelinkError('revoked', 'Connect again.')],
    ['an account that another process has', new FinalError('not-owner', 'Another process.')],
  ])('is not %s: no line is logged, and the next good listing counts', async (_, fault) => {
    const home = await homeWithFrontDoor('secured');
    home.service.listingFault = fault;
    await home.clock.advance(70_000);
    expect([home.runtime.status().failing, home.lines]).toEqual([null, []]);
    expect(home.shown()).toEqual(['secured', null]);
    home.service.listingFault = null;
    home.service.turn('unsecured');
    await home.clock.advance(31_000);
    expect(home.shown()).toEqual(['unsecured', null]);
  });

  it("is a disk that does not name the account's owner: evidence ages, and the line names the disk (faults#108)", async () => {
    const home = await homeWithFrontDoor('secured');
    home.service.listingFault = new RetryError('storage-failed', 'The disk fails.');
    await home.clock.advance(100_000);
    expect(home.shown()).toEqual(['unknown', null]);
    expect(home.lines).toEqual(['The locks cannot be read: The disk fails. Trying again by itself.']);
  });

  it('with a wait that the service names is waited out, whatever happens meanwhile (faults#38)', async () => {
    const home = await homeWithFrontDoor();
    home.service.listingFault = new WaitError('rate-limited', 'Try again later.', 600_000);
    await home.clock.advance(30_000);
    home.service.listingFault = null;
    const before = home.service.listings;
    await home.clock.advance(100_000);
    expect(await home.runtime.refresh()).toEqual(
      new WaitError('rate-limited', verbatim('Try again later.'), 500_000),
    );
    home.service.turn('secured');
    await home.clock.advance(490_000);
    expect(home.service.listings).toBe(before);
    await home.clock.advance(70_000);
    expect(home.shown()).toEqual(['secured', null]);
  });
});

describe('a reading on request', () => {
  it('rejects with the failure of the listing, which is remembered until the service answers, and resolves then', async () => {
    const home = await homeWithFrontDoor();
    home.service.listingFault = unreachable;
    expect(await home.runtime.refresh()).toBe(unreachable);
    await home.clock.advance(1_000);
    expect(home.runtime.status().failing).toMatchObject({
      forMs: 1_000,
      message: verbatim(unreachable.message),
      code: unreachable.code,
      retryInMs: 1_000,
    });
    home.service.listingFault = new FinalError('wire-mismatch', 'No list.');
    await home.clock.advance(5_000);
    await home.runtime.refresh();
    expect(home.runtime.status().failing).toMatchObject({ forMs: 6_000, message: verbatim('No list.') });
    home.service.listingFault = null;
    await home.clock.advance(5_000);
    expect([await home.runtime.refresh(), home.runtime.status().failing]).toEqual([null, null]);
  });

  it.each(['unlinked', 'revoked', 'expired', 'signed-out', 'used-elsewhere', 'moved'] as const)(
    'rejects with the state of the link, when it is %s',
    async (state) => {
      const home = await homeWithFrontDoor();
      home.link.set(state);
      expect(await home.runtime.refresh()).toMatchObject({ disposition: 'relink', code: state });
    },
  );

  it('ends like the listing under way when the account is given back', async () => {
    const home = await homeWithFrontDoor();
    const asked = home.runtime.refresh();
    home.runtime.dispose();
    await home.clock.advance(home.service.latencyMs);
    expect(await asked).toMatchObject({ code: 'aborted' });
  });
});

it('a wrong clock that jumps by a day changes no belief and delays no call (faults#20)', async () => {
  for (const jump of [-DAY_MS, DAY_MS]) {
    const home = await homeWithFrontDoor('secured');
    const service = home.service;
    home.clock.jumpWallTo(home.clock.now() + jump);
    const before = service.listings;
    service.turn('unsecured');
    await home.clock.advance(120_000);
    expect(service.listings - before).toBeGreaterThanOrEqual(3);
  }
});

describe('a machine that slept', () => {
  it('asks once within six seconds after it woke, at any phase of the sleep', async () => {
    for (const awakeMs of [1_000, 5_500, 13_000]) {
      const home = await homeWithFrontDoor('secured');
      await home.clock.advance(awakeMs);
      const before = home.service.listings;
      home.service.turn('unsecured');
      home.clock.jumpWallTo(home.clock.now() + DAY_MS / 3);
      await home.clock.advance(6_000);
      expect([home.service.listings - before, home.shown()]).toEqual([1, ['unsecured', null]]);
    }
  });

  it('takes no belief from before for fresh, however long the service does not answer', async () => {
    const home = await homeWithFrontDoor('secured');
    await home.clock.advance(1_000);
    home.service.listingFault = new RetryError('unreachable', 'There is no network yet.');
    home.clock.jumpWallTo(home.clock.now() + DAY_MS / 3);
    home.runtime.checkSuspend();
    expect(home.shown()).toEqual(['unknown', null]);
    await home.clock.advance(60_000);
    home.service.listingFault = null;
    await home.clock.advance(60_000);
    expect(home.shown()).toEqual(['secured', null]);
  });

  it.each([
    ['until it is awake, where the wait that the service named was shorter', 3_600_000, 0, 6_000],
    ['for the rest of the wait that the service named', 400_000, 180_000, 220_000],
  ])('makes no call %s', async (_, sleptMs, quietMs, askedByMs) => {
    const home = await homeWithFrontDoor();
    home.service.listingFault = new WaitError('rate-limited', 'Try again later.', 600_000);
    await home.clock.advance(36_000);
    home.service.listingFault = null;
    home.service.turn('secured');
    home.clock.jumpWallTo(home.clock.now() + sleptMs);
    const before = home.service.listings;
    await home.clock.advance(quietMs);
    expect(home.service.listings).toBe(before);
    await home.clock.advance(askedByMs - quietMs);
    expect(home.shown()).toEqual(['secured', null]);
  });

  it('repeats the reading that it had begun before it fell asleep', async () => {
    const home = await homeWithFrontDoor('secured');
    home.service.listingReplyMs = 15_000;
    const asked = home.runtime.refresh();
    await home.clock.advance(100);
    const before = home.service.listings;
    home.clock.jumpWallTo(home.clock.now() + DAY_MS / 3);
    home.service.turn('unsecured');
    await home.clock.advance(30_000);
    await asked;
    expect([home.service.listings - before, home.shown()]).toEqual([1, ['unsecured', null]]);
  });
});

it('a claim from the future is forgotten once the clock that made it is right again', async () => {
  const home = await homeWithFrontDoor('secured');
  home.clock.jumpWallTo(home.clock.now() + 3_600_000);
  await home.runtime.refresh();
  home.clock.jumpWallTo(home.clock.now() - 3_600_000);
  home.service.turn('unsecured');
  await home.clock.advance(31_000);
  expect(home.shown()).toEqual(['unsecured', null]);
});

it('a disk that fails is no fault of the service, and is reported once', async () => {
  const home = await homeWithFrontDoor('secured');
  home.knownLocks.broken = true;
  home.service.add(BACK_DOOR);
  const before = home.service.listings;
  await home.clock.advance(300_000);
  expect(home.service.listings - before).toBe(10);
  expect(home.lines).toEqual(['The list of known locks cannot be kept: The disk is full.']);
  home.knownLocks.broken = false;
  await home.clock.advance(30_000);
  expect(home.lines.at(-1)).toBe('The list of known locks can be kept again.');
});

it('the list of known locks is right again with the next listing when another process has changed it', async () => {
  const home = await homeWithFrontDoor('secured');
  home.knownLocks.forget(FRONT_DOOR);
  await home.clock.advance(30_000);
  expect(home.knownLocks.all().map(({ id }) => id)).toEqual([FRONT_DOOR]);
});

describe('a lock that is absent', () => {
  it('is missing with the next listing when PolledHome remembers it later, though that says nothing new', async () => {
    const home = await homeWithFrontDoor('secured');
    await home.clock.advance(60_000);
    home.runtime.remember(lockId('old-door'), 'Old door');
    await home.clock.advance(35_000);
    expect(home.runtime.lock(lockId('old-door'))?.presence).toBe('missing');
  });

  it('is missing at once and removed after three good listings over a day, and not earlier (faults#35)', async () => {
    const home = await homeWithFrontDoor();
    home.service.add(BACK_DOOR);
    home.limits = { ...home.limits, idleMs: 3_600_000 };
    await home.restart();
    home.service.lock().listed = false;
    const removed: number[] = [];
    home.runtime.subscribe((event) => {
      if (event.type === 'lock-removed') {
        removed.push(home.clock.now());
      }
    });
    await home.clock.advance(3_600_000);
    const firstMissAt = home.clock.now();
    expect(home.lock().presence).toBe('missing');
    await home.clock.advance(DAY_MS - 1);
    expect(removed).toEqual([]);
    await home.clock.advance(1);
    expect(removed).toEqual([firstMissAt + DAY_MS]);
  });

  it('leaves brokers half an hour after three good listings with all others, also over a restart, and never with another (faults#35)', async () => {
    const home = await homeWithFrontDoor();
    home.service.add(BACK_DOOR);
    home.limits = { ...home.limits, idleMs: 300_000 };
    await home.restart();
    home.service.lock().listed = false;
    await home.clock.advance(300_000);
    expect(home.lock().presence).toBe('missing');
    await home.clock.advance(24 * 60_000);
    expect(home.runtime.isWithdrawn(FRONT_DOOR)).toBe(false);
    await home.clock.advance(6 * 60_000);
    expect([FRONT_DOOR, BACK_DOOR].map((id) => home.runtime.isWithdrawn(id))).toEqual([true, false]);
    home.service.listingFault = unreachable;
    await home.restart();
    expect(home.runtime.isWithdrawn(FRONT_DOOR)).toBe(true);
    home.service.listingFault = null;
    home.service.add(lockId('garage'));
    home.service.lock(BACK_DOOR).listed = false;
    await home.clock.advance(900_000);
    expect(home.lock(BACK_DOOR).presence).toBe('missing');
    expect(home.runtime.isWithdrawn(FRONT_DOOR)).toBe(false);
    home.service.lock().listed = true;
    home.service.lock(BACK_DOOR).listed = true;
    await home.clock.advance(300_000);
    expect(home.runtime.isWithdrawn(FRONT_DOOR)).toBe(false);
  });

  it('is remembered as absent across restarts', async () => {
    const home = await homeWithFrontDoor();
    home.service.add(BACK_DOOR);
    await home.restart();
    home.service.lock().listed = false;
    for (let hour = 0; hour <= 24; hour += 1) {
      await home.restart();
      await home.clock.advance(3_600_000);
    }
    expect(home.runtime.lock(FRONT_DOOR)).toBeUndefined();
    expect(home.knownLocks.all().map(({ id }) => id)).toEqual(['back-door']);
  });

  it.each<[string, (home: PolledHome) => void]>([
    [
      'an empty list',
      ({ service }) => {
        service.lock().listed = false;
        service.lock(BACK_DOOR).listed = false;
      },
    ],
    [
      'a partial list',
      ({ service }) => {
        service.lock().listed = false;
        service.unread = 1;
      },
    ],
    ['a failing service', (home) => fail(home, unreachable)],
    ['an answer that makes no sense', (home) => fail(home, new FinalError('wire-mismatch', 'No list.'))],
    [
      'an ended link',
      (home) => {
        fail(home, new RelinkError('revoked', 'Link again.'));
        home.link.set('revoked');
      },
    ],
  ])('is never removed because of %s (faults#34)', async (_title, fault) => {
    const home = await homeWithTwoDoors();
    fault(home);
    await home.clock.advance(DAY_MS + 3_600_000);
    expect(home.runtime.locks().length).toBe(2);
  });

  it('comes back with its former state', async () => {
    const home = await homeWithTwoDoors('secured');
    home.service.lock().listed = false;
    await home.clock.advance(12 * 3_600_000);
    home.service.lock().listed = true;
    await home.clock.advance(60_000);
    expect([home.lock().presence, home.shown()]).toEqual(['reachable', ['secured', null]]);
    expect(home.knownLocks.all().every(({ misses }) => misses === 0)).toBe(true);
  });
});

describe('an account without any lock', () => {
  it('is believed at the second listing in a row, within 10 s: its lock does not respond, and stays (faults#34)', async () => {
    const home = await homeWithFrontDoor('secured');
    await home.clock.advance(29_000);
    home.service.lock().listed = false;
    home.service.turn('unsecured');
    await home.clock.advance(1_000);
    expect(home.lock().presence).toBe('reachable');
    await home.clock.advance(5_000);
    expect(home.lock().presence).toBe('missing');
    await home.clock.advance(DAY_MS + 3_600_000);
    expect(home.runtime.locks()).toHaveLength(1);
    expect(home.knownLocks.all()).toMatchObject([{ misses: 0 }]);
  });

  it('is not believed for one empty listing between others, nor for two at once', async () => {
    const home = await homeWithFrontDoor('secured');
    const seen: string[] = [];
    home.runtime.subscribe(() => seen.push(home.lock().presence));
    await home.clock.advance(29_000);
    home.service.lock().listed = false;
    await home.clock.advance(1_000);
    await home.runtime.refresh();
    home.service.lock().listed = true;
    await home.clock.advance(600_000);
    expect(new Set(seen)).toEqual(new Set(['reachable']));
  });

  it('makes no more calls than any other once the empty list is believed', async () => {
    const home = await homeWithFrontDoor('secured');
    home.service.lock().listed = false;
    await home.clock.advance(60_000);
    const before = home.service.listings;
    await home.clock.advance(300_000);
    expect(home.service.listings - before).toBe(10);
  });
});

it('an ended link stops the listings, and a new link starts them at once', async () => {
  const home = await homeWithFrontDoor();
  home.link.set('revoked');
  const before = home.service.listings;
  await home.clock.advance(3_600_000);
  expect(home.service.listings - before).toBeLessThanOrEqual(1);
  home.service.turn('secured');
  home.link.set('linked');
  await home.clock.advance(0);
  expect(home.shown()).toEqual(['secured', null]);
});
