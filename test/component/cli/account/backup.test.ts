// Moving house: an account from one computer to another by its encrypted file.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { App } from '../../../../src/app/app.ts';
import { features } from '../../../../src/app/features.ts';
import { OPENS_AFTER_MS } from '../../../../src/app/webhooks/service.ts';
import { backUp } from '../../../../src/backup/backup.ts';
import type { Config } from '../../../../src/config/config.ts';
import { accountPlace } from '../../../../src/installation/place.ts';
import { AccountCopy } from '../../../../src/storage/account-copy.ts';
import { silentLog } from '../../../../src/support/log.ts';
import { lossWords } from '../../../../src/words/account.ts';
import { freePort } from '../../../harness/free-port.ts';
import { platformBlock, type SimulatedHome } from '../../../homes/simulated-home.ts';
import { consent } from '../../../stand-ins/service/simulated.ts';
import { configOf } from '../../../support/checked-config.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import {
  begin,
  type Circumstances,
  containing,
  endedWith,
  LEAST_COST,
  linkedHome,
  type Ran,
  writeConfig,
  writePlatforms,
} from '../terminal.ts';

const PASSPHRASE = 'correct horse battery';
const HOUR_MS = 3_600_000;
const NO_PROBLEM = { link: 'linked', failing: null };

/** Another computer: a folder of its own, and the same service. */
type Place = Pick<SimulatedHome, 'folder' | 'simulator' | 'clock'>;

function otherPlace(home: SimulatedHome): Place {
  const place = { folder: temporaryFolder(), simulator: home.simulator, clock: home.clock };
  writeConfig(place, {});
  return place;
}

async function run(place: Place, ...words: readonly string[]): Promise<Ran> {
  return runWith({ environment: { LATCHKEY_PASSPHRASE: PASSPHRASE } }, place, ...words);
}

async function runWith(
  circumstances: Circumstances,
  place: Place,
  ...words: readonly string[]
): Promise<Ran> {
  return begin(place, words, place.clock, circumstances).ended;
}

const configAt = ({ simulator }: Place): Config => configOf(platformBlock(simulator));

/** The plugin on that computer. */
async function started(home: SimulatedHome, { folder }: Place): Promise<App> {
  const app = home.another(undefined, true, folder);
  onTestFinished(async () => app.dispose());
  await app.start();
  await home.clock.advance(0);
  return app;
}

/** Told to stop while the work that follows the passphrase holds up the event loop. */
function stoppedAtWork(): Circumstances {
  const stopping = new AbortController();
  const environment = {
    get LATCHKEY_PASSPHRASE() {
      setImmediate(() => {
        stopping.abort();
      });
      return PASSPHRASE;
    },
  };
  return { environment, stopped: stopping.signal };
}

/** A linked account whose plugin has ended, so that the computer can be moved. */
async function endedHome(): Promise<SimulatedHome> {
  const home = await linkedHome();
  await home.app.operations['locks.configure']({
    lock: home.idOf('Garage'),
    settings: { remoteUnlock: false },
  });
  await home.app.dispose();
  return home;
}

const accountFolder = (place: Place): string => accountPlace(place.folder, configAt(place)).folder;

/** A copy of the account at that place, as another process opens it. */
function copyAt(place: Place): AccountCopy {
  const path = join(accountFolder(place), 'latchkey.db');
  const copy = new AccountCopy(path, silentLog);
  onTestFinished(() => {
    copy.close();
  });
  return copy;
}

/** Every row of the account's database, by its table. */
function tablesIn(place: Place): Readonly<Record<string, readonly Record<string, unknown>[]>> {
  const database = new DatabaseSync(join(accountFolder(place), 'latchkey.db'), { readOnly: true });
  try {
    const tables = database.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all();
    const rowsOf = (name: string) => database.prepare(`SELECT * FROM "${name}"`).all();
    return Object.fromEntries(tables.map(({ name }) => [String(name), rowsOf(String(name))]));
  } finally {
    database.close();
  }
}

function refreshTokenIn(place: Place): unknown {
  return tablesIn(place)['link']?.[0]?.['refresh_token'] ?? null;
}

const newFile = (): string => join(temporaryFolder(), 'house.latchkey');

/** A backup that was made while the plugin was stopped, as `latchkey backup --and-stop` makes it. */
async function movedHome(): Promise<{ home: SimulatedHome; file: string; token: string }> {
  const home = await endedHome();
  const token = String(refreshTokenIn(home));
  const file = newFile();
  const account = {
    config: configAt(home),
    homebridgeFolder: home.folder,
    clock: home.clock,
    log: silentLog,
  };
  await backUp(account, {
    block: platformBlock(home.simulator),
    signal: new AbortController().signal,
    file,
    force: false,
    stop: true,
    passphrase: async () => Promise.resolve(PASSPHRASE),
    cost: LEAST_COST,
  });
  return { home, file, token };
}

