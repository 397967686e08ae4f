// Moving house: an account from one computer to another by its encrypted file, and by a copy of Homebridge's folder.
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { accountPlace } from '../../../../src/app/account/place.ts';
import { App } from '../../../../src/app/app.ts';
import { backUp } from '../../../../src/app/backup/backup.ts';
import { OPENS_AFTER_MS } from '../../../../src/app/webhooks/service.ts';
import { readConfig } from '../../../../src/config/read-config.ts';
import { AccountCopy } from '../../../../src/storage/account-copy.ts';
import { silentLog } from '../../../../src/support/log.ts';
import { lossWords } from '../../../../src/words/account.ts';
import { freePort } from '../../../harness/free-port.ts';
import { platformBlock, SimulatedHome } from '../../../homes/simulated-home.ts';
import { consent } from '../../../stand-ins/service/simulated.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { begin, type Ran, writeConfig } from '../terminal.ts';

const PASSPHRASE = 'correct horse battery';
const HOUR_MS = 3_600_000;

/** Another computer: a folder of its own, and the same service. */
type Place = Pick<SimulatedHome, 'folder' | 'simulator' | 'clock'>;

function otherPlace(home: SimulatedHome): Place {
  const place = { folder: temporaryFolder(), simulator: home.simulator, clock: home.clock };
  writeConfig(place, {});
  return place;
}

async function run(place: Pick<Place, 'folder' | 'clock'>, ...words: readonly string[]): Promise<Ran> {
  return begin(place, words, place.clock, { environment: { LATCHKEY_PASSPHRASE: PASSPHRASE } }).ended;
}

function configAt({ simulator }: Place) {
  const reading = readConfig(platformBlock(simulator));
  if (!reading.ok) {
    throw new Error(reading.problems.join(' '));
  }
  return reading.config;
}

/** The plugin on that computer, with its log. */
async function started(place: Place): Promise<{ readonly app: App; readonly lines: readonly string[] }> {
  const lines: string[] = [];
  const say = (line: string): void => {
    lines.push(line);
  };
  const app = new App({
    config: configAt(place),
    homebridgeFolder: place.folder,
    clock: place.clock,
    log: { debug() {}, info: say, warn: say, error: say },
    random: () => 0.5,
    resident: true,
    onAskedToStepBack: () => false,
  });
  onTestFinished(async () => app.dispose());
  await app.start();
  await place.clock.advance(0);
  return { app, lines };
}

/** A linked account whose plugin has ended, so that the computer can be moved. */
async function endedHome(): Promise<SimulatedHome> {
  const home = await SimulatedHome.linked();
  writeConfig(home, {});
  await home.app.dispose();
  return home;
}

const accountFolder = (place: Place): string => accountPlace(place.folder, configAt(place)).folder;

/** The text of every file of the account, to look for secrets in. */
function everything(place: Place): string {
  const folder = accountFolder(place);
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('');
}

function refreshTokenIn(place: Place): string | null {
  const database = new DatabaseSync(join(accountFolder(place), 'latchkey.db'), { readOnly: true });
  try {
    return String(database.prepare('SELECT refresh_token FROM link').get()?.['refresh_token'] ?? '') || null;
  } finally {
    database.close();
  }
}

/** What a file may cost at least: an eighth of the usual time, for all who open it. */
const QUICK = { log2N: 14, r: 8, p: 1 };

/** A backup that was made while the plugin was stopped, as `latchkey backup --and-stop` makes it. */
async function movedHome(): Promise<{ home: SimulatedHome; file: string; token: string }> {
  const home = await endedHome();
  const token = refreshTokenIn(home) ?? '';
  const file = join(temporaryFolder(), 'house.latchkey');
  await backUp({
    config: configAt(home),
    block: platformBlock(home.simulator),
    homebridgeFolder: home.folder,
    clock: home.clock,
    log: silentLog,
    signal: new AbortController().signal,
    emit: () => {},
    file,
    force: false,
    stop: true,
    passphrase: async () => Promise.resolve(PASSPHRASE),
    cost: QUICK,
  });
  return { home, file, token };
}

