// One account's locks, kept current: the modules of `sync` composed over one event bus.
import type { RuntimeLinkState } from '../domain/account.ts';
import type { BoltPosition } from '../domain/bolt.ts';
import type { HistoryQuestion } from '../domain/history.ts';
import type { LockRules } from '../domain/intent-policy.ts';
import { type Lock, type LockId, unknownLock } from '../domain/lock.ts';
import type {
  AccountLink,
  CommandJournal,
  EventFeed,
  HistoryArchive,
  KnownLockStore,
  LockGateway,
  LockHistory,
  ServiceTimeline,
} from '../domain/ports.ts';
import type { IgnoredEvents } from '../domain/webhook-report.ts';
import type { Clock } from '../support/clock.ts';
import type { Log } from '../support/log.ts';
import { LockCommands } from './commands/lock-commands.ts';
import type { RequestAnswer } from './commands/request-answer.ts';
import { EventBus, type RuntimeEvent } from './event-bus.ts';
import { EventIntake } from './events/event-intake.ts';
import { WebhookMonitor } from './events/webhook-monitor.ts';
import { HistoryAudit } from './history/history-audit.ts';
import { type HistoryAnswer, HistoryReader } from './history/history-reader.ts';
import { type Failing, ListingLoop, type PollingLimits, type ReadingEnd } from './polling/listing-loop.ts';
import { ListingReader } from './polling/listing-reader.ts';
import type { RuntimeView } from './runtime-view.ts';
import { KnownLocks } from './state/known-locks.ts';
import { LockStore } from './state/lock-store.ts';
import { StalenessLoop } from './state/staleness-loop.ts';

export type { RequestAnswer } from './commands/request-answer.ts';
export type { Failing, PollingLimits } from './polling/listing-loop.ts';
export type { RuntimeEvent, RuntimeView } from './runtime-view.ts';

export interface AccountRuntimeParts {
  readonly gateway: LockGateway;
  readonly journal: CommandJournal;
  readonly knownLocks: KnownLockStore;
  readonly link: AccountLink;
  /** Who the link belongs to, as far as its token tells; null when it does not. */
  readonly subject: () => string | null;
  readonly clock: Clock;
  readonly serviceClock: ServiceTimeline;
  readonly log: Log;
  readonly limits: PollingLimits;
  readonly rulesFor: (id: LockId) => LockRules;
  /** A number from 0 up to 1, for jitter. */
  readonly random: () => number;
  /** What happened before: the service remembers it for a while, the archive for longer. */
  readonly memory: { readonly service: LockHistory; readonly archive: HistoryArchive };
}

/** How the polling and the events go, for people. */
export interface RuntimeStatus {
  /** Null while the service answers, and before it was asked. */
  readonly failing: Failing | null;
  /** How long ago the service last listed the locks, in milliseconds; null when it has not yet. */
  readonly lastListedAgoMs: number | null;
  readonly ignoredEvents: IgnoredEvents;
}

export class AccountRuntime implements RuntimeView {
  /** How far webhooks can be relied on, for the modules that open and test their delivery path. */
  readonly webhooks: WebhookMonitor;
  readonly #parts: AccountRuntimeParts;
  readonly #bus: EventBus;
  readonly #store: LockStore;
  readonly #knownLocks: KnownLocks;
  readonly #staleness: StalenessLoop;
  readonly #polling: ListingLoop;
  readonly #commands: LockCommands;
  readonly #intake: EventIntake;
  readonly #history: HistoryReader;
  readonly #audit: HistoryAudit;
  readonly #unsubscribe: () => void;

