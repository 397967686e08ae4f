// `latchkey link` beside the plugin: with an input that is at its end, and with something else in config.json than it runs with.
import { PassThrough } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { TypedLines } from '../../../../src/cli/terminal/terminal.ts';
import { freePort } from '../../../harness/free-port.ts';
import { SimulatedHome } from '../../../homes/simulated-home.ts';
import { consent } from '../../../stand-ins/service/simulated.ts';
import { ADDRESSES } from '../../../support/checked-config.ts';
import { begin, containing, endedWith, latchkey, linkedHome, writeConfig } from '../terminal.ts';

const PASTED = ADDRESSES.redirectUri;
const TOO_LATE = endedWith(1, 'That took longer than 10 minutes.');

/** A home whose redirect URI this is, not linked yet. */
async function homeWith(redirectUri: string): Promise<SimulatedHome> {
  const home = await SimulatedHome.open({
    simulator: { scenario: { clients: [{ redirectUris: [redirectUri] }] } },
  });
  writeConfig(home, {});
  return home;
}

/** A linking that was begun there, and an input where something can be typed. */
async function begun(redirectUri: string) {
  const home = await homeWith(redirectUri);
  const typed = new PassThrough();
  const readLine = redirectUri === PASTED ? { readLine: new TypedLines(typed).next } : {};
  const { said, ended } = begin(home, ['link'], home.clock, readLine);
  const authorizeUrl = await vi.waitUntil(() => /^http\S+(?=\n)/u.exec(said.out)?.[0]);
  return { home, typed, said, ended, authorizeUrl };
}

describe('latchkey link without an input, as in cron or a container', () => {
  it('waits for the browser where the redirect leads back by itself', async () => {
    const { ended, authorizeUrl } = await begun(`http://127.0.0.1:${await freePort()}/callback`);
    await fetch(await consent(authorizeUrl));
    expect(await ended).toMatchObject({ status: 0, out: containing('\nLinked. Locks: Front door') });
  });

  it('ends when the ten minutes are over', async () => {
    const { home, said, ended } = await begun(`http://127.0.0.1:${await freePort()}/callback`);
    await vi.waitUntil(() => said.err.includes('You have 10 minutes.'));
    await home.clock.advance(602_000);
    expect(await ended).toMatchObject(TOO_LATE);
  });

  it('ends at once where only pasting would help, and says how to paste', async () => {
    expect(await latchkey(await homeWith(PASTED), 'link')).toMatchObject(
      endedWith(3, 'Finish with: npx homebridge-latchkey link --url'),
    );
  });
});

describe('latchkey link with a pasted text that is not the address', () => {
  it('says what is wrong, and goes on waiting for the linking that was begun', async () => {
    const { typed, said, ended, authorizeUrl } = await begun(PASTED);
    const right = await consent(authorizeUrl);
    const foreign = right.replace(/state=[^&]+/u, 'state=of-another');
    typed.write(`hello\nhttps://home.example/call\n${foreign}\n`);
    await vi.waitUntil(() => said.err.includes('belongs to another sign-in'));
    expect(said.err.match(/Still waiting: paste it again, or stop with Ctrl-C\.\n/gu)).toHaveLength(3);
    expect(said.err).toContain('This is not the address of the redirect URI.');
    typed.write(`${right}\n`);
    expect((await ended).status).toBe(0);
  });

  it('ends when the ten minutes are over', async () => {
    const { home, typed, said, ended } = await begun(PASTED);
    await home.clock.advance(300_000);
    typed.write('hello\n');
    await vi.waitUntil(() => said.err.includes('Still waiting'));
    await home.clock.advance(302_000);
    expect(await ended).toMatchObject(TOO_LATE);
  });

  it('ends when the input ends', async () => {
    const { typed, ended } = await begun(PASTED);
    typed.end('hello\n');
    expect(await ended).toMatchObject(endedWith(3, 'No address was pasted.'));
  });

  it('ends when access was denied, because that answer was genuine', async () => {
    const { typed, ended, authorizeUrl } = await begun(PASTED);
    const state = new URL(authorizeUrl).searchParams.get('state') ?? '';
    typed.write(`${PASTED}?error=access_denied&state=${state}\n`);
    expect(await ended).toMatchObject(endedWith(1, 'You denied access'));
  });

  it('ends when the answer to the code is lost, and says to start again, not to look at the door', async () => {
    const { home, typed, ended, authorizeUrl } = await begun(PASTED);
    const right = await consent(authorizeUrl);
    await home.fail('/**/token', { kind: 'cut', when: 'after-work', often: 'once' });
    typed.write(`${right}\n`);
    expect(await ended).toMatchObject({ status: 5, err: containing(/lost\. Start again\.\n$/u) });
  });

  it('is an error to a program, which begins anew', async () => {
    const home = await homeWith(PASTED);
    const { ended } = begin(home, ['link', '--json'], home.clock, { typed: ['hello'] });
    expect(await ended).toMatchObject(endedWith(1, /\{"error":\{"code":"bad-request"/u));
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
    const home = await linkedHome();
    const forgotten = /^The tokens were deleted here\./u;
    expect((await latchkey(home, 'unlink')).out).toMatch(forgotten);
    await home.link();
    await home.restart({ partner: { baseUrl: `http://127.0.0.1:${await freePort()}/api` } });
    expect((await latchkey(home, 'unlink')).out).toMatch(forgotten);
  });
});

it('latchkey link links no account to a service that config.json no longer names, and says what to do', async () => {
  const home = await homeWith(PASTED);
  expect((await latchkey(home, 'link')).out).toContain('/authorize?');
  writeConfig(home, { partner: ADDRESSES });
  expect(await latchkey(home, 'link')).toEqual({
    out: '',
    ...endedWith(2, 'still runs with the former addresses of the service: restart Homebridge'),
  });
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
        clients: [{ redirectUris: [PASTED] }],
      },
    },
  });
  writeConfig(home, {});
  await home.clock.advance(10_000);
  await home.control('house/configure-authorization', { autoApproveUserId: 'nobody' });
  const authorizeUrl = /^http\S+(?=\n)/mu.exec((await latchkey(home, 'link')).out)?.[0] ?? '';
  const ran = await home.answered(latchkey(home, 'link', '--url', await consent(authorizeUrl)));
  expect(ran).toMatchObject(
    endedWith(1, 'This looks like a different account: it does not list Front door.'),
  );
  expect(ran.out).not.toContain('Linked.');
});
