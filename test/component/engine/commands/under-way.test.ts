// What crosses each other: readings of a bolt that travels, and requests that meet a busy lock and are overtaken meanwhile.
import { expect, it } from 'vitest';
import { boltOf } from '../../../../src/domain/locks/lock.ts';
import { homeWithFrontDoor } from '../../../homes/polled-home.ts';
import { FRONT_DOOR } from '../../../stand-ins/service/locks.ts';

it('a slow listing that began under way and is answered after the arrival does not reset the bolt', async () => {
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

it('a request to lock that a busy lock refused is sent again, though a listing meanwhile reads "locked": an unlock is under way at the lock', async () => {
  const home = await homeWithFrontDoor('unsecured');
  const { service, clock } = home;
  service.mishaps = [{ kind: 'busy', forMs: 3_000 }];
  service.travelMs = 500;
  const lock = await home.request('secured');
  service.turn('secured');
  await clock.advance(2_000);
  expect(home.shown()).toEqual(['secured', 'secured']);
  await clock.advance(900);
  service.turn('unsecured');
  await clock.advance(3_000);
  expect(await lock.answer).toEqual({ kind: 'accepted' });
  expect(service.lock().bolt).toBe('secured');
});

it('a request that a later one overtook is not sent again after the later request was dropped, since nobody wants it any more (faults#28)', async () => {
  const home = await homeWithFrontDoor('unsecured');
  home.service.travelMs = 9_000;
  home.service.latencyMs = 1_500;
  home.service.mishaps = [{ kind: 'fails', reason: 'lock-busy' }];
  const lockIt = await home.request('secured');
  const unlockIt = home.runtime.request(FRONT_DOOR, 'unsecured');
  await home.clock.advance(60_000);
  expect(await unlockIt).toMatchObject({ kind: 'failed', error: { code: 'lock-busy' } });
  expect((await lockIt.answer).kind).toBe('accepted');
  expect(home.service.sent.map(({ target }) => target)).toEqual(['secured']);
  expect(home.shown()).toEqual(['unsecured', null]);
});