  constructor(parts: AccountRuntimeParts) {
    const bus = new EventBus(parts.log);
    const store = new LockStore(parts.log, {
      bounds: () => parts.serviceClock.bounds(),
      staleBefore: () => staleness.staleBefore,
    });
    store.subscribe((change) => {
      bus.emit(change);
    });
    const knownLocks = new KnownLocks(parts.knownLocks, parts.log);
    const common = { ...parts, bus, store, knownLocks };
    const webhooks = new WebhookMonitor(common);
    const staleness = new StalenessLoop(common);
    const listings = new ListingReader(common);
    this.#parts = parts;
    this.#bus = bus;
    this.#store = store;
    this.#knownLocks = knownLocks;
    this.webhooks = webhooks;
    this.#staleness = staleness;
    this.#polling = new ListingLoop({ ...common, webhooks, listings });
    this.#commands = new LockCommands({
      ...common,
      pollSoon: () => {
        bus.emit({ type: 'poll-soon' });
      },
      unheardMs: () => staleness.unheardMs,
      commandEnded: (id, target, outcome) => {
        bus.emit({ type: 'command-ended', id, target, outcome });
      },
    });
    bus.on('lock-removed', ({ id }) => {
      this.#commands.forget(id);
    });
    this.#intake = new EventIntake({
      ...common,
      webhooks,
      isLinked: () => parts.link.state() === 'linked',
      signedOut: (userId, at) => parts.link.signedOut(userId, at),
      commandEnded: (id, reading, at) => this.#commands.ended(id, reading, at),
    });
    this.#history = new HistoryReader({ ...common, ...parts.memory });
    this.#audit = new HistoryAudit({
      ...common,
      ...parts.memory,
      reader: this.#history,
      commands: this.#commands,
      webhooks,
    });
    this.#unsubscribe = parts.link.subscribe((state) => {
      this.#linkChanged(state);
    });
  }

  /** Loads what is known from before, then asks the service; resolves after the first answer or failure. */
  async start(): Promise<void> {
    for (const { id, description } of this.#knownLocks.known()) {
      this.#store.add(unknownLock(id, description));
    }
    this.#commands.followOpen();
    this.#staleness.start();
    await this.#polling.read();
  }

  /** Takes over what another owner of the account has left: its list of locks, and its commands without an end. */
  takeUp(): void {
    this.#knownLocks.reread();
    this.#commands.followOpen();
  }

  locks(): readonly Lock[] {
    return this.#store.all();
  }

  lock(id: LockId): Lock | undefined {
    return this.#store.get(id);
  }

  linkState(): RuntimeLinkState {
    return this.#parts.link.state();
  }

  subscribe(listener: (event: RuntimeEvent) => void, place?: 'first'): () => void {
    return this.#bus.subscribe(listener, place);
  }

  checkSuspend(): void {
    this.#staleness.checkSuspend();
  }

  async request(
    id: LockId,
    target: BoltPosition,
    withinMs = Number.POSITIVE_INFINITY,
  ): Promise<RequestAnswer> {
    this.checkSuspend();
    return this.#commands.request(id, target, withinMs);
  }

  remember(id: LockId, name: string): void {
    this.#store.add(unknownLock(id, { name, model: '', serial: '', firmware: '', role: 'owner' }));
  }

  /** What happened at a lock, the newest first. Rejects as `Historian` says. */
  async history(id: LockId, question: HistoryQuestion): Promise<HistoryAnswer> {
    return this.#history.history(id, question);
  }

  status(): RuntimeStatus {
    const { failing, lastListedAgoMs } = this.#polling;
    return { failing, lastListedAgoMs, ignoredEvents: this.#intake.ignored };
  }

  /** Takes in what the service sends by itself, until the returned function is called. */
  listenTo(feed: EventFeed): () => void {
    const unsubscribe = feed.subscribe((event) => {
      this.#intake.take(event);
    });
    this.webhooks.opened();
    return () => {
      unsubscribe();
      this.webhooks.closed();
    };
  }

  /**
   * Asks the service, as soon as it may be asked. Resolves with null when it has listed the locks, else with why not.
   * `afresh`: a listing under way was asked before something changed, so another one follows.
   */
  async refresh({ afresh = false } = {}): Promise<ReadingEnd> {
    return afresh ? this.#polling.readAfresh() : this.#polling.read();
  }

  /** The account that is linked now cannot reach these locks: they do not respond, and no absence is counted. */
  outOfReach(ids: readonly LockId[]): void {
    const at = this.#parts.serviceClock.now();
    const reachable = ids.filter((id) => this.#store.get(id)?.presence !== 'missing');
    this.#store.applyAll(reachable.map((id) => [id, { type: 'missed', at }]));
  }

  /** Removes a lock because a person asked for it. False while the account lists it: then it can only be hidden. */
  forget(id: LockId): boolean {
    if (this.#store.get(id)?.presence !== 'missing') {
      return false;
    }
    this.#knownLocks.forget(id);
    this.#store.remove(id);
    return true;
  }

  /** Ends all that is under way; commands stay in the journal for the next owner of the account. */
  dispose(): void {
    this.#unsubscribe();
    this.#polling.dispose();
    this.#staleness.dispose();
    this.webhooks.dispose();
    this.#intake.dispose();
    this.#audit.dispose();
    this.#history.keepReported();
    this.#commands.dispose();
  }

  #linkChanged(state: RuntimeLinkState): void {
    this.#bus.emit({ type: 'link-changed', state });
    if (state === 'linked') {
      this.#bus.emit({ type: 'gap' });
    }
  }
}
