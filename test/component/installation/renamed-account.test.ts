// The block's name is edited: the same account goes on, with its link, its history and the settings from the pages.
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { accountPlace, markAccount } from '../../../src/installation/place.ts';
import { SimulatedHome } from '../../homes/simulated-home.ts';

type Bridge = string | null;

const [CHILD, OTHER] = ['0E:11:22:33:44:55', '0E:66:77:88:99:AA'];

/** Writes blocks to config.json, each name with its bridge. */
function writeBlocks({ folder }: SimulatedHome, blocks: Readonly<Record<string, Bridge>>): void {
  const platforms = Object.entries(blocks).map(([name, username]) => ({
    platform: 'Latchkey',
    name,
    _bridge: username === null ? undefined : { username },
  }));
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ platforms }));
}

/** Opens the account of a block as its process does, and returns its folder. */
function openFolder({ folder, clock }: SimulatedHome, name: string, bridge: Bridge = null): string {
  const place = accountPlace(folder, { name, bridge, storagePath: null });
  mkdirSync(place.folder, { recursive: true });
  markAccount(place.folder, { name, bridge: place.bridge, storagePath: null }, clock.now());
  return place.folder;
}

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
    expect([await linkStateAs('Cottage', CHILD), await linkStateAs('Cottage', CHILD)]).toEqual([
      'unlinked',
      'unlinked',
    ]);
    const [line = '', ...others] = home.lines.filter((each) => each.includes('starts as a new account'));
    expect([line, others]).toEqual([expect.stringContaining('any more: "Latchkey". To go on with one'), []]);
    const folder = /delete the folder (.+?), give/.exec(line)?.[1] ?? 'none';
    rmSync(folder, { recursive: true });
    expect(await linkStateAs('Latchkey')).toBe('linked');
    expect(await linkStateAs('Cottage')).toBe('linked');
    expect(await linkStateAs('Cottage', CHILD)).toBe('linked');
  });

  it('gives its former name away without its account', async () => {
    const home = await SimulatedHome.open();
    const open = (name: string, bridge: Bridge): string => openFolder(home, name, bridge);
    writeBlocks(home, { Latchkey: null, Cabin: CHILD });
    const [first, second] = [open('Latchkey', null), open('Cabin', CHILD)];
    expect(first).not.toBe(second);
    writeBlocks(home, { Cabin: null, Latchkey: CHILD });
    expect([open('Cabin', null), open('Latchkey', CHILD)]).toEqual([first, second]);
    writeBlocks(home, { Hut: null, Latchkey: CHILD, Cabin: OTHER });
    expect([first, second]).not.toContain(open('Cabin', OTHER));
    expect([open('Hut', null), open('Latchkey', CHILD)]).toEqual([first, second]);
  });

  it('is found by a process of a child bridge that Homebridge does not name', async () => {
    const home = await SimulatedHome.open();
    const open = (name: string): string => openFolder(home, name);
    writeBlocks(home, { Latchkey: CHILD });
    const first = open('Latchkey');
    writeBlocks(home, { Latchkey: CHILD, Cabin: OTHER });
    const second = open('Cabin');
    expect(second).not.toBe(first);
    writeBlocks(home, { Cabin: CHILD, Latchkey: OTHER });
    expect([open('Cabin'), open('Latchkey')]).toEqual([first, second]);
    writeBlocks(home, { Hut: CHILD, Latchkey: OTHER });
    expect([open('Cabin'), open('Hut'), open('Latchkey')]).toEqual([first, first, second]);
  });
});