describe('an account that is moved to another computer', () => {
  it('works there at once, without a new sign-in, for good, and with the settings of pages', async () => {
    const { home, file } = await movedHome();
    const there = otherPlace(home);
    expect(await run(there, 'restore', file)).toMatchObject({
      status: 0,
      out: containing(/^"Latchkey" is back, as it was on .* Now start Homebridge\.\n$/u),
    });
    const app = await started(home, there);
    await there.clock.advance(6 * HOUR_MS);
    expect(await app.operations.status({})).toMatchObject({ ...NO_PROBLEM, locks: 3 });
    const [front] = await app.operations.locks({});
    expect(await app.operations.move({ lock: front?.id, to: 'unsecured' })).toMatchObject({
      kind: 'accepted',
    });
    expect(app.lockOptions(home.idOf('Garage')).remoteUnlock).toMatchObject({ value: false });
  });

  it('leaves no token and nothing unencrypted on the old computer, calls nothing from there, and says so', async () => {
    const { home, token } = await movedHome();
    expect(token).not.toBe('null');
    const folder = accountFolder(home);
    const known = /^(?:latchkey\.db(?:-wal|-shm)?|account\.json|owner\.db|owner-[0-9a-f]+\.sock)$/u;
    expect(readdirSync(folder).filter((name) => !known.test(name))).toEqual([]);
    const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
    expect(texts.join('')).not.toContain(token);
    const before = (await home.requests('GET', '/')).length;
    await home.restart();
    await home.clock.advance(24 * HOUR_MS);
    expect((await home.requests('GET', '/')).length).toBe(before);
    expect(await home.app.operations.status({})).toMatchObject({ link: 'moved' });
    expect(home.lines.filter((line) => line.startsWith(lossWords('moved')))).toHaveLength(1);
    expect(await run(home, 'locks')).toMatchObject(endedWith(3, 'moved to another computer'));
    const { out } = await run(home, 'doctor');
    expect(out).toMatch(/^FAULT {2}link .*moved to another computer/mu);
    expect(out).toMatch(/^note {3}move .*gave the account up on /mu);
  });

  it('serves no feature, such as a broker, and receives no webhook on the old computer until it is connected again', async () => {
    let isServed = false;
    const serve = (): void => {
      isServed = true;
    };
    features.add('one that serves', () => ({ serve, close: async () => {} }));
    const { home } = await movedHome();
    isServed = false;
    const app = home.another({
      webhooks: { enabled: true, port: await freePort(), publicUrl: 'https://home.example' },
    });
    onTestFinished(async () => app.dispose());
    const isOpen = async (): Promise<readonly [boolean, boolean]> => {
      await home.clock.advance(OPENS_AFTER_MS);
      const { listener } = await app.operations['webhooks.status']({});
      return [listener !== null, isServed];
    };
    await app.start();
    expect(await isOpen()).toEqual([false, false]);
    const { authorizeUrl } = await app.operations['link.start']({});
    await home.answered(app.operations['link.finish']({ redirectedUrl: await consent(authorizeUrl) }));
    await vi.waitUntil(async () => (await isOpen()).every(Boolean), 15_000);
  });

  it('comes back to the old computer by the same file, as long as the link was used nowhere else', async () => {
    const { home, file } = await movedHome();
    expect((await run(home, 'restore', file)).status).toBe(0);
    await home.restart();
    await home.clock.advance(2 * HOUR_MS);
    expect(await home.app.operations.status({})).toMatchObject(NO_PROBLEM);
  });
});

describe('two computers with one account', () => {
  it('are noticed by the one that is refused, which says so and stays quiet (faults#139)', async () => {
    const home = await endedHome();
    const file = newFile();
    await run(home, 'backup', file);
    const there = otherPlace(home);
    expect((await run(there, 'restore', file)).out).toContain(
      'Stop Latchkey for good on the computer that made the backup',
    );
    await started(home, there);
    await home.restart();
    await home.clock.advance(3 * HOUR_MS);
    const mine = await home.app.operations.status({});
    const theirs = (await run(there, 'locks', '--json')).status;
    expect([mine.link, theirs].toString()).toMatch(/^(?:used-elsewhere,0|linked,3)$/u);
    expect((await run(there, 'doctor')).out).toMatch(/^note {3}move .*restored here on .*was not stopped/mu);
  });
});