describe('an account that is moved to another computer', () => {
  it('works there at once, without a new sign-in, and for good', async () => {
    const { home, file } = await movedHome();
    const there = otherPlace(home);
    const { status, out } = await run(there, 'restore', file);
    expect([status, out]).toEqual([
      0,
      expect.stringMatching(/^"Latchkey" is back, as it was on .* Now start Homebridge\.\n$/u),
    ]);
    const { app } = await started(there);
    await there.clock.advance(6 * HOUR_MS);
    expect(await app.operations.status({})).toMatchObject({ link: 'linked', failing: null, locks: 3 });
    const [front] = await app.operations.locks({});
    expect(await app.operations.move({ lock: front?.id, to: 'unsecured' })).toMatchObject({
      kind: 'accepted',
    });
  });

  it('leaves no token on the old computer, calls nothing from there, and says so', async () => {
    const { home, token } = await movedHome();
    expect(token).not.toBe('');
    expect(everything(home)).not.toContain(token);
    const before = (await home.requests('GET', '/')).length;
    await home.restart();
    await home.clock.advance(24 * HOUR_MS);
    expect((await home.requests('GET', '/')).length).toBe(before);
    expect(await home.app.operations.status({})).toMatchObject({ link: 'moved' });
    expect(home.lines.filter((line) => line.startsWith(lossWords('moved')))).toHaveLength(1);
    const locks = await run(home, 'locks');
    expect([locks.status, locks.err]).toEqual([3, expect.stringContaining('moved to another computer')]);
    expect((await run(home, 'doctor')).out).toMatch(/^FAULT {2}link .*moved to another computer/mu);
    expect((await run(home, 'doctor')).out).toMatch(/^note {3}move .*gave the account up on /mu);
  });

  it('appears at no broker and receives no webhook on the old computer until it is connected again', async () => {
    const { home } = await movedHome();
    const app = home.another({
      webhooks: { enabled: true, port: await freePort(), publicUrl: 'https://home.example' },
      mqtt: { url: `mqtt://127.0.0.1:${String(await freePort())}` },
    });
    onTestFinished(async () => app.dispose());
    const isOpen = async (): Promise<readonly [boolean, boolean]> => {
      await home.clock.advance(OPENS_AFTER_MS);
      const { listener } = await app.operations['webhooks.status']({});
      const { state } = await app.operations['mqtt.status']({});
      return [listener !== null, state !== 'off'];
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
    expect(await home.app.operations.status({})).toMatchObject({ link: 'linked', failing: null });
  });

  it('keeps the settings of pages, and who may still not unlock', async () => {
    const home = await SimulatedHome.linked();
    writeConfig(home, {});
    const id = home.idOf('Garage');
    await home.app.operations['locks.configure']({ lock: id, settings: { remoteUnlock: false } });
    await home.app.dispose();
    const file = join(temporaryFolder(), 'house.latchkey');
    await run(home, 'backup', file, '--and-stop');
    const there = otherPlace(home);
    await run(there, 'restore', file);
    const { app } = await started(there);
    expect(app.lockOptions(id).remoteUnlock).toMatchObject({ value: false });
  });
});

describe('two computers with one account', () => {
  it('are noticed by the one that is refused, which says so and stays quiet (faults#139)', async () => {
    const home = await endedHome();
    const file = join(temporaryFolder(), 'house.latchkey');
    await run(home, 'backup', file);
    const there = otherPlace(home);
    expect((await run(there, 'restore', file)).out).toContain(
      'Stop Latchkey for good on the computer that made the backup',
    );
    await started(there);
    await home.restart();
    await home.clock.advance(3 * HOUR_MS);
    const mine = await home.app.operations.status({});
    const theirs = (await run(there, 'locks', '--json')).status;
    expect([mine.link, theirs].toString()).toMatch(/^(?:used-elsewhere,0|linked,3)$/u);
    expect((await run(there, 'doctor')).out).toMatch(/^note {3}move .*restored here on .*was not stopped/mu);
  });
});

describe('a copy of the folder, as Homebridge’s own backup makes it', () => {
  it('works at another place, though its lease names a process of the first', async () => {
    const home = await SimulatedHome.linked();
    writeConfig(home, {});
    // File by file, while the plugin runs; sockets are left out.
    const there = { folder: temporaryFolder(), simulator: home.simulator, clock: home.clock };
    cpSync(home.folder, there.folder, { recursive: true, filter: (path) => !statSync(path).isSocket() });
    await home.app.dispose();
    const { app } = await takenOver(there);
    await there.clock.advance(2 * HOUR_MS);
    expect(await app.operations.status({})).toMatchObject({ link: 'linked', failing: null, locks: 3 });
  });

  /** The owner that the copy names seems to live, since all are one process: it is waited for. */
  async function takenOver(place: Place) {
    const starting = started(place);
    for (let waitedMs = 0; waitedMs < 33_000; waitedMs += 1_000) {
      await place.clock.advance(1_000);
    }
    return starting;
  }
});

describe('latchkey backup', () => {
  it('goes on beside a running plugin, and writes one file for its owner alone', async () => {
    const home = await SimulatedHome.linked();
    writeConfig(home, {});
    const file = join(temporaryFolder(), 'house.latchkey');
    const { status, out } = await run(home, 'backup', file);
    expect([status, out]).toEqual([0, expect.stringContaining('To move it to another one, use --and-stop.')]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'latin1')).not.toContain(refreshTokenIn(home));
    await home.clock.advance(2 * HOUR_MS);
    expect(await home.app.operations.status({})).toMatchObject({ link: 'linked', failing: null });
  });

  it('leaves nothing unencrypted behind, and includes every file of an account', async () => {
    const { home } = await movedHome();
    const known = /^(?:latchkey\.db(?:-wal|-shm)?|account\.json|owner-[0-9a-f]+\.sock)$/u;
    expect(readdirSync(accountFolder(home)).filter((name) => !known.test(name))).toEqual([]);
  });

  it('overwrites nothing without --force', async () => {
    const home = await endedHome();
    const file = join(temporaryFolder(), 'house.latchkey');
    writeFileSync(file, 'something else');
    const refused = await run(home, 'backup', file, '--and-stop');
    expect([refused.status, refused.err]).toEqual([
      1,
      expect.stringContaining('is there already. Name another file, or add --force.'),
    ]);
    expect(readFileSync(file, 'utf8')).toBe('something else');
    expect(refreshTokenIn(home)).not.toBeNull();
    expect((await run(home, 'backup', file, '--force')).status).toBe(0);
    expect(readFileSync(file).subarray(0, 8).toString()).toBe('LATCHKEY');
  });

  it('does not give up an account that a plugin runs', async () => {
    const home = await SimulatedHome.linked();
    writeConfig(home, {});
    const file = join(temporaryFolder(), 'house.latchkey');
    const { status, err } = await run(home, 'backup', file, '--and-stop');
    expect([status, err]).toEqual([
      1,
      expect.stringMatching(/^Nothing was changed: process \d+ runs this account\. Stop Homebridge/u),
    ]);
    expect(existsSync(file)).toBe(false);
    expect(await home.app.operations.status({})).toMatchObject({ link: 'linked' });
  });

  it.each([
    ['too short', ['short', 'short'], '12 to 1024 characters'],
    ['not typed alike', [PASSPHRASE, 'correct horse batterie'], 'the two are not the same'],
  ])('with a passphrase that is %s writes nothing', async (_, typed, words) => {
    const home = await endedHome();
    const file = join(temporaryFolder(), 'house.latchkey');
    const lines = [...typed];
    const readLine = async () => Promise.resolve(lines.shift() ?? null);
    const { status, err } = await begin(home, ['backup', file, '--and-stop'], home.clock, { readLine }).ended;
    expect([status, err]).toEqual([1, expect.stringContaining(words)]);
    expect(existsSync(file)).toBe(false);
    expect(refreshTokenIn(home)).not.toBeNull();
  });

  it('says where there is no account to back up', async () => {
    const home = await endedHome();
    const { status, err } = await run(otherPlace(home), 'backup', 'house.latchkey');
    expect([status, err]).toEqual([1, expect.stringContaining('There is nothing to back up')]);
    expect(existsSync('house.latchkey')).toBe(false);
  });
});

