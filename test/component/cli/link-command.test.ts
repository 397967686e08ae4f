// `latchkey link` beside the plugin: with an input that is at its end, and with something else in config.json than it runs with.
import { describe, expect, it, vi } from 'vitest';
import { freePort } from '../../harness/free-port.ts';
import { consent } from '../../support/simulated-partner.ts';
import { SimulatedHome } from '../app/simulated-home.ts';
import { begin, latchkey, writeConfig } from './terminal.ts';

/** A home whose redirect URI this is, not linked yet. */
async function homeWith(redirectUri: string): Promise<SimulatedHome> {
  const home = await SimulatedHome.open({
    simulator: { scenario: { clients: [{ redirectUris: [redirectUri] }] } },
  });
  writeConfig(home, {});
  return home;
}

async function begunLink(home: SimulatedHome) {
  const link = begin(home, ['link'], home.clock);
  const authorizeUrl = await vi.waitUntil(() => /^http\S+(?=\n)/u.exec(link.said.out)?.[0]);
  return { link, authorizeUrl };
}

describe('latchkey link without an input, as in cron or a container', () => {
  it('waits for the browser where that comes back by itself', async () => {
    const home = await homeWith(`http://127.0.0.1:${await freePort()}/callback`);
    const { link, authorizeUrl } = await begunLink(home);
    await fetch(await consent(authorizeUrl));
    const { status, out } = await link.ended;
    expect([status, out]).toEqual([0, expect.stringContaining('\nLinked. Locks: Front door')]);
  });

  it('ends when the ten minutes are over', async () => {
    const home = await homeWith(`http://127.0.0.1:${await freePort()}/callback`);
    const { link } = await begunLink(home);
    await vi.waitUntil(() => link.said.err.includes('It is waited for 10 minutes.'));
    await home.clock.advance(602_000);
    const { status, err } = await link.ended;
    expect([status, err]).toEqual([1, expect.stringContaining('That took longer than 10 minutes.')]);
  });

  it('ends at once where only pasting leads on, and says how', async () => {
    const home = await homeWith('https://home.example/callback');
    const { status, err } = await latchkey(home, 'link');
    expect([status, err]).toEqual([3, expect.stringContaining('Finish with: latchkey link --url')]);
  });
});

it('links nobody to a service that config.json no longer names, and says what to do', async () => {
  const home = await homeWith('https://home.example/callback');
  expect((await latchkey(home, 'link')).out).toContain('/authorize?');
  writeConfig(home, {
    partner: {
      authUrl: 'https://auth.partner.example',
      baseUrl: 'https://api.partner.example',
      redirectUri: 'https://home.example/callback',
    },
  });
  const ran = await latchkey(home, 'link');
  expect([ran.status, ran.out]).toEqual([2, '']);
  expect(ran.err).toContain('still runs with the former addresses of the service: restart Homebridge');
});
