// What an account costs in which nothing happens: how often it wakes the machine, whatever else runs there.
import { expect, it } from 'vitest';
import { RENEW_EVERY_MS } from '../../../src/storage/owner-lease.ts';
import { SimulatedHome } from './simulated-home.ts';

const HOUR_MS = 3_600_000;

it('wakes the machine for its listings and every six seconds: every second look round falls on a renewal of the lease', async () => {
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
