// Opens the pages for one account if they are configured, retries while opening fails, and closes them.
import { hostname, networkInterfaces } from 'node:os';
import type { PanelConfig } from '../../config/config.ts';
import type { CertificateView } from '../../domain/account/certificate-policy.ts';
import { type Message, message } from '../../domain/language/message.ts';
import type { Linking } from '../../linking/linking.ts';
import type { CancelTimer, Clock } from '../../support/clock.ts';
import { FinalError, RetryError, wordsOf } from '../../support/errors.ts';
import type { Log } from '../../support/log.ts';
import { readCertificate } from '../../support/server/certificate.ts';
import { t } from '../../words/translate.ts';
import type {
  DashboardApi,
  DashboardLogin,
  DashboardPlaceView,
  LoginView,
} from '../operations/dashboard-api.ts';
import type { PanelApi } from '../operations/panel-api.ts';
import type { PanelEvent } from '../panel-event.ts';
import type { Role } from '../sessions/role.ts';
import { dashboardPlace, leadsToDashboard } from './place.ts';
import type { DashboardServer, DashboardServerParts } from './server.ts';

/** Delay before opening the pages is retried, in milliseconds: the port may become free. */
const TRY_AGAIN_MS = 60_000;

/** The archive of sessions. Only the process that serves the pages writes it, whoever owns the account. */
const SESSIONS_KEY = 'dashboard.sessions';

const LOGIN_IN_HOMEBRIDGE = message(
  'To log in, run "{command}" or use the plugin\'s settings in the Homebridge UI.',
  { command: 'npx homebridge-latchkey panel --login' },
);

interface OpenDashboard {
  readonly server: DashboardServer;
  readonly urls: readonly string[];
  readonly leave: () => void;
}

export class Dashboard implements DashboardApi {
  readonly #parts;
  #open: OpenDashboard | null = null;
  #trouble: Message = message('It is being opened.');
  #isReported = false;
  #retry: CancelTimer | null = null;
  #closed = false;
  /** The opening in progress, if any. Never rejects. */
  #opening: Promise<void> = Promise.resolve();

  constructor(parts: {
    /** Null: no pages are configured. */
    readonly wanted: PanelConfig | null;
    /** Whether this process is resident, and so serves the configured pages and callbacks. */
    readonly resident: boolean;
    /** Small values across restarts. Both throw when the disk fails. */
    readonly settings: { read(key: string): unknown; write(key: string, value: object): void };
    /** The receiver of the browser when the redirect URI leads to the pages. */
    readonly linking: Pick<Linking, 'callback' | 'served'>;
    /** How a person gets a login, as the end of a sentence; Homebridge's way when left out. */
    readonly howToLogIn?: string | undefined;
    readonly clock: Clock;
    readonly log: Log;
  }) {
    this.#parts = parts;
  }

  /** Serves the pages if configured. Never rejects: without pages everything else still works. */
  async open(operations: PanelApi): Promise<void> {
    const { wanted, resident } = this.#parts;
    if (wanted !== null && resident) {
      this.#opening = this.#openOnce(wanted, operations);
      await this.#opening;
    }
  }

  /** Emits an event to every open page. */
  publish(event: PanelEvent): void {
    this.#open?.server.publish(event);
  }

  /** The certificate in use; null without one. */
  certificate(): CertificateView | null {
    return this.#open?.server.certificate() ?? null;
  }

  /** Where the pages are; null while they are not open. */
  get url(): string | null {
    return this.#open?.urls[0] ?? null;
  }

