// A request that met a busy lock and was overtaken meanwhile: it does not come back, not even when the later one has expired.
import { expect, it } from 'vitest';
import { homeWithFrontDoor } from '../../../homes/polled-home.ts';
import { FRONT_DOOR } from '../../../stand-ins/service/locks.ts';

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
