// The composition root without Homebridge: one account's life in this process, from taking the account to giving it back.
import { rmSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import type { CertificateView } from '../domain/account/certificate-policy.ts';
import type { FeatureStatus } from '../domain/account/feature-status.ts';
import type { LockId } from '../domain/locks/lock.ts';
import type { SourcedValues } from '../domain/locks/settings.ts';
import type { RuntimeView } from '../engine/account-runtime.ts';
import { OwnerSocket } from '../ownership/owner-socket.ts';
import { Ownership } from '../ownership/ownership.ts';
import { Dashboard } from '../panel/http/dashboard.ts';
import type { PanelApi } from '../panel/operations/panel-api.ts';
import type { PanelEvent } from '../panel/panel-event.ts';
import { newSocketPath, removeStaleSocket } from '../panel/socket/path.ts';
import type { NextOwner } from '../panel/socket/protocol.ts';
import type { Owner } from '../storage/account/account-owner.ts';
import type { Values } from '../storage/account/settings.ts';
import type { Log } from '../support/log.ts';
import type { Metric } from '../support/server/prometheus.ts';
import { lossWords, waitingForCredentials } from '../words/account.ts';
import { t } from '../words/translate.ts';
import { type Composition, compose } from './compose.ts';
import type { ComposeParts } from './compose-parts.ts';
import { bookedIn, type ServedAccount } from './features.ts';
import { operationsOf } from './operations.ts';
import { AccountWebhooks } from './webhooks/api.ts';
import { WebhookService } from './webhooks/service.ts';

export interface AppParts extends ComposeParts {
  /** Whether webhooks are received and pages served here, if the configuration wants them: not by a tool that runs for a moment. */
  readonly resident: boolean;
  /**
   * Called when another process requests the account: a tool hands it over, ends and answers true; the plugin keeps it.
   */
  readonly onAskedToStepBack: () => boolean;
  /** How a person gets a login to the dashboard, as the end of a sentence; Homebridge's way when left out. */
  readonly howToLogIn?: string;
  /** What features of the shell around say of themselves; left out where it has none. */
  readonly featureStatus?: () => Partial<FeatureStatus>;
  /** Receives the reason why the account cannot be taken, each time that it changes; left out, the log does. */
  readonly onObstacle?: (line: string) => void;
}

/** How long the answer to the last operation may take to leave, in milliseconds (our choice). */
const ANSWERED_WITHIN_MS = 1_000;

export class App {
  /** Where this process listens for others once it owns the account. */
  readonly socketPath: string;
  readonly #parts: AppParts;
  readonly #composition: Composition;
  readonly #operations: PanelApi;
  readonly #socket: OwnerSocket;
  readonly #ownership: Ownership;
  readonly #panel: Dashboard;
  #push: WebhookService | null = null;
  readonly #ending = new AbortController();
  /** The account has ended: its files go with this process's hold on it. */
  #isOver = false;
  #disposal: Promise<void> | null = null;

  /** Composes the modules; nothing is called yet. Throws as `compose` does. */
  constructor(parts: AppParts) {
    const { clock, log } = parts;
    this.#parts = parts;
    this.#composition = compose(parts);
    const { config, clients, runtime, linking, addresses, storage } = this.#composition;
    const { resident, howToLogIn } = parts;
    const { settings } = storage;
    this.#panel = new Dashboard({
      wanted: config.panel,
      resident,
      settings,
      linking,
      howToLogIn,
      clock,
      log,
    });
    this.#operations = operationsOf(this.#composition, {
      stepBack: parts.onAskedToStepBack,
      clock,
      panel: this.#panel,
      host: howToLogIn === undefined ? 'homebridge' : 'service',
      certificates: () => this.#certificates(),
      featureStatus: parts.featureStatus ?? (() => ({})),
      onEnded: () => this.#endAccount(),
      webhooks: new AccountWebhooks({
        webhooks: config.webhooks,
        addresses,
        subscriptions: clients.subscriptions,
        health: () => runtime.webhooks.report,
        push: () => this.#push,
      }),
    });
    this.socketPath = newSocketPath(this.#composition.folder);
    this.#socket = new OwnerSocket({
      path: this.socketPath,
      operations: this.#operations,
      clock,
      log,
      ending: this.#ending.signal,
    });
    this.subscribe((event) => {
      this.#socket.publish(event);
      this.#panel.publish(event);
    });
    this.#composition.link.subscribe((state) => {
      // The account was connected here again after a move.
      if (state === 'linked') {
        this.#openPush();
      }
    });
    this.#ownership = new Ownership({
      owner: this.#composition.storage.owner,
      socketPath: this.socketPath,
      clock,
      log,
      onObstacle: parts.onObstacle,
      comesFirst: resident,
      askToStepBack: async (holder) => this.#socket.askToStepBack(holder.socketPath),
      onOwned: async (previous) => this.#owned(previous),
    });
  }

  get runtime(): RuntimeView {
    return this.#composition.runtime;
  }

  get operations(): PanelApi {
    return this.#operations;
  }

  /** Of features, and of the webhooks that this process receives. */
  metrics(): readonly Metric[] {
    const features = [...this.#composition.features.values()];
    return [...features.flatMap((feature) => feature.metrics?.() ?? []), ...(this.#push?.metrics() ?? [])];
  }

  /** Calls `listener` with every event that pages and other processes receive, until the returned function is called. */
  subscribe(listener: (event: PanelEvent) => void): () => void {
    return this.#composition.events.subscribe(listener);
  }

  /** The options in force for one lock, each with its origin. */
  lockOptions(id: LockId): SourcedValues {
    return this.#composition.lockOptions.optionsFor(id);
  }

  /** What was written or kept of single locks, with the options of features. */
  lockRows(): Config['locks'] {
    return this.#composition.lockOptions.rows();
  }

  /** What the account keeps on the disk. */
  get settings(): Values {
    return this.#composition.storage.settings;
  }

  /** Takes the account and asks the service for the first time. Resolves after the first answer or failure. */
  async start(): Promise<void> {
    // The pages do not wait for the account, because they show why it is unavailable.
    await Promise.all([this.#ownership.take(), this.#panel.open(this.#operations)]);
    await this.#composition.linking.reopen();
  }

  /** Before a tool ends: begins no call of other processes any more, and gives those under way `graceMs` to end. */
  async hangUp(graceMs: number, next: NextOwner): Promise<void> {
    this.#ending.abort();
    await this.#socket.close(graceMs, next);
  }

  /** Ends everything within the five seconds that Homebridge allows; a token renewal may finish. */
  async dispose(): Promise<void> {
    this.#disposal ??= this.#disposeOnce();
    return this.#disposal;
  }

  #certificates(): readonly CertificateView[] {
    return [this.#push?.certificate() ?? null, this.#panel.certificate()].filter((view) => view !== null);
  }

  /** A resident process lets go by itself, once the caller has its answer; a tool is closed by whoever opened it. */
  #endAccount(): void {
    const { resident, clock, log } = this.#parts;
    this.#isOver = true;
    if (resident) {
      log.info(t('This account has ended. Remove the plugin, or its block from config.json.'));
      clock.after(ANSWERED_WITHIN_MS, () => void this.dispose());
    }
  }

  async #disposeOnce(): Promise<void> {
    const { runtime, clients, link, linking, storage, batteries, features } = this.#composition;
    this.#ending.abort();
    batteries.close();
    const retired = this.#ownership.retire();
    runtime.dispose();
    await Promise.all([
      this.#push?.close(),
      this.#socket.close(),
      this.#panel.close(),
      linking.close(),
      // Beside the others, because a renewal may take nearly all of the time. A start in progress ends with its calls.
      clients.close(),
      ...[...features.values()].map(async (feature) => feature.close()),
    ]);
    await retired;
    link.close();
    this.#ownership.release();
    storage.close();
    if (this.#isOver) {
      rmSync(this.#composition.folder, { recursive: true, force: true });
    }
  }

  async #owned(previous: Owner | null): Promise<void> {
    const { storage, credentials, clients, runtime, link, linking } = this.#composition;
    const { watch, lockOptions, features } = this.#composition;
    if (previous !== null) {
      removeStaleSocket(previous.socketPath, () => storage.owner.isHeld);
    }
    // The former owner may have renewed, linked or unlinked, configured locks, and left commands without an end.
    credentials.reload();
    clients.session.reload();
    watch.reload();
    lockOptions.reload();
    for (const feature of features.values()) {
      feature.reload?.();
    }
    await this.#socket.listen();
    if (this.#ending.signal.aborted) {
      return;
    }
    const { config, log, resident } = this.#parts;
    // The demo links itself.
    const isLinkExpected = resident && !config.demo;
    logMissing(this.#composition, { isLinkExpected, log });
    link.becomeOwner();
    linking.resume();
    await runtime.start();
    if (resident) {
      this.#composition.batteries.start();
    }
    this.#openPush();
  }

  #openPush(): void {
    const { resident, clock, log } = this.#parts;
    const { config, clients, storage, runtime, link, linking, addresses, events, features } =
      this.#composition;
    // The account may not be ours yet. One that was moved is shown and received elsewhere.
    const isMoved = clients.session.link.state() === 'moved';
    if (!resident || isMoved || !storage.owner.isHeld || this.#ending.signal.aborted) {
      return;
    }
    const served: ServedAccount = {
      booked: bookedIn(features),
      runtime,
      lockOptions: (id) => this.lockOptions(id),
      subscribe: (listener) => this.subscribe(listener),
      pagesUrl: () => this.#panel.url,
    };
    for (const feature of features.values()) {
      feature.serve?.(served);
    }
    if (config.webhooks === null || this.#push !== null) {
      return;
    }
    this.#push = new WebhookService({
      webhooks: config.webhooks,
      clients,
      storage,
      addresses,
      runtime,
      link,
      linking,
      onChange: () => {
        events.emit({ type: 'webhooks' });
      },
      clock,
      log,
    });
    this.#push.open();
  }
}

/** `isLinkExpected`: whether a person expects the account to be linked, and has not been told otherwise. */
function logMissing(
  { credentials, clients, storage }: Pick<Composition, 'credentials' | 'clients' | 'storage'>,
  { isLinkExpected, log }: { readonly isLinkExpected: boolean; readonly log: Log },
): void {
  if (credentials.missing.length > 0) {
    log.warn(t(waitingForCredentials(credentials.missing)));
    return;
  }
  const state = clients.session.link.state();
  // A link of a former service was logged when storage was opened.
  if (state !== 'linked' && isLinkExpected && !storage.holdsAnothersTokens()) {
    // Nothing is wrong with an account that waits to be linked; a link that has ended is a loss.
    const level = state === 'unlinked' ? 'info' : 'warn';
    const next = t("Connect one on the plugin's pages, or with: {command}", {
      command: 'npx homebridge-latchkey link',
    });
    log[level](`${lossWords(state)} ${next}`);
  }
}
