// Push for one account: the listener, what proves its events, and the registration with the service, joined and ended together.
import type { WebhooksConfig } from '../config/config.ts';
import type { IgnoredEvents, RegistrationState, SelfTestReport } from '../domain/webhook-report.ts';
import type { Storage } from '../storage/storage.ts';
import type { CancelTimer, Clock } from '../support/clock.ts';
import { FinalError, messageOf, RetryError } from '../support/errors.ts';
import type { Log } from '../support/log.ts';
import type { House } from '../sync/house.ts';
import { SelfTestRound } from '../sync/self-test-round.ts';
import { SubscriptionKeeper } from '../sync/subscription-keeper.ts';
import type { AnswerCounts } from '../webhook/answer.ts';
import type { Listener, ListenerParts } from '../webhook/listener.ts';
import type { CloudClients } from './cloud-clients.ts';
import type { Linking } from './linking.ts';
import { keysOf, leadsHere, methodOf, tlsOf } from './listener-options.ts';
import type { OwnedLink } from './owned-link.ts';
import type { WebhookAddresses } from './webhook-addresses.ts';

export interface PushParts {
  readonly webhooks: WebhooksConfig;
  readonly clients: CloudClients;
  readonly storage: Pick<Storage, 'ledger'>;
  readonly addresses: WebhookAddresses;
  readonly house: House;
  readonly link: OwnedLink;
  /** For when the redirect URI leads to the listener. */
  readonly linking: Pick<Linking, 'callback' | 'served'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** How long until a listener that could not be opened is tried again, in milliseconds: whoever has the port may go. */
const TRY_AGAIN_MS = 60_000;

/** How receiving goes, for people who look. */
export interface PushState {
  readonly listener: string | null;
  readonly registration: RegistrationState;
  readonly trouble: string | null;
  readonly lastEventAgoMs: number | null;
  readonly answers: AnswerCounts;
  readonly ignored: IgnoredEvents;
  readonly lastSelfTest: SelfTestReport | null;
}

export class Push {
  readonly #parts: PushParts;
  #listener: Listener | null = null;
  #keeper: SubscriptionKeeper | null = null;
  #round: SelfTestRound | null = null;
  #unsubscribe: (() => void) | null = null;
  #retry: CancelTimer | null = null;
  #told = false;
  #closed = false;
  /** The opening that is under way, if any. Never rejects. */
  #opening: Promise<void> = Promise.resolve();

  constructor(parts: PushParts) {
    this.#parts = parts;
  }

  /** Opens the listener and registers it. Never rejects: without push the house asks instead (faults#4). */
  async open(): Promise<void> {
    this.#opening = this.#openOnce();
    await this.#opening;
  }

  /** What was received is in the ledger when it resolves, and nothing is under way. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#retry?.();
    this.#round?.dispose();
    this.#keeper?.dispose();
    this.#unsubscribe?.();
    await this.#opening;
    await this.#listener?.close();
  }

  state(): PushState {
    const { house, webhooks, clock } = this.#parts;
    const { lastEventAt } = house.webhooks;
    const byHand = webhooks.publicUrl === null;
    return {
      listener: this.#listener?.address ?? null,
      registration: byHand ? 'by-hand' : (this.#keeper?.state ?? 'pending'),
      trouble: this.#keeper?.trouble ?? null,
      lastEventAgoMs: lastEventAt === null ? null : clock.monotonic() - lastEventAt,
      answers: this.#listener?.counts() ?? {},
      ignored: house.ignoredEvents,
      lastSelfTest: this.#round?.last ?? null,
    };
  }

  /** Registers now, if that is not done; how it went, the state tells. Rejects when it is left to the person, or unlinked. */
  async register(): Promise<void> {
    this.#assertOpen();
    if (this.#keeper === null) {
      throw new FinalError(
        'bad-configuration',
        'No public address is set (webhooks.publicUrl), so the registration is left to you.',
      );
    }
    // Without a link nothing would be tried, and nobody would know why.
    await this.#parts.clients.session.accessToken();
    await this.#keeper.look();
  }

