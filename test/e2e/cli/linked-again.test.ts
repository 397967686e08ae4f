// The account of a running Homebridge is linked again at a terminal: whose it is, is asked about another account alone.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Scenario } from '../../../simulator/src/scenario/scenario.ts';
import { TWO_HOMES } from '../../homes/two-homes.ts';
import { consent, control } from '../../stand-ins/service/simulated.ts';
import { type OpenedStage, openStage } from '../stage.ts';
import { Running } from './household.ts';

const ROLES = { resident: 'owner' } as const;

/** The resident has three doors, and the neighbour one. Tokens of the simulator do not say whose they are. */
const SCENARIO: Scenario = {
  ...TWO_HOMES,
  locks: [
    ...TWO_HOMES.locks,
    { name: 'Back door', type: 'WifiDeadbolt', roles: ROLES },
    { name: 'Garage', type: 'WifiDeadbolt', roles: ROLES },
  ],
};

describe('an account that is linked again', () => {
  let stage: OpenedStage;

  beforeAll(async () => {
    stage = await openStage({ pluginsFolder: inject('packed').pluginsFolder, scenario: SCENARIO });
  });

  afterAll(async () => {
    await stage.leave();
  });

  /** `latchkey link`, typed beside the running Homebridge, and what it is answered. */
  async function linkedAgain(...typed: readonly string[]): Promise<{ status: number | null; said: string }> {
    const { storeFolder, pluginsFolder } = stage.installation;
    const program = join(pluginsFolder, 'homebridge-latchkey', 'dist', 'cli', 'main.js');
    const words = ['--disable-warning=ExperimentalWarning', program, 'link', '--storage', storeFolder];
    const link = new Running(process.execPath, words);
    const authorizeUrl = await link.line(/^http/u);
    for (const line of [await consent(authorizeUrl), ...typed]) {
      link.type(`${line}\n`);
    }
    return { status: await link.status(), said: link.out + link.err };
  }

  it('asks no question though one lock has left it (faults#168)', async () => {
    await stage.lock('Back door').at('remove');
    const { status, said } = await linkedAgain();
    expect(said).toContain('Linked. Locks: ');
    expect([status, said.includes('different account')]).toEqual([0, false]);
    expect(stage.lines.filter(({ text }) => text.includes('seems to be another one'))).toEqual([]);
    expect(await stage.lock('Front door').shown()).toBe('locked');
  });

  it('asks when it is another one, removes nothing meanwhile, and takes "undo" (faults#168)', async () => {
    const asked = { autoApproveUserId: 'neighbour' };
    await control(stage.simulator.controlUrl, 'house/configure-authorization', asked);
    const { status, said } = await linkedAgain('undo');
    expect(said).toMatch(
      /looks like a different account: it does not list (?=.*Front door)(?=.*Garage).*, but Cellar\./,
    );
    expect(said).toContain('Disconnected. Nothing was removed');
    expect(status).toBe(0);
    await stage.homebridge.line(/seems to be another one: it does not list/, 1_000);
    expect(stage.home.has(stage.lock('Front door').current)).toBe(true);
    expect(stage.home.has(stage.lock('Garage').current)).toBe(true);
  });
});
