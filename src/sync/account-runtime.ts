// One account's locks, kept true: the rooms of `sync` joined, and the one way to move a bolt.
import type { RuntimeLinkState } from '../domain/account.ts';
import type { BoltPosition } from '../domain/bolt.ts';
import type { HistoryQuestion } from '../domain/history.ts';
import type { LockRules } from '../domain/intent-policy.ts';
import { type Lock, type LockId, unknownLock } from '../domain/lock.ts';
import type {
  AccountLink,
  CommandJournal,
  EventFeed,
  KnownLockStore,
  LinkPerson,
  LockGateway,
  ServiceClock,
} from '../domain/ports.ts';
import type { IgnoredEvents } from '../domain/webhook-report.ts';
import type { Clock } from '../support/clock.ts';
import { Emitter } from '../support/emitter.ts';
import type { LatchkeyError } from '../support/errors.ts';
import type { Log } from '../support/log.ts';
import { LockCommands } from './commands/lock-commands.ts';
import type { RequestAnswer, RequestLimits } from './commands/request-answer.ts';
import { EventIntake } from './events/event-intake.ts';
import { WebhookMonitor } from './events/webhook-monitor.ts';
import type { HistoryAnswer } from './history/history-reader.ts';
import { HistoryService, type Memory } from './history/history-service.ts';
import { type Failing, type PollingLimits, Reconciler } from './polling/reconciler.ts';
import type { RuntimeEvent, RuntimeView } from './runtime-view.ts';
import { KnownLocks } from './state/known-locks.ts';
import { type LockChange, LockStore } from './state/lock-store.ts';

export type { RequestAnswer } from './commands/request-answer.ts';
export type { Failing, PollingLimits } from './polling/reconciler.ts';
export type { RuntimeEvent, RuntimeView } from './runtime-view.ts';

export interface AccountRuntimeParts {
  readonly gateway: LockGateway;
  readonly journal: CommandJournal;
  readonly knownLocks: KnownLockStore;
  readonly link: AccountLink;
  readonly person: LinkPerson;
  readonly clock: Clock;
  readonly serviceClock: ServiceClock;
  readonly log: Log;
  readonly limits: PollingLimits;
  readonly rulesFor: (id: LockId) => LockRules;
  /** A number from 0 up to 1, for jitter. */
  readonly random: () => number;
  /** Who remembers what happened. */
  readonly memory: Memory;
}

export class AccountRuntime implements RuntimeView {
  readonly #parts: AccountRuntimeParts;
  readonly #store: LockStore;
  readonly #reconciler: Reconciler;
  readonly #webhooks: WebhookMonitor;
  readonly #intake: EventIntake;
  readonly #commands: LockCommands;
  readonly #events: Emitter<RuntimeEvent>;
  readonly #knownLocks: KnownLocks;
  readonly #history: HistoryService;
  readonly #unsubscribe: readonly (() => void)[];

