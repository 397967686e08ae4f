// The demo without its process: the steps that it starts, links, repeats and undoes, with a service that a test ends by hand.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Demo } from '../../../src/demo/demo.ts';
import { removeDemoFolder } from '../../../src/demo/folder.ts';
import type { DemoProcess, DemoSystem } from '../../../src/demo/process.ts';
import { lockId, unknownLock } from '../../../src/domain/locks/lock.ts';
import type { StayAnswer } from '../../../src/features/stays/panel/views.ts';
import { accountPlace } from '../../../src/installation/place.ts';
import { viewOf } from '../../../src/panel/views/lock.ts';
import { type Log, silentLog } from '../../../src/support/log.ts';
import { configOf } from '../../support/checked-config.ts';
import { ManualClock, settlePromises } from '../../support/manual-clock.ts';
import { named } from '../../support/named-lock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const LINE = JSON.stringify({
  url: 'http://127.0.0.1:4711',
  authUrl: 'http://127.0.0.1:4711/auth',
  baseUrl: 'http://127.0.0.1:4711/api',
  productSegment: 'locks',
  calendars: [{ name: 'Rental portal', url: 'http://127.0.0.1:4711/calendars/secret.ics' }],
  clients: [
    {
      clientId: 'client-1',
      clientSecret: 'hush',
      redirectUris: ['https://demo.example/callback'],
      subscriptionKeys: ['one', 'two'],
    },
  ],
});

/** A service that prints `lines`, one for each start, and ends on request of the test or the demo. */
class ScriptedSystem implements DemoSystem {
  readonly ports: number[] = [];
  readonly asked: string[] = [];
  endNow: () => void = () => {};
  running = 0;
  readonly #lines: readonly (string | null)[];

  constructor(...lines: readonly (string | null)[]) {
    this.#lines = lines;
  }

  start(port: number): DemoProcess {
    const line = this.#lines[this.ports.push(port) - 1] ?? null;
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    let isRunning = line !== null;
    this.running += line === null ? 0 : 1;
    const end = (): void => {
      this.running -= isRunning ? 1 : 0;
      isRunning = false;
      resolve();
    };
    if (line === null) {
      resolve();
    }
    this.endNow = end;
    return { introduction: Promise.resolve(line), ended, end };
  }

  async consent(authorizeUrl: string): Promise<string> {
    this.asked.push(authorizeUrl);
    return Promise.resolve('https://demo.example/callback?code=1');
  }
}

function stage(system: ScriptedSystem) {
  const homebridgeFolder = temporaryFolder();
  const config = configOf({ platform: 'Latchkey', demo: true });
  const clock = new ManualClock(undefined, settlePromises);
  const lines: string[] = [];
  const keep = (line: string): void => {
    lines.push(line);
  };
  const log: Log = { ...silentLog, info: keep, warn: keep, error: keep };
  const demo = new Demo({ config, homebridgeFolder, clock, log, system });
  const finished: unknown[] = [];
  const added: unknown[] = [];
  const nothingYet = { calendars: [], stays: [] };
  const operations = {
    locks: async () =>
      Promise.resolve(['front', 'back', 'garage'].map((id) => viewOf(unknownLock(lockId(id), named(id))))),
    'stays.add-calendar': async (input: unknown): Promise<StayAnswer> => {
      added.push(input);
      return Promise.resolve({ kind: 'saved', stays: nothingYet });
    },
    'link.start': async () =>
      Promise.resolve({
        authorizeUrl: 'http://127.0.0.1:4711/auth/authorize',
        redirectUri: 'https://demo.example/callback',
        expiresInMs: 1,
        callbackMode: 'paste' as const,
      }),
    'link.finish': async (input: unknown) => {
      finished.push(input);
      return Promise.resolve({ link: 'linked' as const, accountChange: null, unanswered: null });
    },
  };
  const { folder } = accountPlace(homebridgeFolder, config);
  return { demo, config, clock, lines, operations, finished, added, homebridgeFolder, folder };
}

/** The stored files of an account, or of a demo. */
function store(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'latchkey.db'), 'stored');
}