describe('latchkey backup', () => {
  it('writes one file for its owner alone beside a running plugin, and does not give that account up', async () => {
    const home = await linkedHome();
    const file = newFile();
    expect(await run(home, 'backup', file, '--and-stop')).toMatchObject(
      endedWith(1, /^Nothing was changed: process \d+ runs this account\. Stop Homebridge/u),
    );
    expect(existsSync(file)).toBe(false);
    expect(await run(home, 'backup', file)).toMatchObject({
      status: 0,
      out: containing('To move it to another one, use --and-stop.'),
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'latin1')).not.toContain(refreshTokenIn(home));
    await home.clock.advance(2 * HOUR_MS);
    expect(await home.app.operations.status({})).toMatchObject(NO_PROBLEM);
  });

  it('overwrites nothing and gives nothing up without --force', async () => {
    const home = await endedHome();
    const file = newFile();
    writeFileSync(file, 'something else');
    expect(await run(home, 'backup', file, '--and-stop')).toMatchObject(
      endedWith(1, 'is there already. Name another file, or add --force.'),
    );
    expect(readFileSync(file, 'utf8')).toBe('something else');
    expect(refreshTokenIn(home)).not.toBeNull();
    expect((await run(home, 'backup', file, '--and-stop', '--force')).status).toBe(0);
    expect(readFileSync(file).subarray(0, 8).toString()).toBe('LATCHKEY');
    expect(refreshTokenIn(home)).toBeNull();
  });

  it.each([
    ['too short', ['short', 'short'], '12 to 1024 characters'],
    ['not typed alike', [PASSPHRASE, 'correct horse batterie'], 'the two are not the same'],
  ])('with a passphrase that is %s writes nothing', async (_, typed, words) => {
    const home = await endedHome();
    const file = newFile();
    expect(await runWith({ typed }, home, 'backup', file, '--and-stop')).toMatchObject(endedWith(1, words));
    expect(existsSync(file)).toBe(false);
    expect(refreshTokenIn(home)).not.toBeNull();
  });

  it('does not replace the only sign-in by a second backup of an account that was given up', async () => {
    const { home, file, token } = await movedHome();
    for (const flags of [[], ['--and-stop']]) {
      expect(await run(home, 'backup', file, '--force', ...flags)).toMatchObject(
        endedWith(1, 'this computer has given "Latchkey" up already'),
      );
    }
    const there = otherPlace(home);
    expect((await run(there, 'restore', file)).status).toBe(0);
    expect(refreshTokenIn(there)).toBe(token);
  });

  it('leaves no file that says that this computer has stopped where the disk kept it from giving the account up (faults#148)', async () => {
    const home = await endedHome();
    const file = newFile();
    const database = new DatabaseSync(join(accountFolder(home), 'latchkey.db'));
    database.exec(`CREATE TRIGGER worn BEFORE UPDATE ON link BEGIN SELECT RAISE(ABORT, 'worn out'); END`);
    database.close();
    expect(await run(home, 'backup', file, '--and-stop')).not.toMatchObject({ status: 0 });
    expect(refreshTokenIn(home)).not.toBeNull();
    expect(existsSync(file)).toBe(false);
    expect(tablesIn(home)['setting']?.map(({ key }) => key)).not.toContain('move');
  });

  it('gives nothing up to what is no file, which nobody could restore', async () => {
    const home = await endedHome();
    expect(await run(home, 'backup', '/dev/null', '--force', '--and-stop')).toMatchObject(
      endedWith(1, 'Nothing was written: /dev/null is no file.'),
    );
    expect(refreshTokenIn(home)).not.toBeNull();
  });

  it('gives nothing up and writes nothing when it is stopped before the file is whole', async () => {
    const home = await endedHome();
    const file = newFile();
    expect(await runWith(stoppedAtWork(), home, 'backup', file, '--and-stop')).toMatchObject({ status: 130 });
    expect(readdirSync(dirname(file))).toEqual([]);
    expect(refreshTokenIn(home)).not.toBeNull();
  });

  it('leaves the copy of another backup that runs, and removes that of one that was killed', async () => {
    const home = await endedHome();
    const [running, killed] = [process.ppid, 2 ** 22 + 1].map((pid) =>
      join(accountFolder(home), `staged-${String(pid)}.db`),
    );
    writeFileSync(String(running), '');
    writeFileSync(String(killed), '');
    expect((await run(home, 'backup', newFile())).status).toBe(0);
    expect([running, killed].map((path) => existsSync(String(path)))).toEqual([true, false]);
  });

  it('that was killed leaves nothing unencrypted behind once the plugin has started', async () => {
    const home = await endedHome();
    const killed = join(accountFolder(home), `staged-${String(2 ** 22 + 1)}.db`);
    writeFileSync(killed, '');
    await home.restart();
    expect(existsSync(killed)).toBe(false);
  });

  it('says where there is no account to back up', async () => {
    const there = otherPlace(await endedHome());
    expect(await run(there, 'backup', 'house.latchkey')).toMatchObject(
      endedWith(1, 'There is nothing to back up'),
    );
    expect(existsSync('house.latchkey')).toBe(false);
  });
});

