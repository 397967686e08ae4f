// The block's name is edited: the same account goes on, with its link, its history and the settings from the pages.
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { accountPlace, markAccount } from '../../../src/app/account-place.ts';
import { SimulatedHome } from './simulated-home.ts';

describe('a block that is renamed (faults#93)', () => {
  it('keeps its link and what the pages have set, there and back, and says so once', async () => {
    const home = await SimulatedHome.linked();
    const id = home.idOf('Front door');
    await home.app.operations['locks.configure']({ lock: id, settings: { remoteUnlock: false } });
    await home.app.dispose();
    for (const name of ['Cottage', 'Cottage', 'Latchkey']) {
      const app = home.another({ name });
      onTestFinished(async () => app.dispose());
      await app.start();
      expect([name, app.runtime.linkState()]).toEqual([name, 'linked']);
      expect(app.lockOptions(id).remoteUnlock.value).toBe(false);
      await app.dispose();
    }
    expect(home.lines.filter((line) => line.includes('continues the account'))).toEqual([
      expect.stringContaining('"Cottage" continues the account that was called "Latchkey" in config.json.'),
      expect.stringContaining('"Latchkey" continues the account that was called "Cottage" in config.json.'),
    ]);
    const [folder, ...others] = readdirSync(join(home.folder, 'latchkey'));
    expect(others).toEqual([]);
    const marker = join(home.folder, 'latchkey', folder ?? '', 'account.json');
    expect(statSync(marker).mode & 0o077).toBe(0);
  });

  it('gives its former name away without its account', async () => {
    const home = await SimulatedHome.open();
    const blocks = (...all: readonly (readonly [string, string | null])[]): void => {
      const platforms = all.map(([name, username]) => ({
        platform: 'Latchkey',
        name,
        _bridge: username === null ? undefined : { username },
      }));
      writeFileSync(join(home.folder, 'config.json'), JSON.stringify({ platforms }));
    };
    const open = (name: string, bridge: string | null): string => {
      const { folder } = accountPlace(home.folder, { name, bridge, storagePath: null });
      mkdirSync(folder, { recursive: true });
      markAccount(folder, { name, bridge, storagePath: null }, home.clock.now());
      return folder;
    };
    const child = '0E:11:22:33:44:55';
    blocks(['Latchkey', null], ['Cabin', child]);
    const [first, second] = [open('Latchkey', null), open('Cabin', child)];
    expect(first).not.toBe(second);
    blocks(['Cabin', null], ['Latchkey', child]);
    expect([open('Cabin', null), open('Latchkey', child)]).toEqual([first, second]);
    blocks(['Hut', null], ['Latchkey', child], ['Cabin', '0E:66:77:88:99:AA']);
    const third = open('Cabin', '0E:66:77:88:99:AA');
    expect([first, second]).not.toContain(third);
    expect([open('Hut', null), open('Latchkey', child)]).toEqual([first, second]);
  });
});
