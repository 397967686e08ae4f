// A restore lets nobody in: `latchkey restore` of an older backup, and `latchkey codes confirm` afterwards (faults#148).
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SimulatedHome } from '../../../homes/simulated-home.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { begin, containing, inTime, type Ran, writeConfig } from '../terminal.ts';

const environment = { LATCHKEY_PASSPHRASE: 'correct horse battery' };

async function stoppedRun(home: SimulatedHome, ...words: readonly string[]): Promise<Ran> {
  return begin(home, words, home.clock, { environment }).ended;
}

async function run(home: SimulatedHome, code: string, ...words: readonly string[]): Promise<Ran> {
  return inTime(home, words, { environment: { LATCHKEY_CODE: code } });
}

it('the guests of a restored backup let nobody in before a yes, and codes of nobody are named with their removal (faults#148)', async () => {
  // The sign-in of the backup is the present one, however much of the home's time the commands take.
  const home = await SimulatedHome.linked({
    simulator: { authorization: { accessTokenLifetimeMs: 7 * 86_400_000 } },
  });
  writeConfig(home, {});
  await home.clock.advance(4_000);
  expect((await run(home, '4711', 'guests', 'add', 'Anna', '--on', 'garage')).status).toBe(0);
  const file = join(temporaryFolder(), 'house.latchkey');
  expect((await stoppedRun(home, 'backup', file)).status).toBe(0);
  expect((await run(home, '', 'guests', 'remove', 'anna')).status).toBe(0);
  expect((await run(home, '2580', 'guests', 'add', 'Bob', '--on', 'garage')).status).toBe(0);
  const garage = home.idOf('Garage');
  const { world } = home.simulator;
  expect([world.typeCode(garage, '4711'), world.typeCode(garage, '2580')]).toEqual(['refused', 'accepted']);
  await home.app.dispose();
  const restored = await stoppedRun(home, 'restore', file, '--force');
  expect(restored.out).toContain('codes confirm');
  await home.restart();
  await home.clock.advance(60_000);
  expect(world.typeCode(garage, '4711')).toBe('refused');
  expect((await run(home, '', 'guests', 'list')).out).toContain('Confirm or remove');
  const asked = await run(home, '', 'codes', 'confirm', '--yes');
  expect([asked.status, asked.err]).toEqual([0, containing(/restored from a backup of/u)]);
  expect(asked.out).toContain('Anna: always, Garage\n');
  expect(asked.out).toContain(
    'Garage, Bob: belongs to nobody here. Remove it with: latchkey codes remove "Garage" "Bob"',
  );
  // Two minutes after the restore nothing from before can take effect any more.
  await home.clock.advance(180_000);
  expect((await run(home, '', 'guests', 'list')).out).toContain('Up to date');
  expect(world.typeCode(garage, '4711')).toBe('accepted');
  expect((await run(home, '', 'codes', 'confirm')).err).toContain('Nobody waits to be confirmed.');
});
