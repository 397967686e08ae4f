// The command line beside a process that owns the account, and with one that takes it over in the middle of things.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { consent } from '../../stand-ins/service/simulated.ts';
import { Household } from './household.ts';

const status = z.looseObject({ through: z.string(), link: z.string() });

describe('latchkey beside an owner of the account', () => {
  let household: Household;

  beforeEach(async () => {
    household = await Household.open();
  });

  afterEach(async () => {
    await household.leave();
  });

  it('links, looks, watches and unlocks through the owner, which alone asks for tokens and keeps the account', async () => {
    const owner = await household.owner();
    const link = await household.linkByHand();
    expect(link.out).toContain('Linked. Locks: Front door, Back door, Garage.');
    const watch = household.latchkey('watch', '--json');
    await watch.line(/^\[/u);
    const unlock = household.latchkey('unlock', 'front');
    expect(await unlock.status()).toBe(0);
    expect(unlock.out).toMatch(/^Front door: unlocked/mu);
    const line = await watch.line(/"command-ended"/u);
    expect(JSON.parse(line)).toMatchObject({ target: 'unsecured', outcome: { kind: 'moved' } });
    watch.child.kill('SIGINT');
    expect(await watch.status()).toBe(0);
    const diagnostics = household.latchkey('diagnostics');
    expect(await diagnostics.status()).toBe(0);
    expect(status.parse(JSON.parse(diagnostics.out))).toMatchObject({ through: 'owner', link: 'linked' });
    expect(await household.commands()).toEqual(['Unlocked']);
    expect(await household.tokenRequests()).toBe(1);
    owner.child.kill('SIGTERM');
    expect(await owner.status()).toBe(0);
    expect(owner.out).not.toContain('taken the account over');
  });

  it('leaves a linking to the plugin when that took the account over before anything was pasted', async () => {
    const link = household.latchkey('link');
    const redirectedUrl = await consent(await link.line(/^http/u));
    await household.owner();
    expect(await link.status()).toBe(3);
    expect(link.err).toContain('The plugin took the account over meanwhile.');
    const finished = household.latchkey('link', '--url', redirectedUrl);
    expect(await finished.status()).toBe(0);
    expect(finished.out).toContain('Linked. Locks: Front door, Back door, Garage.');
  });

  it('shares the account with another tool, hands it over when the plugin asks for it, and goes on through the plugin', async () => {
    await household.link();
    const watch = household.latchkey('watch');
    await watch.line(/^Garage/u);
    const diagnostics = household.latchkey('diagnostics');
    expect(await diagnostics.status()).toBe(0);
    expect(status.parse(JSON.parse(diagnostics.out)).through).toBe('owner');
    await household.owner();
    const unlock = household.latchkey('unlock', 'garage');
    expect(await unlock.status()).toBe(0);
    await watch.line(/Garage: unlocked/u);
    watch.child.kill('SIGTERM');
    expect(await watch.status()).toBe(0);
  });

  it('follows a command to its end though the account changes hands meanwhile, and sends it once', async () => {
    await household.link();
    // Longer than any machine takes to start the other process.
    await household.at('Front door', 'configure', { travelMs: 45_000 });
    const unlock = household.latchkey('unlock', 'front');
    await unlock.line(/accepted; waiting for the bolt/u);
    await household.owner();
    await expect
      .poll(() => unlock.err, { timeout: 30_000 })
      .toContain('another process has taken over the account; following the command there');
    await household.advance(45_000);
    expect(await unlock.status()).toBe(0);
    expect(unlock.out).toMatch(/^Front door: unlocked/mu);
    expect(await household.commands()).toEqual(['Unlocked']);
  });
});