describe('latchkey restore', () => {
  it('makes and changes nothing with a wrong passphrase, or from a damaged file', async () => {
    const { home, file } = await movedHome();
    const there = otherPlace(home);
    const environment = { LATCHKEY_PASSPHRASE: 'another passphrase' };
    expect(await runWith({ environment }, there, 'restore', file)).toMatchObject(
      endedWith(1, 'The passphrase is wrong'),
    );
    const damaged = newFile();
    const bytes = readFileSync(file);
    bytes.writeUInt8(bytes.readUInt8(5_000) ^ 1, 5_000);
    writeFileSync(damaged, bytes);
    expect(await run(there, 'restore', damaged)).toMatchObject(endedWith(1, 'The file is damaged'));
    expect(readdirSync(there.folder)).toEqual(['config.json']);
  });

  it('changes nothing when it is stopped before the account is replaced', async () => {
    const { home, file } = await movedHome();
    const before = tablesIn(home)['link'];
    expect(await runWith(stoppedAtWork(), home, 'restore', file)).toMatchObject({ status: 130 });
    expect(tablesIn(home)['link']).toEqual(before);
  });

  it('says that a folder cannot be read', async () => {
    const there = otherPlace(await endedHome());
    expect(await run(there, 'restore', there.folder)).toMatchObject(
      endedWith(1, `${there.folder} cannot be read (EISDIR).`),
    );
  });

  it('is refused while a plugin runs the account, which goes on with what it has', async () => {
    const { home, file } = await movedHome();
    const there = otherPlace(home);
    const app = await started(home, there);
    expect(await run(there, 'restore', file)).toMatchObject(
      endedWith(1, 'runs this account. Stop Homebridge'),
    );
    expect(await app.operations.status({})).toMatchObject({ link: 'unlinked' });
  });

  it('replaces an account that is in use only with --force', async () => {
    const { home, file, token } = await movedHome();
    await home.restart();
    await home.link();
    await home.app.dispose();
    const mine = refreshTokenIn(home);
    expect(await run(home, 'restore', file)).toMatchObject(endedWith(1, 'is in use here. Add --force'));
    expect(refreshTokenIn(home)).toBe(mine);
    expect((await run(home, 'restore', file, '--force')).status).toBe(0);
    expect(refreshTokenIn(home)).toBe(token);
  });

  it('needs the account in config.json, gives its block to a person who lost it, and says when the options differ', async () => {
    const { home, file } = await movedHome();
    const there = otherPlace(home);
    writePlatforms(there);
    expect(await run(there, 'restore', file)).toMatchObject(endedWith(1, 'has no account "Latchkey"'));
    const blockFile = join(there.folder, 'block.json');
    expect((await run(there, 'restore', file, '--block', blockFile)).status).toBe(0);
    expect(statSync(blockFile).mode & 0o777).toBe(0o600);
    const block = JSON.parse(readFileSync(blockFile, 'utf8')) as object;
    const differ = 'The options in config.json are not those of the backup';
    writePlatforms(there, block);
    const same = await run(there, 'restore', file);
    expect([same.status, same.out.includes(differ)]).toEqual([0, false]);
    writePlatforms(there, { ...block, locks: [{ id: 'some-lock', remoteUnlock: true }] });
    expect((await run(there, 'restore', file, '--force')).out).toContain(differ);
  });

  it('is seen completely or not at all by a process that has the database open', async () => {
    const { home, file } = await movedHome();
    const there = otherPlace(home);
    mkdirSync(accountFolder(there), { recursive: true, mode: 0o700 });
    const beside = copyAt(there);
    expect(beside.isInUse).toBe(false);
    expect((await run(there, 'restore', file)).status).toBe(0);
    expect(beside.isInUse).toBe(true);
  });

  it('changes nothing when it fails in the middle', async () => {
    const { home } = await movedHome();
    const copy = copyAt(home);
    const half = join(temporaryFolder(), 'half.db');
    copy.writeTo(half);
    const broken = new DatabaseSync(half);
    broken.exec('DROP TABLE setting');
    broken.close();
    const before = tablesIn(home);
    const mark = { kind: 'restored', at: 1, madeAt: 1, stopped: true } as const;
    expect(() => copy.replaceBy(half, mark)).toThrow('setting');
    expect(tablesIn(home)).toEqual(before);
  });
});
