// Linking from a terminal: the browser that comes back by itself, and another account than before.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Scenario } from '../../../src/simulator/scenario/scenario.ts';
import { freePort } from '../../harness/free-port.ts';
import { consent } from '../../stand-ins/service/simulated.ts';
import { Household } from './household.ts';

/** Two people with a door each. */
const TWO_HOMES = {
  users: [
    { userId: 'resident', friendlyName: 'Resident', email: 'resident@home.example' },
    { userId: 'neighbour', friendlyName: 'Neighbour', email: 'neighbour@home.example' },
  ],
  locks: [
    { name: 'Front door', type: 'WifiDeadbolt', roles: { resident: 'owner' } },
    { name: 'Cellar', type: 'WifiDeadbolt', roles: { neighbour: 'owner' } },
  ],
} satisfies Scenario;

describe('latchkey link', () => {
  let household: Household;
  let redirectUri: string;

  beforeEach(async () => {
    redirectUri = `http://127.0.0.1:${String(await freePort())}/callback`;
    household = await Household.open({}, { ...TWO_HOMES, clients: [{ redirectUris: [redirectUri] }] });
  });

  afterEach(async () => {
    await household.leave();
  });

  /** Another person signs in from now on. */
  async function signInAs(userId: string): Promise<void> {
    await household.runtime('configure-authorization', { autoApproveUserId: userId });
  }

  it('goes on by itself when the browser is on this machine, and leaves no code where it ends', async () => {
    const link = household.latchkey('link');
    const back = await consent(await link.line(/^http/u));
    expect(link.err).toContain('the rest is automatic');
    const response = await fetch(back);
    expect([response.status, response.url]).toEqual([200, `${redirectUri}?outcome=linked`]);
    expect(await link.status()).toBe(0);
    expect(link.out).toContain('Linked. Locks: Front door.');
    await expect(fetch(redirectUri)).rejects.toThrow('fetch failed');
  });

  it('asks whose account it is when it is another one, and removes nothing for a program or an empty answer', async () => {
    await household.link();
    await signInAs('neighbour');
    const link = household.latchkey('link');
    link.type(`${await consent(await link.line(/^http/u))}\n`);
    await link.line(/^Type "keep"/u);
    link.child.stdin?.end();
    expect(await link.status()).toBe(1);
    expect(link.err).toContain(
      'This looks like a different account: it does not list Front door, but Cellar.',
    );
    expect(link.err).toContain('npx homebridge-latchkey link --confirm keep');
    const locks = household.latchkey('locks');
    await locks.status();
    expect(locks.out).toContain('Front door');
    expect(locks.out).not.toContain('Cellar');

    const kept = household.latchkey('link', '--confirm', 'keep');
    expect(await kept.status()).toBe(0);
    expect(kept.out).toContain('Cellar');
    const nothing = household.latchkey('link', '--confirm', 'undo');
    expect(await nothing.status()).toBe(1);
    expect(nothing.err).toContain('No other account waits to be confirmed.');
  });
});
