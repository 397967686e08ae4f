// The process behind a window, started and ended as the Homebridge UI does it: it answers over its channel and leaves nothing behind.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { startSimulator } from '../../../simulator/src/partner-server.ts';
import { ownerOf } from '../../../src/ownership/owner-search.ts';
import { systemClock } from '../../../src/support/clock.ts';
import { silentLog } from '../../../src/support/log.ts';
import { within } from '../../harness/deadline.ts';
import { platformBlock, RESIDENT } from '../../homes/simulated-home.ts';
import { consent } from '../../stand-ins/service/simulated.ts';
import { configOf } from '../../support/checked-config.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const program = join(import.meta.dirname, '..', '..', '..', 'src', 'ui-server', 'main.ts');

/** The Homebridge UI sends a SIGTERM five seconds after it has cut the channel. */
const ENDS_WITHIN_MS = 20_000;
const READY_WITHIN_MS = 30_000;

const started = z.object({ authorizeUrl: z.url() });
const message = z.object({
  action: z.string(),
  payload: z.object({ requestId: z.string().optional(), data: z.unknown().optional() }),
});

class UiProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
  written = '';
  readonly ready: Promise<void>;
  readonly #waiting = new Map<string, (data: unknown) => void>();

  constructor(folder: string) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ready = promise;
    this.child = fork(program, [], {
      silent: true,
      execArgv: ['--disable-warning=ExperimentalWarning'],
      env: {
        ...process.env,
        HOMEBRIDGE_STORAGE_PATH: folder,
        HOMEBRIDGE_CONFIG_PATH: join(folder, 'config.json'),
        HOMEBRIDGE_UI_VERSION: '5.28.0',
      },
    });
    this.ended = once(this.child, 'exit');
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (data: Buffer) => {
        this.written += data.toString();
      });
    }
    this.child.on('message', (raw: unknown) => {
      const { action, payload } = message.parse(raw);
      if (action === 'ready') {
        resolve();
      }
      this.#waiting.get(payload.requestId ?? '')?.(payload.data);
    });
  }

  async call(operation: string, input?: unknown): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    this.#waiting.set(operation, resolve);
    const body = { account: 'Latchkey', operation, input };
    this.child.send({ action: 'request', requestId: operation, path: '/call', body });
    return promise;
  }
}

describe('the process behind a window', () => {
  it('links over its channel, and gives the account back when the channel is closed in the middle of a call', async () => {
    const folder = temporaryFolder();
    const simulator = await startSimulator({ authorization: { autoApproveUserId: RESIDENT } });
    onTestFinished(async () => simulator.close());
    const block = platformBlock(simulator);
    const config = configOf(block);
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ platforms: [block] }));

    const ui = new UiProcess(folder);
    onTestFinished(() => {
      ui.child.kill('SIGKILL');
    });
    await within(ui.ready, READY_WITHIN_MS, () => `It did not begin: ${ui.written}`);
    const { authorizeUrl } = started.parse(await ui.call('link.start'));
    const redirectedUrl = await consent(authorizeUrl);
    expect(await ui.call('link.finish', { redirectedUrl })).toMatchObject({ link: 'linked' });
    const owner = (): unknown =>
      ownerOf({ config, homebridgeFolder: folder, clock: systemClock, log: silentLog });
    expect(owner()).not.toBeNull();

    void ui.call('refresh');
    ui.child.disconnect();
    await within(ui.ended, ENDS_WITHIN_MS, () => `It did not end: ${ui.written}`);
    expect(ui.child.exitCode).toBe(0);
    expect(owner()).toBeNull();
    expect(ui.written).not.toMatch(/Error|Incoming Request/);
    const [client] = simulator.clients;
    for (const secret of [client?.clientSecret, ...(client?.subscriptionKeys ?? []), redirectedUrl]) {
      expect(ui.written).not.toContain(secret);
    }
  });
});
