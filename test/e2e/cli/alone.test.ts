// The packed command line without a running plugin: linking, an unlock, Ctrl-C.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { howOften } from '../../harness/how-often.ts';
import { consent } from '../../stand-ins/service/simulated.ts';
import { Household } from './household.ts';

/** Each command is a process: so many of four different ones. */
const AT_ONCE = howOften(8, 16);

describe('latchkey without a plugin', () => {
  let household: Household;

  beforeAll(async () => {
    household = await Household.open();
  });

  afterAll(async () => {
    await household.leave();
  });

  it('links with an address that is pasted, and repeats nothing of it', async () => {
    const link = household.latchkey('link');
    const redirectedUrl = await consent(await link.line(/^http/u));
    link.type(`${redirectedUrl}\n`);
    expect(await link.status()).toBe(0);
    expect(link.out).toContain('Linked. Locks: Front door, Back door, Garage.');
    const code = new URL(redirectedUrl).searchParams.get('code');
    expect(code).toBeTruthy();
    expect(link.out + link.err).not.toContain(code);
  });

  it('unlocks by the beginning of a name, follows it to the end, and sends it once', async () => {
    const unlock = household.latchkey('unlock', 'FRO');
    expect(await unlock.status()).toBe(0);
    expect(unlock.out).toMatch(/^Front door: unlocked \(\d+\.\d s\)$/mu);
    expect(unlock.err).toContain('Front door: accepted; waiting for the bolt');
    expect(household.boltOf('Front door')).toBe('Unlocked');
    expect(await household.commands()).toEqual(['Unlocked']);
  });

  it('prints a line for each event until Ctrl-C, and leaves nothing behind', async () => {
    const watch = household.latchkey('watch');
    await watch.line(/^Garage/u);
    await household.at('Front door', 'turn-thumbturn', { to: 'Locked' });
    await watch.line(/^\d\d:\d\d:\d\d {2}Front door: locked$/u);
    watch.child.kill('SIGINT');
    expect(await watch.status()).toBe(0);
    const left = readdirSync(join(household.folder, 'latchkey'), { recursive: true, encoding: 'utf8' });
    expect(left.filter((name) => name.endsWith('.sock') || name.endsWith('-wal'))).toEqual([]);
  });

  it(`waits for its like: of ${String(AT_ONCE)} commands at once, none is refused for another (faults#162)`, async () => {
    const words = [['codes', 'list', 'front'], ['locks'], ['history', 'front'], ['lock', 'back']];
    const all = Array.from({ length: AT_ONCE / 4 }, () =>
      words.map((one) => household.latchkey(...one)),
    ).flat();
    const ends = await Promise.all(all.map(async (one) => [await one.status(), one.err]));
    expect(ends.filter(([status]) => status !== 0)).toEqual([]);
  });

  it('ends by Ctrl-C before anything was pasted, and keeps the link', async () => {
    const link = household.latchkey('link');
    await link.line(/^http/u);
    link.child.kill('SIGINT');
    expect(await link.status()).toBe(130);
  });

  it('printed no secret in any of these runs (faults#66)', () => {
    const [client] = household.simulator.clients;
    const secrets = [client?.clientSecret, ...(client?.subscriptionKeys ?? [])];
    expect(household.said.length).toBeGreaterThan(3);
    for (const { out, err } of household.said) {
      for (const secret of secrets) {
        expect(secret).toBeTruthy();
        expect(out + err).not.toContain(secret);
      }
      expect(out + err).not.toMatch(/eyJ|Bearer|[?&]code=/u);
    }
  });
});
