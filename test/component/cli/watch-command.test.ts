// `latchkey watch` where there is nothing to see yet: it says why, and tells of what comes.
import { expect, it, vi } from 'vitest';
import { SimulatedHome } from '../app/simulated-home.ts';
import { begin, writeConfig } from './terminal.ts';

/** A watch over a home, stopped as by Ctrl-C. */
function watching(home: SimulatedHome) {
  writeConfig(home, {});
  const stopping = new AbortController();
  const { said, ended } = begin(home, ['watch'], home.clock, { stopped: stopping.signal });
  const stop = async (): Promise<number> => {
    stopping.abort();
    return (await ended).status;
  };
  return { said, stop };
}

it('says that no account is linked, goes on, and tells of the link and its locks when they come', async () => {
  const home = await SimulatedHome.open();
  const { said, stop } = watching(home);
  await vi.waitUntil(() => said.err !== '');
  expect(said).toEqual({
    out: '',
    err: 'The account is not linked. Link it with: npx homebridge-latchkey link\n',
  });
  await home.link();
  await vi.waitUntil(() => said.out.includes('Garage'));
  expect(said.out).toMatch(/^\S+ {2}The account is linked\.$/mu);
  expect(said.out).toMatch(/^\S+ {2}Front door: now in the account, (?:unknown|locked)$/mu);
  expect(await stop()).toBe(0);
});

it('says that the account has no locks', async () => {
  const home = await SimulatedHome.linked({ simulator: { scenario: { locks: [] } } });
  const { said, stop } = watching(home);
  await vi.waitUntil(() => said.err !== '');
  expect(said).toEqual({ out: '', err: 'The account has no locks.\n' });
  expect(await stop()).toBe(0);
});

it('tells of a lock that is listed already only when something changes', async () => {
  const home = await SimulatedHome.linked();
  const { said, stop } = watching(home);
  await vi.waitUntil(() => said.out.includes('Garage'));
  await home.clock.advance(600_000);
  expect(said.out).not.toContain('now in the account');
  expect([said.err, await stop()]).toEqual(['', 0]);
});
