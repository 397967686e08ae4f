// The house of a soak: ten locks, the packed plugin in a real Homebridge whose clock leaps, a paired Home, a gate to the service.
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../harness/free-port.ts';
import { Stage } from '../harness/stage.ts';
import type { TestLock } from '../harness/test-lock.ts';
import { Gate } from './gate.ts';
import { type HomeReport, homeReport } from './home-report.ts';
import { LeapClock } from './leap-clock.ts';
import { LEAP_FILE, LeapFile } from './leap-file.ts';

const PRELOAD = new URL('leap-preload.ts', import.meta.url).href;
const WEBHOOKS_WITHIN_MS = 60_000;
/** The shortest that the option allows: then even the history has to be flat after a week. */
const KEEP_HISTORY_DAYS = 7;
/** The code of the resident at each keypad. */
export const RESIDENT_CODE = '2580';

export interface SoakHouseOptions {
  readonly folder: string;
  readonly pluginsFolder: string;
  readonly seed: string;
  readonly locks: number;
}

interface Parts {
  readonly stage: Stage;
  readonly clock: LeapClock;
  readonly toService: Gate;
  readonly toHome: Gate;
  readonly file: number;
  readonly reportPort: number;
}

export class SoakHouse {
  readonly stage: Stage;
  readonly clock: LeapClock;
  /** The way of the plugin's calls, and that of the service's webhooks. */
  readonly toService: Gate;
  readonly toHome: Gate;
  readonly locks: readonly TestLock[];
  readonly #file: number;
  readonly #reportPort: number;

  static async open({ folder, pluginsFolder, seed, locks }: SoakHouseOptions): Promise<SoakHouse> {
    const path = join(folder, 'leaps');
    const file = openSync(path, 'w+');
    const clock = new LeapClock(new LeapFile(file));
    const simulatorPort = await freePort();
    const webhookPort = await freePort();
    const reportPort = await freePort();
    const toService = await Gate.to(simulatorPort);
    const toHome = await Gate.to(webhookPort);
    Object.assign(process.env, {
      NODE_OPTIONS: `--import="${PRELOAD}"`,
      [LEAP_FILE]: path,
      LATCHKEY_SOAK_PORT: String(reportPort),
    });
    const stage = await Stage.open({
      folder,
      pluginsFolder,
      simulatorPort,
      simulatorClock: clock,
      scenario: { seed, ...household(locks) },
      partner: { authUrl: `${toService.url}/auth`, baseUrl: `${toService.url}/api` },
      options: {
        webhooks: { enabled: true, port: webhookPort, publicUrl: toHome.url },
        history: { keepDays: KEEP_HISTORY_DAYS },
      },
    });
    await stage.link();
    await stage.homebridge.line(/Webhooks arrive/, WEBHOOKS_WITHIN_MS);
    await stage.pair();
    await stage.listen();
    return new SoakHouse({ stage, clock, toService, toHome, file, reportPort });
  }

  private constructor({ stage, clock, toService, toHome, file, reportPort }: Parts) {
    this.stage = stage;
    this.clock = clock;
    this.toService = toService;
    this.toHome = toHome;
    this.locks = stage.locks;
    this.#file = file;
    this.#reportPort = reportPort;
  }

  /** Lets time pass, in leaps. */
  async until(instant: number): Promise<void> {
    await this.clock.until(instant, async () => this.stage.simulator.deliveriesIdle());
  }

  /** How the Homebridge process is; its heap as V8 knows it goes to the file `snapshot`. */
  async report(snapshot?: string): Promise<HomeReport> {
    const query = snapshot === undefined ? '' : `?snapshot=${encodeURIComponent(snapshot)}`;
    const answer = await fetch(`http://127.0.0.1:${String(this.#reportPort)}/${query}`);
    return homeReport.parse(await answer.json());
  }

  async close(): Promise<void> {
    await this.stage.close();
    await this.toService.close();
    await this.toHome.close();
    this.clock.close();
    closeSync(this.#file);
  }
}

function household(count: number) {
  return {
    settings: { webhooks: { allowHttpToLoopback: true } },
    locks: Array.from({ length: count }, (_, index) => ({
      name: `Door ${String(index + 1).padStart(2, '0')}`,
      type: 'WifiDeadbolt' as const,
      roles: { resident: 'owner' as const },
      accessCodes: [{ name: 'Resident', code: RESIDENT_CODE }],
    })),
  };
}
