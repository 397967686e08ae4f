// Kills a process around the renewal of its token, and looks at the link that the next process finds.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Simulator } from '../../../simulator/src/partner-server.ts';
import { OAuthClient } from '../../../src/cloud/account/oauth-client.ts';
import { TokenSession } from '../../../src/cloud/account/token-session.ts';
import type { LinkState } from '../../../src/domain/account/account.ts';
import { openStorage } from '../../../src/storage/storage.ts';
import { systemClock } from '../../../src/support/clock.ts';
import { silentLog } from '../../../src/support/log.ts';
import { systemRandom } from '../../../src/support/random.ts';
import { consent } from '../../stand-ins/service/simulated.ts';
import { Account } from './account.ts';

/** Accounts beside each other, to save time. */
const LANES = 5;
export type Point = 'before-request' | 'between-answer-and-row' | 'after-row';

/** The facts about the authorization server that a process needs, in a form that its command line takes. */
type ServerSettings = ReturnType<typeof settingsFor>;

function oauthClientOf({ client, ...server }: ServerSettings): OAuthClient {
  return new OAuthClient({ ...server, client: () => client, clock: systemClock });
}

function settingsFor({ authUrl, clients }: Simulator) {
  const [client] = clients;
  return {
    authUrl,
    allowInsecureLoopback: true,
    client: { clientId: client?.clientId ?? '', clientSecret: client?.clientSecret ?? '' },
    redirectUri: client?.redirectUris[0] ?? '',
  };
}

export class Linked {
  readonly account: Account;
  readonly #server: OAuthClient;

  static async open(refreshGraceMs: number): Promise<Linked> {
    const linked = new Linked(await Account.open({ authorization: { refreshGraceMs } }));
    await linked.link();
    return linked;
  }

  private constructor(account: Account) {
    this.account = account;
    this.#server = oauthClientOf(settingsFor(account.simulator));
    onTestFinished(async () => this.#server.close());
  }

  async link(): Promise<void> {
    const url = new URL(await consent(this.#server.authorizeUrl({ state: 'state', challenge: null })));
    const tokens = await this.#server.exchange(url.searchParams.get('code') ?? '', null);
    const storage = this.#storage();
    storage.vault.write('linked', tokens);
    storage.close();
  }

  /** A process begins to renew the token and is killed there. */
  async killAt(point: Point): Promise<void> {
    const { databaseFile, simulator } = this.account;
    const program = fileURLToPath(new URL('token-process.ts', import.meta.url));
    const args = [program, databaseFile, point, JSON.stringify(settingsFor(simulator))];
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
      stdio: 'inherit',
    });
    await once(child, 'exit');
    if (child.signalCode !== 'SIGKILL') {
      throw new Error(`The process was not killed ${point}: ${String(child.exitCode)}`);
    }
  }

  /** The next process needs a token; resolves with the state of its link afterwards. */
  async goOn(): Promise<LinkState> {
    const storage = this.#storage();
    const session = new TokenSession({
      vault: storage.vault,
      server: this.#server,
      clock: systemClock,
      log: silentLog,
      random: systemRandom,
    });
    try {
      session.invalidate(await session.accessToken());
      await session.accessToken();
    } catch {
      // The state says it.
    }
    await session.dispose();
    storage.close();
    return session.link.state();
  }

  #storage() {
    return openStorage({
      path: this.account.databaseFile,
      clock: systemClock,
      log: silentLog,
    });
  }
}

/** Kills that many processes between the answer of a renewal and its row, and lets the next go on: the links' states. */
export async function killBetweenAnswerAndRow(kills: number): Promise<readonly LinkState[]> {
  // Longer than any pause of this machine: the kills are what is tried here, not the window.
  const accounts = await Promise.all(Array.from({ length: LANES }, async () => Linked.open(60_000)));
  const states: LinkState[] = [];
  await Promise.all(
    accounts.map(async (linked) => {
      for (let kill = 0; kill < kills / LANES; kill += 1) {
        await linked.killAt('between-answer-and-row');
        states.push(await linked.goOn());
      }
    }),
  );
  return states;
}
