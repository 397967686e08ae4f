// `latchkey panel` as it is packed: where the pages of the owner are, and a login that a browser can use once.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../harness/free-port.ts';
import { Household, type Running } from './household.ts';

async function exchange(origin: string, token: string): Promise<Response> {
  return fetch(`${origin}/api/login`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
}

/** Serves the dashboard at a port of its own. */
async function dashboardOf(household: Household): Promise<{ owner: Running; port: number }> {
  const port = await freePort();
  household.configure({ options: { panel: { enabled: true, port } } });
  return { owner: await household.owner(), port };
}

/** The origin and the token of the address that logs in once. */
async function loginOf(
  household: Household,
  ...more: readonly string[]
): Promise<readonly [origin: string, token: string]> {
  const asked = household.latchkey('panel', '--login', '--json', ...more);
  expect(await asked.status()).toBe(0);
  const { url } = JSON.parse(asked.out) as { url: string };
  const [origin = '', token = ''] = url.split('/#login=');
  return [origin, token];
}

describe('latchkey panel', () => {
  let household: Household;

  beforeEach(async () => {
    household = await Household.open();
  });

  afterEach(async () => {
    await household.leave();
  });

  it('prints the address of the dashboard, and how to log in (faults#94)', async () => {
    const { port } = await dashboardOf(household);
    const panel = household.latchkey('panel');
    expect(await panel.status()).toBe(0);
    expect(panel.out).toBe(
      `http://127.0.0.1:${port}\nTo log in, get a one-time address: npx homebridge-latchkey panel --login\n`,
    );
    const page = await fetch(`http://127.0.0.1:${port}/`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  });

  it('prints an address that logs in once, which no log of the owner holds', async () => {
    const { owner, port } = await dashboardOf(household);
    const [origin, token] = await loginOf(household);
    expect([origin, token]).toEqual([
      `http://127.0.0.1:${port}`,
      expect.stringMatching(/^[\w-]{43}$/u) as unknown,
    ]);
    const logIn = async (): Promise<number> => (await exchange(origin, token)).status;
    expect([await logIn(), await logIn()]).toEqual([200, 401]);
    expect(owner.out + owner.err).not.toContain(token);
    expect((await fetch(`${origin}/api/session`)).status).toBe(401);
  });

  it('makes a login that may only look, lists it with its device, and ends it', async () => {
    await dashboardOf(household);
    const [origin, token] = await loginOf(household, '--role', 'look');
    const opened = await exchange(origin, token);
    const { csrf } = (await opened.json()) as { csrf: string };
    const cookie = opened.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    const call = async (operation: string): Promise<number> => {
      const headers = { origin, cookie, 'latchkey-csrf': csrf, 'content-type': 'application/json' };
      return (await fetch(`${origin}/api/call/${operation}`, { method: 'POST', headers, body: '{}' })).status;
    };
    expect([await call('status'), await call('guests.add')]).toEqual([200, 403]);
    const listed = household.latchkey('panel', '--logins');
    expect(await listed.status()).toBe(0);
    expect(listed.out).toMatch(/^1 {2}A browser that is not known: may only look, last used .+\n$/u);
    const ended = household.latchkey('panel', '--end-login', '1');
    expect(await ended.status()).toBe(0);
    expect(ended.out).toBe('No browser is logged in.\n');
    expect(await call('status')).toBe(401);
  });

  it('says what to do when the pages are off, and when no process serves them', async () => {
    const off = household.latchkey('panel');
    expect(await off.status()).toBe(2);
    expect(off.err).toContain('Turn on "Serve the dashboard" (panel.enabled)');
    household.configure({ options: { panel: { enabled: true } } });
    const alone = household.latchkey('panel', '--login');
    expect(await alone.status()).toBe(1);
    expect(alone.err).toContain('Start Homebridge, then try again.');
  });
});
