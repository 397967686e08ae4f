// `latchkey panel` as it is packed: where the pages of the owner are, and a login that a browser can use once.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../harness/free-port.ts';
import { Household } from './household.ts';

describe('latchkey panel', () => {
  let household: Household;

  beforeEach(async () => {
    household = await Household.open();
  });

  afterEach(async () => {
    await household.leave();
  });

  it('says where the pages are, and that this machine needs no login', async () => {
    const port = await freePort();
    household.configure({ options: { panel: { enabled: true, port } } });
    await household.owner();
    const panel = household.latchkey('panel');
    expect(await panel.status()).toBe(0);
    expect(panel.out).toBe(
      `http://127.0.0.1:${port}\nThe pages are for this machine alone and need no login.\n`,
    );
    const page = await fetch(`http://127.0.0.1:${port}/`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  });

  it('prints an address that logs in once, which no log of the owner holds', async () => {
    const port = await freePort();
    // Not an address by its spelling, and so not trusted to be this machine, which it is.
    household.configure({ options: { panel: { enabled: true, port, host: '127.1' } } });
    const owner = await household.owner();
    const asked = household.latchkey('panel', '--login', '--json');
    expect(await asked.status()).toBe(0);
    const { url } = JSON.parse(asked.out) as { url: string };
    const [, token = ''] = url.split('#login=');
    expect(token).toMatch(/^[\w-]{43}$/u);
    const origin = `http://127.0.0.1:${port}`;
    const logIn = async (): Promise<number> =>
      (
        await fetch(`${origin}/api/login`, {
          method: 'POST',
          headers: { origin, 'content-type': 'application/json' },
          body: JSON.stringify({ token }),
        })
      ).status;
    expect([await logIn(), await logIn()]).toEqual([200, 401]);
    expect(owner.out + owner.err).not.toContain(token);
    expect((await fetch(`${origin}/api/session`)).status).toBe(401);
    const place = household.latchkey('panel');
    expect(await place.status()).toBe(0);
    expect(place.out).toContain('A login is needed. Get an address for it with: latchkey panel --login');
  });

  it('holds up no end of the process, with pages open', async () => {
    const port = await freePort();
    household.configure({ options: { panel: { enabled: true, port } } });
    const owner = await household.owner();
    const streams = await Promise.all(
      Array.from({ length: 6 }, async () => fetch(`http://127.0.0.1:${port}/api/events`)),
    );
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    const beganAt = performance.now();
    owner.child.kill('SIGTERM');
    expect(await owner.status()).toBe(0);
    // Homebridge allows a child bridge five seconds.
    expect(performance.now() - beganAt).toBeLessThan(5_000);
  });

  it('says what to do when the pages are off, and when nobody serves them', async () => {
    const off = household.latchkey('panel');
    expect(await off.status()).toBe(2);
    expect(off.err).toContain('set panel.enabled in the configuration');
    household.configure({ options: { panel: { enabled: true } } });
    const alone = household.latchkey('panel', '--login');
    expect(await alone.status()).toBe(1);
    expect(alone.err).toContain('Start Homebridge, then try again.');
  });
});
