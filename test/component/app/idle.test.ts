// The cost of an idle account: how often it wakes the machine.
import { expect, it } from 'vitest';
import { RENEW_EVERY_MS } from '../../../src/storage/account/owner-lease.ts';
import { SimulatedHome } from '../../homes/simulated-home.ts';

const HOUR_MS = 3_600_000;

it('an idle account wakes the machine for its listings and every six seconds, every second time for the lease as well', async () => {
  const home = await SimulatedHome.linked();
  // Begun at an instant at which no beat is: whatever keeps its own time is out of step from then on.
  await home.clock.advance(HOUR_MS + 5_000);
  await home.restart();
  await home.clock.advance(HOUR_MS);
  home.wokenAt.clear();
  const before = (await home.requests('GET', '/devices')).length;
  await home.clock.advance(HOUR_MS);
  const listings = (await home.requests('GET', '/devices')).length - before;
  expect(listings).toBe(125);
  // Once an hour the token is renewed, which keeps a connection for a moment.
  expect(home.wokenAt.size).toBe(listings + (2 * HOUR_MS) / RENEW_EVERY_MS + 1);
});