  show(): DashboardPlaceView {
    this.#assertServed();
    return this.#open === null
      ? { open: false, urls: [], trouble: this.#trouble }
      : { open: true, urls: this.#open.urls, trouble: null };
  }

  login(role: Role): DashboardLogin {
    this.#assertServed();
    if (this.#open === null) {
      throw new RetryError(
        'unreachable',
        message('The dashboard is not open. {trouble}', { trouble: this.#trouble }),
      );
    }
    const { server, urls } = this.#open;
    const [url = ''] = urls;
    const { token, expiresInMs } = server.mintLogin(role);
    // The login stands after the #, so that it is in no request, no log of a server and no Referer.
    return { url: `${url}/#login=${token}`, expiresInMs };
  }

  logins(): readonly LoginView[] {
    return this.#open?.server.logins() ?? [];
  }

  endLogin(id: string): void {
    this.#open?.server.endLogin(id);
  }

  /** Ends every connection; nothing is tried again. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#retry?.();
    await this.#opening;
    this.#open?.leave();
    await this.#open?.server.close();
    this.#open = null;
  }

  async #openOnce(wanted: PanelConfig, operations: PanelApi): Promise<void> {
    try {
      // The server is loaded only here: it would delay the start of every home without pages.
      const { startPanelServer } = await import('./server.ts');
      if (!this.#closed) {
        this.#open = await this.#serve(startPanelServer, wanted, operations);
        this.#greet(this.#open);
      }
    } catch (error) {
      this.#trouble = wordsOf(error);
      this.#tryAgain(operations);
    }
  }

  async #serve(
    startPanelServer: (parts: DashboardServerParts) => Promise<DashboardServer>,
    { host, port, origin, tls }: PanelConfig,
    operations: PanelApi,
  ): Promise<OpenDashboard> {
    const { linking, settings, clock, log } = this.#parts;
    const machine = { hostname: hostname(), addresses: reachableAddresses() };
    const place = dashboardPlace(host, machine, { isEncrypted: tls !== null, origin });
    const leadsHere = leadsToDashboard(linking.callback.redirectUri, place, port);
    const callback = leadsHere ? linking.callback : null;
    const server = await startPanelServer({
      place,
      port,
      tls: tls === null ? null : () => readCertificate(tls, 'panel.tls'),
      operations,
      callback,
      shelf: {
        read: () => settings.read(SESSIONS_KEY),
        write: (sessions) => settings.write(SESSIONS_KEY, sessions),
      },
      clock,
      log,
    });
    return {
      server,
      urls: [
        ...(place.origin === null ? [] : [place.origin]),
        ...place.openAt.map((name) => `${place.scheme}//${name}:${server.port}`),
      ],
      leave: leadsHere ? linking.served() : () => {},
    };
  }

  #greet({ urls }: OpenDashboard): void {
    const [url = ''] = urls;
    const { howToLogIn = t(LOGIN_IN_HOMEBRIDGE), log } = this.#parts;
    log.info(`${t('The dashboard is at {url}.', { url })} ${howToLogIn}`);
  }

  #tryAgain(operations: PanelApi): void {
    if (this.#closed) {
      return;
    }
    if (!this.#isReported) {
      this.#isReported = true;
      this.#parts.log.warn(
        t('{trouble} Everything else keeps working; it will be tried again.', { trouble: this.#trouble }),
      );
    }
    this.#retry = this.#parts.clock.after(TRY_AGAIN_MS, () => void this.open(operations));
  }

  #assertServed(): void {
    if (this.#parts.wanted === null) {
      throw new FinalError(
        'bad-configuration',
        message('The dashboard is off. Turn on "Serve the dashboard" ({option}), then restart Homebridge.', {
          option: 'panel.enabled',
        }),
      );
    }
    if (!this.#parts.resident) {
      throw new FinalError(
        'not-permitted',
        message(
          "The dashboard is served by the plugin, which isn't running. Start Homebridge, then try again.",
        ),
      );
    }
  }
}

/** The addresses of this machine that others can reach, those of the older and shorter kind first. */
function reachableAddresses(): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  const reachable = all.filter(({ internal, address }) => !internal && !address.startsWith('fe80:'));
  return reachable.sort((a, b) => a.family.localeCompare(b.family)).map(({ address }) => address);
}
