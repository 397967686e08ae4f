// The pages on a real panel over the stand-in of an account.
import type { BrowserContext } from 'playwright-core';
import { addFeatures } from '../../src/features/index.ts';
import { dashboardPlace } from '../../src/panel/http/place.ts';
import { type DashboardServer, startPanelServer } from '../../src/panel/http/server.ts';
import type { Role } from '../../src/panel/sessions/role.ts';
import { systemClock } from '../../src/support/clock.ts';
import { silentLog } from '../../src/support/log.ts';
import { memberOf } from '../../src/support/text/foreign-json.ts';
import { StandInAccount } from '../stand-ins/account/operations.ts';

// Programs that take pictures or measure show the pages of features as well.
addFeatures();

export class AccountPanel {
  /** Taken again, so that a browser has compiled the scripts of an address already. */
  static readonly #closedPorts: number[] = [];
  readonly account: StandInAccount;
  readonly server: DashboardServer;

  private constructor(account: StandInAccount, server: DashboardServer) {
    this.account = account;
    this.server = server;
  }

  /** `pagesFolder`: other pages than those in dist/. */
  static async start(
    account = new StandInAccount(),
    options: {
      readonly pagesFolder?: string | undefined;
      readonly port?: number;
    } = {},
  ): Promise<AccountPanel> {
    const { pagesFolder, port = AccountPanel.#closedPorts.pop() ?? 0 } = options;
    const place = dashboardPlace('127.0.0.1', { hostname: 'hallway', addresses: [] });
    account.answers.set('panel.logins', () => server.logins());
    account.answers.set('panel.end-login', (input) => server.endLogin(String(memberOf(input, 'id'))));
    const server = await startPanelServer({
      place,
      port,
      operations: account.operations,
      callback: null,
      shelf: { read: () => undefined, write: () => {} },
      clock: systemClock,
      log: silentLog,
      ...(pagesFolder === undefined ? {} : { pagesFolder }),
    });
    account.publish = (event) => {
      server.publish(event);
    };
    return new AccountPanel(account, server);
  }

  get url(): string {
    return `http://127.0.0.1:${String(this.server.port)}/`;
  }

  /** Logs the browser in beforehand, so that its pages open at once. */
  async admit(context: BrowserContext, role?: Role): Promise<void> {
    await admit(context, this.server, role);
  }

  async close(): Promise<void> {
    const { port } = this.server;
    await this.server.close();
    AccountPanel.#closedPorts.push(port);
  }
}

/** Exchanges a login token for the cookie of a session, and gives it to the browser. */
export async function admit(context: BrowserContext, server: DashboardServer, role?: Role): Promise<void> {
  const url = `http://127.0.0.1:${String(server.port)}`;
  const answer = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json' },
    body: JSON.stringify({ token: server.mintLogin(role).token }),
  });
  const [name = '', value = ''] = answer.headers.get('set-cookie')?.split(';', 1)[0]?.split('=') ?? [];
  await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Strict' }]);
}
