// The plugin's account with its dashboard, over a service in a process of its own that can be lost and comes back.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { App } from '../../src/app/app.ts';
import { systemClock } from '../../src/support/clock.ts';
import { silentLog } from '../../src/support/log.ts';
import { Wire } from '../browser/wire.ts';
import { freePort } from '../harness/free-port.ts';
import { consent } from '../stand-ins/service/simulated.ts';
import { configOf } from '../support/checked-config.ts';

const PROGRAM = join(import.meta.dirname, '..', '..', 'dist', 'cli', 'main.js');

/** What `latchkey simulate` prints. */
const announced = z.object({
  url: z.url(),
  authUrl: z.url(),
  baseUrl: z.url(),
  clients: z.tuple(
    [
      z.object({
        clientId: z.string(),
        clientSecret: z.string(),
        subscriptionKeys: z.array(z.string()),
        redirectUris: z.array(z.string()),
      }),
    ],
    z.unknown(),
  ),
});

export class DistantHome {
  readonly #service: ChildProcess;
  readonly #wire: Wire;
  readonly #app: App;
  readonly #folder: string;

  private constructor(service: ChildProcess, wire: Wire, app: App, folder: string) {
    this.#service = service;
    this.#wire = wire;
    this.#app = app;
    this.#folder = folder;
  }

  /** Linked, with the locks of the simulator's default house. */
  static async open(): Promise<DistantHome> {
    const service = spawn(process.execPath, [PROGRAM, 'simulate', '--auto-approve', 'resident'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const line = await new Promise<string>((resolve) => {
      createInterface(service.stdout).once('line', resolve);
    });
    const { url, authUrl, baseUrl, clients } = announced.parse(JSON.parse(line));
    const wire = await Wire.to(Number(new URL(url).port));
    const [{ clientId, clientSecret, subscriptionKeys, redirectUris }] = clients;
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-house-'));
    const config = configOf({
      name: 'Latchkey',
      panel: { enabled: true, port: await freePort() },
      partner: {
        authUrl: onWire(authUrl),
        baseUrl: onWire(baseUrl),
        redirectUri: redirectUris[0],
        allowInsecureLoopback: true,
        clientId,
        clientSecret,
        subscriptionKeys,
      },
    });
    const app = new App({
      config,
      homebridgeFolder: folder,
      clock: systemClock,
      log: silentLog,
      random: Math.random,
      resident: true,
      onAskedToStepBack: () => false,
    });
    await app.start();
    const { authorizeUrl } = await app.operations['link.start']({});
    await app.operations['link.finish']({ redirectedUrl: await consent(authorizeUrl) });
    return new DistantHome(service, wire, app, folder);
  }

  /** Opens the dashboard logged in. */
  async loginUrl(): Promise<string> {
    return (await this.#app.operations['panel.login']({})).url;
  }

  /** `gone`: connections are refused, as when its process was killed. `stopped`: they are taken, and nothing answers. */
  lose(how: 'gone' | 'stopped'): void {
    if (how === 'gone') {
      this.#wire.cut();
    } else {
      this.#service.kill('SIGSTOP');
    }
  }

  mend(): void {
    this.#wire.mend();
    this.#service.kill('SIGCONT');
  }

  async close(): Promise<void> {
    await this.#app.dispose();
    await this.#wire.close();
    const gone = once(this.#service, 'exit');
    this.#service.kill('SIGKILL');
    await gone;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The same address through the wire. */
function onWire(address: string): string {
  const url = new URL(address);
  url.hostname = '[::1]';
  return url.href.replace(/\/$/u, '');
}
