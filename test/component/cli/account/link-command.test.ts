// `latchkey link` beside the plugin: with an input that is at its end, and with something else in config.json than it runs with.
import { PassThrough } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { TypedLines } from '../../../../src/cli/terminal/terminal.ts';
import { freePort } from '../../../harness/free-port.ts';
import { SimulatedHome } from '../../../homes/simulated-home.ts';
import { consent } from '../../../stand-ins/service/simulated.ts';
import { begin, latchkey, writeConfig } from '../terminal.ts';

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
  it('waits for the browser where the redirect leads back by itself', async () => {
    const home = await homeWith(`http://127.0.0.1:${await freePort()}/callback`);
    const { link, authorizeUrl } = await begunLink(home);
    await fetch(await consent(authorizeUrl));
    const { status, out } = await link.ended;
    expect([status, out]).toEqual([0, expect.stringContaining('\nLinked. Locks: Front door')]);
  });

  it('ends when the ten minutes are over', async () => {
    const home = await homeWith(`http://127.0.0.1:${await freePort()}/callback`);
    const { link } = await begunLink(home);
    await vi.waitUntil(() => link.said.err.includes('You have 10 minutes.'));
    await home.clock.advance(602_000);
    const { status, err } = await link.ended;
    expect([status, err]).toEqual([1, expect.stringContaining('That took longer than 10 minutes.')]);
  });

  it('ends at once where only pasting would help, and says how to paste', async () => {
    const home = await homeWith('https://home.example/callback');
    const { status, err } = await latchkey(home, 'link');
    expect([status, err]).toEqual([
      3,
      expect.stringContaining('Finish with: npx homebridge-latchkey link --url'),
    ]);
  });
});

describe('latchkey link with a pasted text that is not the address', () => {
  /** A linking with an input of a test, in a home that only pasting leads back to. */
  async function pasting() {
    const home = await homeWith('https://home.example/callback');
    const typed = new PassThrough();
    const lines = new TypedLines(typed);
    const link = begin(home, ['link'], home.clock, { readLine: lines.next });
    const authorizeUrl = await vi.waitUntil(() => /^http\S+(?=\n)/u.exec(link.said.out)?.[0]);
    return { home, typed, link, authorizeUrl };
  }

  it('says what is wrong, and goes on waiting for the linking that was begun', async () => {
    const { typed, link, authorizeUrl } = await pasting();
    const right = await consent(authorizeUrl);
    const foreign = right.replace(/state=[^&]+/u, 'state=of-another');
    typed.write(`hello\nhttps://home.example/call\n${foreign}\n`);
    await vi.waitUntil(() => link.said.err.includes('belongs to another sign-in'));
    expect(link.said.err.match(/Still waiting: paste it again, or stop with Ctrl-C\.\n/gu)).toHaveLength(3);
    expect(link.said.err).toContain('This is not the address of the redirect URI.');
    typed.write(`${right}\n`);
    expect((await link.ended).status).toBe(0);
  });

  it('ends when the ten minutes are over', async () => {
    const { home, typed, link } = await pasting();
    await home.clock.advance(300_000);
    typed.write('hello\n');
    await vi.waitUntil(() => link.said.err.includes('Still waiting'));
    await home.clock.advance(302_000);
    const { status, err } = await link.ended;
    expect([status, err]).toEqual([1, expect.stringContaining('That took longer than 10 minutes.')]);
  });

  it('ends when the input ends', async () => {
    const { typed, link } = await pasting();
    typed.end('hello\n');
    const { status, err } = await link.ended;
    expect([status, err]).toEqual([3, expect.stringContaining('No address was pasted.')]);
  });

  it('ends when access was denied, because that answer was genuine', async () => {
    const { typed, link, authorizeUrl } = await pasting();
    const state = new URL(authorizeUrl).searchParams.get('state') ?? '';
    typed.write(`https://home.example/callback?error=access_denied&state=${state}\n`);
    const { status, err } = await link.ended;
    expect([status, err]).toEqual([1, expect.stringContaining('You denied access')]);
  });

  it('is an error to a program, which begins anew', async () => {
    const home = await homeWith('https://home.example/callback');
    const readLine = async () => Promise.resolve('hello');
    const { status, err } = await begin(home, ['link', '--json'], home.clock, { readLine }).ended;
    expect([status, err]).toEqual([1, expect.stringMatching(/\{"error":\{"code":"bad-request"/u)]);
  });
});

describe('latchkey unlink', () => {
  it('says that no account was linked where there was none', async () => {
    const home = await SimulatedHome.open();
    writeConfig(home, {});
    expect(await latchkey(home, 'unlink')).toEqual({
      status: 0,
      out: 'No account was connected, so nothing was deleted.\n',
      err: '',
    });
  });

  it('says that the tokens are forgotten where there were some, if only of a former service', async () => {
    const home = await SimulatedHome.linked();
    writeConfig(home, {});
    const forgotten = /^The tokens were deleted here\./u;
    expect((await latchkey(home, 'unlink')).out).toMatch(forgotten);
    await home.link();
    await home.restart({ partner: { baseUrl: `http://127.0.0.1:${await freePort()}/api` } });
    expect((await latchkey(home, 'unlink')).out).toMatch(forgotten);
  });
});

it('latchkey link links no account to a service that config.json no longer names, and says what to do', async () => {
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

it('latchkey link asks whose account it is when one without locks is linked in the place of another', async () => {
  const home = await SimulatedHome.linked({
    simulator: {
      scenario: {
        users: [
          { userId: 'resident', friendlyName: 'Resident', email: 'resident@home.example' },
          { userId: 'nobody', friendlyName: 'Nobody', email: 'nobody@home.example' },
        ],
        locks: [{ name: 'Front door', type: 'WifiDeadbolt', roles: { resident: 'owner' } }],
        clients: [{ redirectUris: ['https://home.example/callback'] }],
      },
    },
  });
  writeConfig(home, {});
  await home.clock.advance(10_000);
  await home.control('house/configure-authorization', { autoApproveUserId: 'nobody' });
  const begun = await latchkey(home, 'link');
  const authorizeUrl = /^http\S+(?=\n)/mu.exec(begun.out)?.[0] ?? '';
  const ran = await home.answered(latchkey(home, 'link', '--url', await consent(authorizeUrl)));
  expect(ran.status).toBe(1);
  expect(ran.err).toContain('This looks like a different account: it does not list Front door.');
  expect(ran.out).not.toContain('Linked.');
});