  constructor(parts: AccountRuntimeParts) {
    this.#parts = parts;
    this.#store = new LockStore(parts.log);
    this.#events = new Emitter(parts.log);
    this.#webhooks = new WebhookMonitor({
      clock: parts.clock,
      log: parts.log,
      onChange: () => {
        this.#reconciler.reschedule();
      },
      onGap: () => {
        this.noticeGap();
      },
    });
    this.#knownLocks = new KnownLocks(parts.knownLocks, parts.log);
    this.#history = new HistoryService({
      ...parts,
      ...parts.memory,
      busy: () => this.#commands.busy,
      relied: () => this.#webhooks.health === 'healthy',
      unannounced: (id, at) => {
        this.#webhooks.foundInHistory(id, at);
      },
    });
    this.#reconciler = new Reconciler({
      ...parts,
      knownLocks: this.#knownLocks,
      store: this.#store,
      webhooks: this.#webhooks,
      onListing: (listing) => {
        this.#history.listed(listing);
      },
    });
    this.#commands = new LockCommands({
      ...parts,
      store: this.#store,
      pollSoon: () => {
        this.#reconciler.pollSoon();
      },
      unheardMs: () => this.#reconciler.unheardMs,
      agoMs: (at) => this.#reconciler.agoMs(at),
      commandEnded: (id, target, outcome) => {
        this.#events.emit({ type: 'command-ended', id, target, outcome });
      },
    });
    this.#intake = this.#openIntake();
    this.#unsubscribe = [
      this.#store.subscribe((event) => {
        this.#lockHappened(event);
      }),
      parts.link.subscribe((state) => {
        this.#linkChanged(state);
      }),
    ];
  }

  /** Takes up what is known from before, then asks the service; resolves after the first answer or failure. */
  async start(): Promise<void> {
    for (const { id, description } of this.#knownLocks.known()) {
      this.#store.add(unknownLock(id, description));
    }
    this.#commands.followOpen();
    await this.#reconciler.start();
  }

  /** Takes up what whoever owned the account meanwhile has left: its list of locks, and its commands without an end. */
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
    return this.#events.subscribe(listener, place);
  }

  checkSuspend(): void {
    this.#reconciler.checkSuspend();
  }

  async request(id: LockId, target: BoltPosition, limits: RequestLimits = {}): Promise<RequestAnswer> {
    this.checkSuspend();
    return this.#commands.request(id, target, limits);
  }

  remember(id: LockId, name: string): void {
    this.#store.add(unknownLock(id, { name, model: '', serial: '', firmware: '', role: 'owner' }));
  }

  /** What happened at a lock, the newest first. Rejects as `Historian` says. */
  async history(id: LockId, question: HistoryQuestion): Promise<HistoryAnswer> {
    return this.#history.history(id, question);
  }

  /** How far webhooks can be relied on, for whoever opens and tests the way on which they come. */
  get webhooks(): WebhookMonitor {
    return this.#webhooks;
  }

  get ignoredEvents(): IgnoredEvents {
    return this.#intake.ignored;
  }

  /** Webhooks may have been missed until now: the present state is asked for, and then what happened meanwhile. */
  noticeGap(): void {
    this.#history.gap();
    void this.#reconciler.readAfresh();
  }

  /** Null while the service answers, and before it was asked. */
  get failing(): Failing | null {
    return this.#reconciler.failing;
  }

  /** How long ago the service last listed the locks, in milliseconds; null when it has not yet. */
  get lastListedAgoMs(): number | null {
    return this.#reconciler.lastListedAgoMs;
  }

  /**
   * Takes in what the service tells on its own, until the returned function is called. The first time something
   * arrives, webhooks count as proven and the service is asked less often.
   */
  listenTo(feed: EventFeed): () => void {
    const unsubscribe = feed.subscribe((news) => {
      this.#intake.take(news);
    });
    this.#webhooks.opened();
    return () => {
      unsubscribe();
      this.#webhooks.closed();
    };
  }

  /** Asks the service now. Resolves with null when it has listed the locks, else with what kept it from that. */
  async refresh(): Promise<LatchkeyError | null> {
    return this.#reconciler.readNow();
  }

  /** The same, but after a listing that is under way another follows: it was asked for before something changed. */
  async refreshAfresh(): Promise<LatchkeyError | null> {
    return this.#reconciler.readAfresh();
  }

  /** These are not in reach of the account that is linked now: they do not respond, and no absence is counted. */
  outOfReach(ids: readonly LockId[]): void {
    const at = this.#parts.serviceClock.now();
    for (const id of ids) {
      if (this.#store.get(id)?.presence !== 'missing') {
        this.#store.apply(id, { type: 'missed', at });
      }
    }
  }

  /** Drops a lock by a person's wish. False when the account still lists it: then it can only be hidden. */
  forget(id: LockId): boolean {
    const lock = this.#store.get(id);
    if (lock === undefined || lock.presence !== 'missing') {
      return false;
    }
    this.#knownLocks.forget(id);
    this.#store.remove(id);
    return true;
  }

  /** Ends everything that is under way here; commands stay in the journal for whoever owns the account next. */
  dispose(): void {
    this.#reconciler.dispose();
    this.#webhooks.dispose();
    this.#intake.dispose();
    this.#history.dispose();
    for (const unsubscribe of this.#unsubscribe) {
      unsubscribe();
    }
    this.#commands.dispose();
  }

  /** Where what the service tells on its own comes in. */
  #openIntake(): EventIntake {
    const { link } = this.#parts;
    return new EventIntake({
      ...this.#parts,
      store: this.#store,
      webhooks: this.#webhooks,
      isLinked: () => link.state() === 'linked',
      staleBefore: () => this.#reconciler.staleBefore,
      read: () => {
        void this.#reconciler.readAfresh();
      },
      signedOut: (userId, at) => link.signedOut(userId, at),
      commandEnded: (id, reading, at) => this.#commands.ended(id, reading, at),
      heard: (event) => {
        this.#history.heard(event);
      },
      hinted: () => {
        this.#webhooks.hinted();
        this.#history.hinted();
      },
      alert: (id, alert, at) => {
        this.#events.emit({ type: 'alert', id, alert, at });
      },
    });
  }

  #lockHappened(event: LockChange): void {
    if (event.type === 'lock-removed') {
      this.#commands.forget(event.id);
      this.#webhooks.forget(event.id);
    }
    this.#history.happened(event);
    this.#events.emit(event);
  }

  #linkChanged(state: RuntimeLinkState): void {
    this.#events.emit({ type: 'link-changed', state });
    if (state === 'linked') {
      this.#history.gap();
      void this.#reconciler.readNow();
    } else if (state !== 'other-process') {
      this.#parts.person.forget();
    }
  }
}
