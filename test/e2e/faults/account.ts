// An account that real processes use: a folder, a simulator in this process, and the platform block for it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import {
  type Simulator,
  type SimulatorOptions,
  startSimulator,
} from '../../../simulator/src/partner-server.ts';
import { accountPlace } from '../../../src/installation/place.ts';
import { platformBlock, RESIDENT } from '../../homes/simulated-home.ts';
import { consent, control } from '../../stand-ins/service/simulated.ts';
import { IpcProcess } from './ipc-process.ts';

/** A request as the simulator recorded it. */
export interface Request {
  readonly method: string;
  readonly url: string;
  readonly body: string | null;
  readonly answer: string | null;
}

/** Tokens are renewed at once, and answered later. */
export const SLOW_RENEWAL = {
  kind: 'latency',
  delayMs: 1_500,
  when: 'after-work',
  often: 'always',
  path: '**/token',
} as const;

export class Account {
  readonly simulator: Simulator;
  readonly folder: string;
  readonly #block: Readonly<Record<string, unknown>>;
  readonly #processes: IpcProcess[] = [];

  /** Everything is ended and removed with the test. */
  static async open(options: SimulatorOptions = {}): Promise<Account> {
    const simulator = await startSimulator({
      ...options,
      authorization: { autoApproveUserId: RESIDENT, ...options.authorization },
    });
    const account = new Account(simulator);
    onTestFinished(async () => {
      await Promise.all(account.#processes.map(async (one) => one.end('SIGKILL')));
      await simulator.close();
      rmSync(account.folder, { recursive: true, force: true });
    });
    return account;
  }

  private constructor(simulator: Simulator) {
    this.simulator = simulator;
    this.folder = mkdtempSync(join(tmpdir(), 'latchkey-account-'));
    this.#block = { ...platformBlock(simulator), polling: { idleSeconds: 5 } };
  }

  get databaseFile(): string {
    return accountPlace(this.folder, { name: 'Latchkey', storagePath: null }).databaseFile;
  }

  /** A process that uses the account. */
  process(role: 'plugin' | 'tool'): IpcProcess {
    const reported = new IpcProcess({ role, folder: this.folder, block: this.#block });
    this.#processes.push(reported);
    return reported;
  }

  /** Links the account through a process that is ready. */
  async link(reported: IpcProcess): Promise<void> {
    const { authorizeUrl } = (await reported.ask('link.start')) as { readonly authorizeUrl: string };
    await reported.ask('link.finish', { redirectedUrl: await consent(authorizeUrl) });
  }

  async requests(): Promise<readonly Request[]> {
    const answer = await fetch(`${this.simulator.controlUrl}/requests`);
    return (await answer.json()) as readonly Request[];
  }

  /** Calls that spent a refresh token. */
  async renewals(): Promise<readonly Request[]> {
    const requests = await this.requests();
    return requests.filter(({ body }) => body?.includes('grant_type=refresh_token') === true);
  }

  /** How many calls of the token endpoint have arrived, answered or not. */
  async tokenCalls(): Promise<number> {
    const requests = await this.requests();
    return requests.filter(({ url }) => url.includes('/token')).length;
  }

  async control(path: string, details: Readonly<Record<string, unknown>> = {}): Promise<void> {
    await control(this.simulator.controlUrl, path, details);
  }

  /** How many commands for a bolt the service was sent. */
  async commands(): Promise<number> {
    const requests = await this.requests();
    return requests.filter(
      ({ method, body }) => method === 'POST' && body?.includes('ChangeLockState') === true,
    ).length;
  }

  /** SQLite's judgement of the file: `ok`. */
  integrity(): unknown {
    return this.#rows('PRAGMA integrity_check')[0]?.['integrity_check'];
  }

  /** The refresh token as it is on the disk. */
  storedRefreshToken(): unknown {
    return this.#rows('SELECT refresh_token FROM link')[0]?.['refresh_token'];
  }

  /** Commands in the journal that have no end. */
  openCommands(): number {
    return this.#rows('SELECT lock_id FROM command WHERE outcome IS NULL').length;
  }

  /** Locks with a command of which nobody can say whether the service got it: killed before its answer came. */
  unansweredLocks(): readonly string[] {
    const rows = this.#rows('SELECT lock_id FROM command WHERE outcome IS NULL AND command_id IS NULL');
    return rows.map((row) => String(row['lock_id']));
  }

  /** Read beside whoever writes them. */
  #rows(sql: string): readonly Readonly<Record<string, unknown>>[] {
    const database = new DatabaseSync(this.databaseFile, { readOnly: true });
    try {
      return database.prepare(sql).all();
    } finally {
      database.close();
    }
  }
}

/** The newest refresh token that the service issued. */
export function newestRefreshToken(requests: readonly Pick<Request, 'answer'>[]): string | undefined {
  return requests
    .flatMap(({ answer }) =>
      [...(answer ?? '').matchAll(/"refresh_token":"([^"]+)"/g)].map(([, token]) => token),
    )
    .at(-1);
}
