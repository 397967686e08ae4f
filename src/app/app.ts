// The composition root without Homebridge: one account's rooms, joined from a configuration, and ended together.
import { randomUUID } from 'node:crypto';
import type { Config, PartnerConfig } from '../config/config.ts';
import { type Credentials, completeCredentials } from '../config/credentials.ts';
import { type EffectiveLockOptions, effectiveLockOptions } from '../config/lock-options.ts';
import type { LockId } from '../domain/lock.ts';
import { LocalSocketClient } from '../panel/local-socket-client.ts';
import { newSocketPath, removeStaleSocket } from '../panel/local-socket-path.ts';
import { LocalSocketServer } from '../panel/local-socket-server.ts';
import { type PanelApi, panelApi, steppedBack } from '../panel/panel-api.ts';
import { panelEventOf } from '../panel/panel-event.ts';
import { LinkSession } from '../setup/link-session.ts';
import type { LeaseHolder } from '../storage/owner-lease.ts';
import { openStorage, type Storage } from '../storage/storage.ts';
import type { Clock } from '../support/clock.ts';
import { FinalError, messageOf, RetryError } from '../support/errors.ts';
import type { Log } from '../support/log.ts';
import { House, type HouseView } from '../sync/house.ts';
import { accountPlace } from './account-place.ts';
import { buildCloudClients, type CloudClients } from './cloud-clients.ts';
import { diagnose } from './diagnostics.ts';
import { OwnedLink } from './owned-link.ts';
import { Ownership } from './ownership.ts';
import { Push } from './push.ts';

export interface AppParts {
  readonly config: Config;
  /** Homebridge's storage path: the plugin keeps its things below it, unless the configuration names another place. */
  readonly homebridgeFolder: string;
  readonly clock: Clock;
  readonly log: Log;
  /** A number from 0 up to 1, for jitter. */
  readonly chance: () => number;
  /** Whether webhooks are received here, if the configuration wants them: not by a tool that runs for a moment. */
  readonly receivesWebhooks: boolean;
  /**
   * Called when another process asks for the account: a tool hands it over and ends, and answers true; the plugin
   * keeps it.
   */
  readonly onAskedToStepBack: () => boolean;
}

/** How long a tool may take to hand the account over, in milliseconds: it ends calls under way first (our choice). */
const STEPPING_BACK_MS = 5_000;

export class App {
  readonly #parts: AppParts;
  readonly #storage: Storage;
  readonly #clients: CloudClients;
  readonly #link: OwnedLink;
  readonly #house: House;
  readonly #linking: LinkSession;
  readonly #operations: PanelApi;
  readonly #ownership: Ownership;
  readonly #socketPath: string;
  #socket: LocalSocketServer | null = null;
  #push: Push | null = null;
  #started = false;
  readonly #ending = new AbortController();

