// The block's name is edited: the same account goes on, with its link, its history and the settings from the pages.
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { accountPlace, markAccount } from '../../../../src/app/account/place.ts';
import { SimulatedHome } from '../../../homes/simulated-home.ts';

describe('a block that is renamed (faults#93)', () => {
  it('keeps its link and the settings of the pages, there and back, and says so once', async () => {
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

  it('and moved to a new bridge in one edit starts anew, and says once how to go on with the former account', async () => {
    const home = await SimulatedHome.linked();
    await home.app.dispose();
    const linkStateAs = async (name: string, username?: string): Promise<string> => {
      const app = home.another({ name, ...(username === undefined ? {} : { _bridge: { username } }) });
      await app.start();
      await app.dispose();
      return app.runtime.linkState();
    };
    const child = '0E:11:22:33:44:55';
    expect([await linkStateAs('Cottage', child), await linkStateAs('Cottage', child)]).toEqual([
      'unlinked',
      'unlinked',
    ]);
    const [line = '', ...others] = home.lines.filter((each) => each.includes('starts as a new account'));
    expect([line, others]).toEqual([expect.stringContaining('any more: "Latchkey". To go on with one'), []]);
    const folder = /delete the folder (.+?), give/.exec(line)?.[1] ?? 'none';
    rmSync(folder, { recursive: true });
    expect(await linkStateAs('Latchkey')).toBe('linked');
    expect(await linkStateAs('Cottage')).toBe('linked');
    expect(await linkStateAs('Cottage', child)).toBe('linked');
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

  it('is found by a process of a child bridge that Homebridge does not name', async () => {
    const home = await SimulatedHome.open();
    const [one, other] = ['0E:11:22:33:44:55', '0E:66:77:88:99:AA'];
    const blocks = (...all: readonly (readonly [string, string])[]): void => {
      const platforms = all.map(([name, username]) => ({
        platform: 'Latchkey',
        name,
        _bridge: { username },
      }));
      writeFileSync(join(home.folder, 'config.json'), JSON.stringify({ platforms }));
    };
    const open = (name: string): string => {
      const { folder, bridge } = accountPlace(home.folder, { name, bridge: null, storagePath: null });
      mkdirSync(folder, { recursive: true });
      markAccount(folder, { name, bridge, storagePath: null }, home.clock.now());
      return folder;
    };
    blocks(['Latchkey', one]);
    const first = open('Latchkey');
    blocks(['Latchkey', one], ['Cabin', other]);
    const second = open('Cabin');
    expect(second).not.toBe(first);
    blocks(['Cabin', one], ['Latchkey', other]);
    expect([open('Cabin'), open('Latchkey')]).toEqual([first, second]);
    blocks(['Hut', one], ['Latchkey', other]);
    expect([open('Cabin'), open('Hut'), open('Latchkey')]).toEqual([first, first, second]);
  });
});
