// The pages on a real panel over the stand-in of an account.
import type { BrowserContext } from 'playwright-core';
import { addFeatures } from '../../src/features/index.ts';
import { dashboardPlace } from '../../src/panel/http/place.ts';
import { type DashboardServer, startPanelServer } from '../../src/panel/http/server.ts';
import type { Role } from '../../src/panel/sessions/role.ts';
import type { Operations } from '../../src/panel/socket/server.ts';
import { systemClock } from '../../src/support/clock.ts';
import { silentLog } from '../../src/support/log.ts';
import { memberOf } from '../../src/support/text/foreign-json.ts';
import { freePort } from '../harness/free-port.ts';
import { StandInAccount } from '../stand-ins/account/operations.ts';

// Programs that take pictures or measure show the pages of features as well.
addFeatures();

interface Served {
  account: StandInAccount;
  operations: Operations;
}

export class AccountPanel {
  /**
   * Taken again, so that a browser has compiled the scripts of an address already. The system gives them to nobody meanwhile: a
   * port of its own choice went to a connection of another test before it was taken again.
   */
  static readonly #closedPorts: number[] = [];
  readonly server: DashboardServer;
  readonly #served: Served;

  private constructor(served: Served, server: DashboardServer) {
    this.#served = served;
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
    const { pagesFolder, port = AccountPanel.#closedPorts.pop() ?? (await freePort()) } = options;
    const place = dashboardPlace('127.0.0.1', { hostname: 'hallway', addresses: [] });
    const served: Served = { account, operations: {} };
    const server = await startPanelServer({
      place,
      port,
      operations: new Proxy<Operations>({}, { get: (_, name) => served.operations[String(name)] }),
      callback: null,
      shelf: { read: () => undefined, write: () => {} },
      clock: systemClock,
      log: silentLog,
      ...(pagesFolder === undefined ? {} : { pagesFolder }),
    });
    const panel = new AccountPanel(served, server);
    panel.serve(account);
    return panel;
  }

  get account(): StandInAccount {
    return this.#served.account;
  }

  /** Answers for another account from now on, at the same address; nobody is logged in to it. */
  serve(account: StandInAccount): void {
    const { server } = this;
    this.dismiss();
    account.answers.set('panel.logins', () => server.logins());
    account.answers.set('panel.end-login', (input) => server.endLogin(String(memberOf(input, 'id'))));
    account.publish = (event) => {
      server.publish(event);
    };
    this.#served.account = account;
    this.#served.operations = account.operations;
  }

  /** Ends every login. */
  dismiss(): void {
    for (const { id } of this.server.logins()) {
      this.server.endLogin(id);
    }
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
