// `latchkey watch` without anything to show: it gives the reason, and shows later events.
import { expect, it, vi } from 'vitest';
import { SimulatedHome } from '../../../homes/simulated-home.ts';
import { begin, writeConfig } from '../terminal.ts';

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

it('latchkey watch says that no account is linked, goes on, and shows the link and its locks when they come', async () => {
  const home = await SimulatedHome.open();
  const { said, stop } = watching(home);
  await vi.waitUntil(() => said.err !== '');
  expect(said).toEqual({
    out: '',
    err: 'The account is not connected. Connect it with: npx homebridge-latchkey link\n',
  });
  await home.link();
  await vi.waitUntil(() => said.out.includes('Garage'));
  expect(said.out).toMatch(/^\S+ {2}The account is connected\.$/mu);
  expect(said.out).toMatch(/^\S+ {2}Front door: found in the account, (?:unknown|locked)$/mu);
  expect(await stop()).toBe(0);
});

it('latchkey watch says that the account has no locks', async () => {
  const { said } = watching(await SimulatedHome.linked({ simulator: { scenario: { locks: [] } } }));
  await vi.waitUntil(() => said.err !== '');
  expect(said).toEqual({ out: '', err: 'The account has no locks.\n' });
});

it('latchkey watch shows a listed lock again only when something changes', async () => {
  const home = await SimulatedHome.linked();
  const { said, stop } = watching(home);
  await vi.waitUntil(() => said.out.includes('Garage'));
  await home.clock.advance(600_000);
  expect(said.out).not.toContain('found in the account');
  expect([said.err, await stop()]).toEqual(['', 0]);
});
