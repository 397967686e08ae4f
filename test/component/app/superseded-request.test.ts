// A request that met a busy lock and was overtaken meanwhile: it does not come back, not even when the later one has expired.
import { describe, expect, it } from 'vitest';
import { homeWithFrontDoor } from '../sync/home.ts';
import { FRONT_DOOR } from '../sync/pretend-service.ts';

describe('a request that a later one overtook', () => {
  it('is not sent again after the later one had to be dropped, since nobody requests it any more (faults#28)', async () => {
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

  it('comes back when it is the last one, having met a busy lock', async () => {
    const home = await homeWithFrontDoor('unsecured');
    home.service.mishaps = [{ kind: 'fails', reason: 'lock-busy' }];
    void home.runtime.request(FRONT_DOOR, 'unsecured');
    void home.runtime.request(FRONT_DOOR, 'secured');
    await home.clock.advance(60_000);
    expect(home.service.sent.map(({ target }) => target)).toEqual(['secured', 'secured']);
    expect(home.shown()).toEqual(['secured', null]);
  });
});
