// Answers that cross each other: readings asked while a bolt travels and answered after it has come to rest.
import { describe, expect, it } from 'vitest';
import { boltOf } from '../../../../src/domain/locks/lock.ts';
import { homeWithFrontDoor } from '../../../homes/polled-home.ts';
import { StandInFeed, turned } from '../../../stand-ins/service/events.ts';

describe('a slow listing', () => {
  it('that began under way and is answered after the arrival does not reset the bolt', async () => {
    const home = await homeWithFrontDoor();
    const shown: string[] = [];
    home.runtime.subscribe((event) => {
      if (event.type === 'lock-changed') {
        shown.push(boltOf(event.lock));
      }
    });
    await home.request('secured');
    await home.clock.advance(1_000);
    home.service.listingReplyMs = 700;
    const asked = home.runtime.refresh();
    await home.clock.advance(10_000);
    await asked;
    expect(shown.slice(shown.indexOf('secured'))).not.toContain('unsecured');
    expect(home.shown()).toEqual(['secured', null]);
  });
});

describe('a hand that unlocks while our unlock is under way', () => {
  it('does not end that unlock at the service: "Locked" from before its end is not shown, and "lock" follows it', async () => {
    const home = await homeWithFrontDoor('secured');
    const { service, clock, runtime } = home;
    const feed = new StandInFeed();
    runtime.listenTo(feed);
    service.latencyMs = 1;
    service.travelMs = 5_002;
    await home.request('unsecured');
    service.turn('unsecured');
    feed.emit(turned('unsecured'), { at: clock.now() + 1 });
    service.turn('secured');
    const lock = await home.request('secured');
    await clock.advance(5_001);
    void runtime.refresh();
    await clock.advance(1_000);
    service.settle();
    expect([service.lock().bolt, home.shown()]).toEqual(['unsecured', ['unsecured', 'secured']]);
    await clock.advance(10_000);
    expect(await lock.answer).toEqual({ kind: 'accepted' });
    expect([service.lock().bolt, home.shown()]).toEqual(['secured', ['secured', null]]);
    expect(service.sent.map(({ target }) => target)).toEqual(['unsecured', 'secured']);
  });
});

describe('a request to lock that a busy lock refused', () => {
  it('is sent again, though a listing meanwhile reads "locked": an unlock is under way at the lock', async () => {
    const home = await homeWithFrontDoor('unsecured');
    const { service, clock } = home;
    service.mishaps = [{ kind: 'busy', forMs: 3_000 }];
    service.travelMs = 500;
    const lock = await home.request('secured');
    service.turn('secured');
    await clock.advance(2_000);
    await home.runtime.refresh();
    expect(home.shown()).toEqual(['secured', 'secured']);
    await clock.advance(900);
    service.turn('unsecured');
    await clock.advance(3_000);
    expect(await lock.answer).toEqual({ kind: 'accepted' });
    expect(service.lock().bolt).toBe('secured');
  });
});
