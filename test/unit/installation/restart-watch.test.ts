// The changes that a restart would bring, by the file of the account's options and the package on the disk.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageFacts } from '../../../src/installation/package-facts.ts';
import { RestartWatch } from '../../../src/installation/restart-watch.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const UNCHANGED = { running: packageFacts().version, installed: null, isNeeded: false };

it("a restart is needed after a change of the account's own options, and no longer once they are as before", () => {
  const file = join(temporaryFolder(), 'config.json');
  const write = (colour: string, other: string): void => {
    const ours = { platform: 'Latchkey', name: 'Home', colour };
    writeFileSync(file, JSON.stringify({ platforms: [ours, { platform: 'Other', other }] }));
  };
  write('red', 'a');
  const watch = new RestartWatch(file, 'Home');
  write('red', 'b');
  expect(watch.facts()).toEqual(UNCHANGED);
  write('blue', 'b');
  expect(watch.facts()).toEqual({ ...UNCHANGED, isNeeded: true });
  write('red', 'b');
  expect(watch.facts()).toEqual(UNCHANGED);
  rmSync(file);
  expect(watch.facts()).toEqual(UNCHANGED);
});

it('a restart is needed after a change of a YAML file', () => {
  const file = join(temporaryFolder(), 'latchkey.yaml');
  writeFileSync(file, 'name: Home\n');
  const watch = new RestartWatch(file, 'Home');
  expect(watch.facts()).toEqual(UNCHANGED);
  writeFileSync(file, 'name: Home\ndebug: true\n');
  expect(watch.facts()).toEqual({ ...UNCHANGED, isNeeded: true });
});

it('a restart is needed for another installed version, and not for a package that is just being replaced', () => {
  let version = (): string => '1.0.0';
  const watch = new RestartWatch('/nowhere/config.json', 'Home', () => version());
  version = () => '1.1.0';
  expect(watch.facts()).toEqual({ running: '1.0.0', installed: '1.1.0', isNeeded: true });
  version = () => {
    throw new Error('ENOENT');
  };
  expect(watch.facts()).toEqual({ running: '1.0.0', installed: null, isNeeded: false });
});