describe('the demo', () => {
  it('opens the account at its own service, links it by itself and says in the log that nothing is real', async () => {
    const system = new ScriptedSystem(LINE);
    const { demo, config, operations, finished, lines } = stage(system);
    const opened = await demo.open();
    expect({ ...opened, partner: null }).toEqual(config);
    expect(opened?.partner).toMatchObject({
      baseUrl: 'http://127.0.0.1:4711/api',
      redirectUri: 'https://demo.example/callback',
      allowInsecureLoopback: true,
      credentials: { clientId: 'client-1', clientSecret: 'hush', subscriptionKeys: ['one', 'two'] },
    });
    await demo.link(operations);
    expect(system.asked).toEqual(['http://127.0.0.1:4711/auth/authorize']);
    expect(finished).toEqual([{ redirectedUrl: 'https://demo.example/callback?code=1' }]);
    expect(lines).toEqual([expect.stringMatching(/^DEMO: .*simulated.*http:\/\/127\.0\.0\.1:4711\b/u)]);
    expect(lines.join()).not.toContain('hush');
  });

  it('gives the account the booking calendar of its portal, on two locks, and only once', async () => {
    const { demo, clock, operations, added, lines } = stage(new ScriptedSystem(LINE, LINE));
    await demo.open();
    expect(added).toEqual([]);
    await demo.link(operations);
    const address = 'http://127.0.0.1:4711/calendars/secret.ics';
    expect(added).toEqual([{ name: 'Rental portal', address, locks: ['front', 'back'] }]);
    // A person removed it: linking anew does not bring it back.
    await demo.link(operations);
    await clock.advance(10_000);
    expect(added).toHaveLength(1);
    expect(lines.join()).not.toContain('secret');
  });

  it.each([
    ['link.start', 'The demo could not be linked; restart Homebridge. The disk is full'],
    ['locks', 'The demo has no booking calendar; restart Homebridge. The disk is full'],
  ])('says so when "%s" fails while it is linked, and rejects nothing', async (name, line) => {
    const { demo, operations, lines } = stage(new ScriptedSystem(LINE));
    await demo.open();
    await demo.link({ ...operations, [name]: async () => Promise.reject(new Error('The disk is full')) });
    expect(lines.at(-1)).toBe(line);
  });

  it('starts a service that ended again after two seconds, at the same port, and links anew', async () => {
    const system = new ScriptedSystem(LINE, null, LINE);
    const { demo, clock, operations, finished } = stage(system);
    await demo.open();
    await demo.link(operations);
    system.endNow();
    await clock.advance(1_999);
    expect(system.ports).toEqual([0]);
    await clock.advance(1);
    expect([system.ports, finished.length]).toEqual([[0, 4_711], 1]);
    await clock.advance(2_000);
    expect([system.ports, finished.length]).toEqual([[0, 4_711, 4_711], 2]);
  });

  it('says what to do when its service does not start, and does not try for ever', async () => {
    const system = new ScriptedSystem(null);
    const { demo, clock } = stage(system);
    await expect(demo.open()).rejects.toMatchObject({ disposition: 'retry' });
    await clock.advance(3_600_000);
    expect(system.ports).toEqual([0]);
  });

  it('ends its service when it is closed, starts none afterwards and arms no timer', async () => {
    const system = new ScriptedSystem(LINE, LINE);
    const { demo, clock } = stage(system);
    await demo.open();
    await demo.close();
    await clock.advance(60_000);
    expect([system.running, system.ports, clock.pendingTimers]).toEqual([0, [0], 0]);
  });

  it('opens no account when it was closed while its service started', async () => {
    const system = new ScriptedSystem(LINE);
    const { demo, lines } = stage(system);
    const opening = demo.open();
    await demo.close();
    expect([await opening, system.running, lines]).toEqual([null, 0, []]);
  });
});

describe('the folder of the demo', () => {
  it('is begun anew at each start, and is gone at the end; the account of the same name keeps its own', async () => {
    const { demo, folder, homebridgeFolder, config } = stage(new ScriptedSystem(LINE));
    const account = accountPlace(homebridgeFolder, { ...config, demo: false });
    expect(account.folder).not.toBe(folder);
    store(account.folder);
    store(folder);
    await demo.open();
    expect(existsSync(folder)).toBe(false);
    store(folder);
    await demo.close();
    expect(existsSync(account.databaseFile)).toBe(true);
    expect(readdirSync(homebridgeFolder)).toEqual(['latchkey']);
  });

  it('goes without the demo of another block, and need not be there to be removed', () => {
    const home = temporaryFolder();
    removeDemoFolder(home, { name: 'One' });
    expect(readdirSync(home)).toEqual([]);
    const [one = '', other = ''] = ['One', 'Other'].map(
      (name) => accountPlace(home, { name, storagePath: null, demo: true }).folder,
    );
    store(one);
    store(other);
    removeDemoFolder(home, { name: 'One' });
    expect([existsSync(one), existsSync(other)]).toEqual([false, true]);
  });
});