  /**
   * Opens storage and joins the rooms; nothing is called yet. Throws a final error (`bad-configuration`) that says
   * what is missing, or a retry error (`storage-failed`).
   */
  constructor(parts: AppParts) {
    const { config, clock, log, chance } = parts;
    const { partner, credentials } = assertComplete(config);
    const place = accountPlace(parts.homebridgeFolder, config);
    this.#parts = parts;
    this.#socketPath = newSocketPath(place.folder);
    this.#storage = openStorage({ path: place.databaseFile, clock, log, ownerId: randomUUID() });
    const { vault, journal, roster, lease } = this.#storage;
    const assertOwned = (): void => {
      this.#link.assertOwned();
    };
    this.#clients = buildCloudClients({ partner, credentials, vault, clock, log, assertOwned });
    const { session, gateway, serviceTime } = this.#clients;
    this.#link = new OwnedLink(session, () => lease.isHeld(), log);
    this.#house = new House({
      gateway,
      journal,
      roster,
      link: this.#link,
      clock,
      serviceClock: serviceTime,
      log,
      chance,
      limits: {
        idleMs: config.pollIdleMs,
        healthyMs: config.pollHealthyMs,
        evidenceMaxAgeMs: config.evidenceMaxAgeMs,
      },
      rulesFor: (id) => ({
        remoteUnlock: this.lockOptions(id).remoteUnlock.value,
        force: config.forceCommands,
      }),
    });
    this.#linking = new LinkSession({
      server: this.#clients.server,
      adopt: session.adopt.bind(session),
      clock,
      ...partner,
    });
    this.#operations = this.#buildOperations();
    this.#house.subscribe((happening) => {
      this.#socket?.publish(panelEventOf(happening));
    });
    this.#ownership = new Ownership({
      lease,
      socketPath: this.#socketPath,
      clock,
      log,
      askToStepBack: async (holder) => this.#askToStepBack(holder),
      onOwned: async (previous) => this.#owned(previous),
      onLost: async () => this.#lost(),
    });
  }

  get house(): HouseView {
    return this.#house;
  }

  /** What may be asked of this process, by name. */
  get operations(): PanelApi {
    return this.#operations;
  }

  /** The options in force for one lock, and who set each. */
  lockOptions(id: LockId): EffectiveLockOptions {
    return effectiveLockOptions(this.#parts.config, {}, id);
  }

  /** Takes the account and asks the service for the first time. Resolves after the first answer or failure. */
  async start(): Promise<void> {
    await this.#ownership.take();
  }

  /** Ends everything, within the five seconds that Homebridge allows; a renewal of the token is let through. */
  async dispose(): Promise<void> {
    this.#ending.abort();
    const retired = this.#ownership.retire();
    this.#house.dispose();
    await Promise.all([this.#push?.close(), this.#socket?.close()]);
    // Ends the calls that a start under way waits for: only then is nothing left that could open or read anything.
    await this.#clients.close();
    await retired;
    this.#link.close();
    this.#ownership.release();
    this.#storage.close();
  }

  #buildOperations(): PanelApi {
    const { session, serviceTime, history, checkup } = this.#clients;
    const { config, onAskedToStepBack } = this.#parts;
    const facts = {
      config,
      house: this.#house,
      serviceTime,
      openCommands: () => this.#storage.journal.open().length,
      optionsFor: (id: LockId) => this.lockOptions(id),
    };
    return panelApi({
      house: this.#house,
      linking: this.#linking,
      unlink: () => {
        session.unlink();
      },
      stepBack: onAskedToStepBack,
      history,
      checkup,
      diagnose: () => diagnose(facts),
    });
  }

  async #owned(previous: LeaseHolder | null): Promise<void> {
    const { lease } = this.#storage;
    if (previous !== null) {
      removeStaleSocket(previous.socketPath, () => lease.isHeld());
    }
    // Whoever owned the account before may have renewed, linked or unlinked, and left commands without an end.
    this.#clients.session.reload();
    await this.#listen();
    if (this.#ending.signal.aborted) {
      return;
    }
    if (!lease.isHeld()) {
      // The machine slept while the socket was opened: whoever contends next begins anew.
      throw new RetryError('aborted', 'The account was held for too short a time to begin.');
    }
    this.#link.own(true);
    await Promise.all([this.#enterHouse(), this.#openPush()]);
  }

  async #enterHouse(): Promise<void> {
    if (this.#started) {
      this.#house.takeUp();
      return;
    }
    this.#started = true;
    await this.#house.start();
  }

  async #openPush(): Promise<void> {
    const { config, receivesWebhooks, clock, log } = this.#parts;
    if (!receivesWebhooks || config.webhooks === null || config.partner === null) {
      return;
    }
    this.#push = new Push({
      webhooks: config.webhooks,
      clients: this.#clients,
      storage: this.#storage,
      house: this.#house,
      link: this.#link,
      callback: {
        redirectUri: config.partner.redirectUri,
        finish: async (redirectedUrl) => this.#linking.finish(redirectedUrl),
      },
      clock,
      log,
    });
    await this.#push.open();
  }

  async #lost(): Promise<void> {
    this.#link.own(false);
    await Promise.all([this.#push?.close(), this.#socket?.close()]);
    this.#push = null;
    this.#socket = null;
  }

  /** Without its socket the owner still does its work; only the pages and the command line cannot reach it. */
  async #listen(): Promise<void> {
    const { clock, log } = this.#parts;
    if (this.#socket !== null) {
      return;
    }
    try {
      const socket = await LocalSocketServer.listen({
        path: this.#socketPath,
        operations: this.#operations,
        clock,
        log,
      });
      if (this.#ending.signal.aborted) {
        await socket.close();
        return;
      }
      this.#socket = socket;
    } catch (error) {
      log.warn(`Pages and the command line cannot reach the plugin: ${messageOf(error)}`);
    }
  }

  /** A tool answers, ends what it does and hangs up; the plugin answers that it stays. */
  async #askToStepBack({ socketPath }: LeaseHolder): Promise<void> {
    const { clock, log } = this.#parts;
    try {
      const client = await LocalSocketClient.connect({ path: socketPath, clock, log });
      await this.#waitFor(client);
    } catch (error) {
      log.debug(`The owner of the account could not be asked: ${messageOf(error)}`);
    }
  }

  /** Until it has hung up, or refused, or the wait is over. */
  async #waitFor(client: LocalSocketClient): Promise<void> {
    const hangUp = (): void => {
      void client.close();
    };
    const cancel = this.#parts.clock.after(STEPPING_BACK_MS, hangUp);
    const { signal } = this.#ending;
    signal.addEventListener('abort', hangUp, { once: true });
    try {
      if (signal.aborted || !steppedBack(await client.call('step-back'))) {
        hangUp();
      }
      await client.closed;
    } finally {
      cancel();
      signal.removeEventListener('abort', hangUp);
    }
  }
}

function assertComplete({ partner, missing, name }: Config): {
  partner: PartnerConfig;
  credentials: Credentials;
} {
  if (partner === null) {
    throw new FinalError('bad-configuration', `"${name}" is not set up yet. Missing: ${missing.join(', ')}.`);
  }
  const reading = completeCredentials(partner.credentials, NOTHING_KEPT);
  if (!reading.ok) {
    throw new FinalError(
      'bad-configuration',
      `"${name}" is not set up yet. Missing: ${reading.missing.join(', ')}.`,
    );
  }
  return { partner, credentials: reading.credentials };
}

/** No page keeps credentials yet: config.json is their only place. */
const NOTHING_KEPT = { clientId: null, clientSecret: null, subscriptionKeys: [] };
