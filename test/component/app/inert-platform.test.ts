// A platform block that is faulty or not finished: Homebridge gets one line for each reason, and nothing is started.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { API, Logging, PlatformConfig, PlatformPluginConstructor } from 'homebridge';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config/read-config.ts';
import { register } from '../../../src/plugin/platform.ts';
import { t } from '../../../src/words/translate.ts';
import { howOften } from '../../harness/how-often.ts';

const CONFIGURATIONS = howOften(400, 10_000);

/** Node reports every socket on these channels: a connecting one, an accepted one, a listening server. */
const SOCKET_CHANNELS = ['net.client.socket', 'net.server.socket', 'tracing:net.server.listen:asyncStart'];

/** Homebridge as far as a platform that must not start anything meets it. */
class BareHomebridge extends EventEmitter {
  readonly lines: string[] = [];
  readonly user: { readonly storagePath: () => string; readonly configPath: () => string };
  platform: PlatformPluginConstructor | null = null;

  constructor(folder: string) {
    super();
    this.user = { storagePath: () => folder, configPath: () => join(folder, 'config.json') };
    register(this as unknown as API);
  }

  registerPlatform(_plugin: string, _name: string, platform: PlatformPluginConstructor): void {
    this.platform = platform;
  }

  /** Starts with this block and ends again. */
  live(block: PlatformConfig): readonly string[] {
    const say = (line: string): void => {
      this.lines.push(line);
    };
    const logging = { debug: () => {}, info: say, warn: say, error: say } as unknown as Logging;
    const Platform = this.platform ?? expect.fail('No platform was registered');
    Reflect.construct(Platform, [logging, block, this]);
    this.emit('didFinishLaunching');
    this.emit('shutdown');
    return this.lines;
  }
}

const address = fc.constantFrom('https://service.example/v1', 'http://127.0.0.1:1', 'not an address', '');
const partOfPartner = fc.record(
  {
    authUrl: address,
    baseUrl: address,
    clientId: fc.string(),
    clientSecret: fc.string(),
    subscriptionKeys: fc.array(fc.string(), { maxLength: 2 }),
    allowInsecureLoopback: fc.boolean(),
    pkce: fc.anything(),
  },
  { requiredKeys: [] },
);
/** Nothing that is complete: there is no redirect URI in any. Debug is left out, since it changes what is a line. */
const anyBlock: fc.Arbitrary<object> = fc.oneof(
  fc.constant({}),
  fc.object(),
  fc.record({ name: fc.string(), partner: fc.oneof(partOfPartner, fc.anything()) }, { requiredKeys: [] }),
  fc.record(
    { partner: partOfPartner, polling: fc.anything(), locks: fc.anything() },
    { requiredKeys: ['partner'] },
  ),
);

describe('a platform that is not set up', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-inert-'));
  let sockets = 0;
  const count = (): void => {
    sockets += 1;
  };

  beforeAll(() => {
    for (const channel of SOCKET_CHANNELS) {
      subscribe(channel, count);
    }
  });

  afterAll(() => {
    for (const channel of SOCKET_CHANNELS) {
      unsubscribe(channel, count);
    }
    rmSync(folder, { recursive: true, force: true });
  });

  it('would be caught opening a socket', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { readonly port: number };
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
    server.close();
    expect(sockets).toBeGreaterThanOrEqual(2);
  });

  it('warns of an account outside the storage of Homebridge, and of a reason for it that is an option no more', () => {
    const outside = mkdtempSync(join(tmpdir(), 'latchkey-outside-'));
    const warnings = (storage: object): readonly string[] =>
      new BareHomebridge(folder)
        .live({ platform: 'Latchkey', name: 'Latchkey', storage })
        .filter((line) => line.includes('storage.'));
    expect(warnings({ path: outside })).toEqual([expect.stringContaining('is outside the storage folder')]);
    expect(warnings({ path: outside, outsideReason: 'The card is read-only.' })).toEqual([
      'storage.outsideReason: is no longer an option (storage.path may be anywhere); remove it',
      expect.stringContaining('is outside the storage folder'),
    ]);
    expect(warnings({ path: join(folder, 'latchkey') })).toEqual([]);
    rmSync(outside, { recursive: true });
  });

  it('opens no socket, makes no file, arms no timer and says what is wrong, whatever its block holds (faults#3)', () => {
    sockets = 0;
    const before = process.getActiveResourcesInfo().length;
    fc.assert(
      fc.property(anyBlock, (block) => {
        const lines = new BareHomebridge(folder).live({ platform: 'Latchkey', ...block });
        const reading = readConfig({ platform: 'Latchkey', ...block });
        const reasons = reading.ok
          ? ['is waiting for service details']
          : reading.problems.map((line) => t(line));
        const said = lines.filter((line) => line.startsWith('Not started'));
        expect(said).toEqual(reasons.map((reason) => expect.stringContaining(reason) as string));
        expect(lines.filter((line) => line.includes('\n'))).toEqual([]);
      }),
      { numRuns: CONFIGURATIONS },
    );
    expect(sockets).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
    expect(process.getActiveResourcesInfo().length).toBeLessThanOrEqual(before);
  });
});
