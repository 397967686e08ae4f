// Containers: the folder of Homebridge belongs to another user than the one that runs it. Needs root, and is skipped without.
import { chmodSync, chownSync, lstatSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { mayGiveAwayTo } from '../../support/file-ownership.ts';
import { Household } from './household.ts';

const ROOT = 0;
const RESIDENT = 1000;

const isPossible = mayGiveAwayTo(RESIDENT);

describe.runIf(isPossible)('the folder of Homebridge belongs to another user (faults#92)', () => {
  let household: Household;

  beforeEach(async () => {
    household = await Household.open();
    // The other user has to reach the packed program.
    chmodSync(dirname(inject('packed').pluginsFolder), 0o755);
  });

  afterEach(async () => {
    await household.leave();
  });

  const ownersOf = (folder: string): readonly number[] => [
    ...new Set(
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(
        (path) => lstatSync(join(folder, path)).uid,
      ),
    ),
  ];

  it('root runs the plugin in a folder of uid 1000: both open the account, and new files belong to uid 1000', async () => {
    chownSync(household.folder, RESIDENT, RESIDENT);
    chownSync(join(household.folder, 'config.json'), RESIDENT, RESIDENT);
    household.user = ROOT;
    await household.linkByHand();
    const owner = await household.owner();
    expect(await household.latchkey('locks').status()).toBe(0);
    household.user = RESIDENT;
    expect(await household.latchkey('locks').status()).toBe(0);
    expect(ownersOf(household.folder)).toEqual([RESIDENT]);
    owner.child.kill('SIGTERM');
    await owner.status();
    expect(await household.latchkey('locks').status()).toBe(0);
  });

  it('uid 1000 runs the plugin in a folder of root: both open the account', async () => {
    chmodSync(household.folder, 0o777);
    household.user = RESIDENT;
    await household.linkByHand();
    const owner = await household.owner();
    expect(await household.latchkey('locks').status()).toBe(0);
    household.user = ROOT;
    expect(await household.latchkey('locks').status()).toBe(0);
    owner.child.kill('SIGTERM');
    await owner.status();
    expect(await household.latchkey('locks').status()).toBe(0);
    expect(ownersOf(join(household.folder, 'latchkey'))).toEqual([RESIDENT]);
  });
});