  /** Sends a request of our own through the public address and says where it got lost. */
  async selfTest(): Promise<SelfTestReport> {
    return this.#assertOpen().testNow();
  }

  #assertOpen(): SelfTestRound {
    if (this.#round === null) {
      throw new RetryError(
        'unreachable',
        'Webhooks cannot be received at the moment, because the listener is not open: the log says why.',
      );
    }
    return this.#round;
  }

  async #openOnce(): Promise<void> {
    try {
      // Loaded only here: its server and its cryptography would delay the start of every home that polls.
      const { startListener, unguessablePath } = await import('../webhook/listener.ts');
      if (this.#closed) {
        return;
      }
      const path = this.#parts.addresses.pathOr(unguessablePath);
      const listener = await startListener(this.#listenerParts(path));
      this.#listener = listener;
      if (this.#closed) {
        return;
      }
      this.#parts.log.info(`Webhooks are received at ${listener.address}.`);
      this.#listenToHouse(listener);
      this.#beginRound(listener);
      this.#keepRegistered(listener);
    } catch (error) {
      this.#tryAgain(error);
    }
  }

  #listenToHouse(listener: Listener): void {
    const { house, link, clients } = this.#parts;
    const deafen = house.listenTo(listener.feed);
    // The key can be asked for only by an account that is linked, and should be there before the first event.
    const forget = link.subscribe((state) => {
      if (state === 'linked') {
        void clients.signingKeys.refresh();
      }
    });
    const leave = this.#servesCallback ? this.#parts.linking.served() : () => {};
    this.#unsubscribe = () => {
      deafen();
      forget();
      leave();
    };
  }

  #listenerParts(path: string): ListenerParts {
    const { webhooks, storage, clients, linking, clock, log } = this.#parts;
    return {
      host: webhooks.host,
      port: webhooks.port,
      path,
      tls: tlsOf(webhooks),
      method: methodOf(webhooks),
      signatureHeader: webhooks.signatureHeader,
      keys: keysOf(webhooks, clients.signingKeys),
      ledger: storage.ledger,
      serviceClock: clients.serviceTime,
      clock,
      log,
      callback: this.#servesCallback ? linking.callback : null,
    };
  }

  get #servesCallback(): boolean {
    const { webhooks, linking } = this.#parts;
    return leadsHere(webhooks, linking.callback.redirectUri);
  }

  #beginRound(listener: Listener): void {
    const { house, addresses, clock } = this.#parts;
    this.#round = new SelfTestRound({
      watch: house.webhooks,
      test: async () => this.#test(listener),
      testable: () => addresses.url !== null && this.#keeper?.state === 'standing',
      clock,
    });
    this.#round.look();
  }

  async #test(listener: Listener): Promise<SelfTestReport> {
    const { addresses, clients } = this.#parts;
    return addresses.url === null
      ? { finding: 'no-public-address', status: null, tookMs: null, at: clients.serviceTime.now() }
      : listener.selfTest(addresses.url);
  }

  #keepRegistered(listener: Listener): void {
    const { addresses, clients, link, house, clock, log } = this.#parts;
    const { url } = addresses;
    if (url === null) {
      log.info(
        'No public address is set (webhooks.publicUrl), so the registration with the service is left to you.',
      );
      return;
    }
    this.#keeper = new SubscriptionKeeper({
      gateway: clients.subscriptions,
      link,
      registered: addresses,
      url,
      expectConsentQuestion: () => listener.expectRegistration(null),
      onStanding: () => {
        this.#round?.look();
      },
      onMade: () => {
        house.noticeGap();
      },
      clock,
      log,
    });
    void this.#keeper.look();
  }

  #tryAgain(error: unknown): void {
    if (this.#closed) {
      return;
    }
    if (!this.#told) {
      this.#told = true;
      this.#parts.log.warn(
        `Webhooks cannot be received: ${messageOf(error)} Until they can, the service is asked more often.`,
      );
    }
    if (!(error instanceof FinalError)) {
      this.#retry = this.#parts.clock.after(TRY_AGAIN_MS, () => {
        void this.open();
      });
    }
  }
}