describe('latchkey restore', () => {
  it('makes and changes nothing with a wrong passphrase, or from a damaged file', async () => {
    const { home, file } = await movedHome();
    const there = otherPlace(home);
    const wrong = await begin(there, ['restore', file], there.clock, {
      environment: { LATCHKEY_PASSPHRASE: 'another passphrase' },
    }).ended;
    expect([wrong.status, wrong.err]).toEqual([1, expect.stringContaining('The passphrase is wrong')]);
    const damaged = join(temporaryFolder(), 'damaged');
    const bytes = readFileSync(file);
    bytes.writeUInt8(bytes.readUInt8(5_000) ^ 1, 5_000);
    writeFileSync(damaged, bytes);
    const refused = await run(there, 'restore', damaged);
    expect([refused.status, refused.err]).toEqual([1, expect.stringContaining('The file is damaged')]);
    expect(readdirSync(there.folder)).toEqual(['config.json']);
  });

  it('is refused while a plugin runs the account, which goes on with what it has', async () => {
    const { home, file } = await movedHome();
    const there = otherPlace(home);
    const { app } = await started(there);
    const { status, err } = await run(there, 'restore', file);
    expect([status, err]).toEqual([1, expect.stringContaining('runs this account. Stop Homebridge')]);
    expect(await app.operations.status({})).toMatchObject({ link: 'unlinked' });
  });

  it('replaces an account that is in use only with --force', async () => {
    const { home, file, token } = await movedHome();
    await home.restart();
    await home.link();
    await home.app.dispose();
    const mine = refreshTokenIn(home);
    const refused = await run(home, 'restore', file);
    expect([refused.status, refused.err]).toEqual([
      1,
      expect.stringContaining('is in use here. Add --force'),
    ]);
    expect(refreshTokenIn(home)).toBe(mine);
    expect((await run(home, 'restore', file, '--force')).status).toBe(0);
    expect(refreshTokenIn(home)).toBe(token);
  });

  it('needs the account in config.json, and gives its block to a person who lost it', async () => {
    const { home, file } = await movedHome();
    const there = otherPlace(home);
    writeFileSync(join(there.folder, 'config.json'), JSON.stringify({ platforms: [] }));
    const refused = await run(there, 'restore', file);
    expect([refused.status, refused.err]).toEqual([1, expect.stringContaining('has no account "Latchkey"')]);
    const blockFile = join(there.folder, 'block.json');
    expect((await run(there, 'restore', file, '--block', blockFile)).status).toBe(0);
    expect(statSync(blockFile).mode & 0o777).toBe(0o600);
    const block: unknown = JSON.parse(readFileSync(blockFile, 'utf8'));
    writeFileSync(join(there.folder, 'config.json'), JSON.stringify({ platforms: [block] }));
    expect((await run(there, 'restore', file)).status).toBe(0);
  });

  it('says when config.json allows something that the backup forbids', async () => {
    const { home, file } = await movedHome();
    const there = otherPlace(home);
    writeConfig(there, { locks: [{ id: 'some-lock', remoteUnlock: true }] });
    const { out } = await run(there, 'restore', file);
    expect(out).toContain('The options in config.json are not those of the backup');
  });

  it('is seen completely or not at all by a process that has the database open', async () => {
    const { home, file } = await movedHome();
    const there = otherPlace(home);
    mkdirSync(accountFolder(there), { recursive: true, mode: 0o700 });
    const path = join(accountFolder(there), 'latchkey.db');
    const beside = new AccountCopy({ path, clock: there.clock, log: silentLog, ownerId: 'beside' });
    onTestFinished(() => {
      beside.close();
    });
    expect(beside.isInUse).toBe(false);
    expect((await run(there, 'restore', file)).status).toBe(0);
    expect(beside.isInUse).toBe(true);
  });

  it('changes nothing when it fails in the middle', async () => {
    const { home } = await movedHome();
    const folder = accountFolder(home);
    const copy = new AccountCopy({
      path: join(folder, 'latchkey.db'),
      clock: home.clock,
      log: silentLog,
      ownerId: 'us',
    });
    onTestFinished(() => {
      copy.close();
    });
    copy.lease.acquire('/nowhere');
    const half = join(temporaryFolder(), 'half.db');
    copy.writeTo(half);
    const broken = new DatabaseSync(half);
    broken.exec('DROP TABLE setting');
    broken.close();
    const before = copyOf(folder);
    const mark = { kind: 'restored', at: 1, madeAt: 1, stopped: true } as const;
    expect(() => copy.replaceBy(half, mark)).toThrow('setting');
    expect(copyOf(folder)).toEqual(before);
  });
});

/** Every row of the database, read from a copy that does not disturb other processes. */
function copyOf(folder: string): unknown {
  const to = temporaryFolder();
  for (const name of readdirSync(folder).filter((each) => each.startsWith('latchkey.db'))) {
    copyFileSync(join(folder, name), join(to, name));
  }
  const database = new DatabaseSync(join(to, 'latchkey.db'));
  const tables = database.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all();
  const rows = tables.map(({ name }) => [name, database.prepare(`SELECT * FROM "${String(name)}"`).all()]);
  database.close();
  return rows;
}
