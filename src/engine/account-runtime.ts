// One account's locks, kept current: the public face of the modules that `runtime-modules.ts` composes.

import type { RuntimeLinkState } from '../domain/account/account.ts';
import { isWithdrawn } from '../domain/locks/absence-policy.ts';
import type { BoltPosition } from '../domain/locks/bolt.ts';
import { type Lock, type LockId, unknownLock } from '../domain/locks/lock.ts';
import type { LastMove } from '../domain/locks/move.ts';
import type { Instant } from '../domain/time/instant.ts';
import type { TimeBounds } from '../domain/time/time.ts';
import type { EventFeed } from '../domain/webhooks/ports.ts';
import type { IgnoredEvents } from '../domain/webhooks/report.ts';
import { delay } from '../support/clock.ts';
import type { AccessCodes } from './codes/access-codes.ts';
import type { Guests } from './codes/guests.ts';
import type { RequestAnswer, RequestLimits } from './commands/request-answer.ts';
import type { HistoryReader } from './history/history-reader.ts';
import type { RuntimeEvent } from './locks/event-bus.ts';
import type { ListingLoop, ReadingEnd } from './polling/listing-loop.ts';
import { type AccountRuntimeParts, composeModules, type RuntimeModules } from './runtime-modules.ts';
import type { WebhookMonitor } from './webhooks/monitor.ts';

export type { RequestAnswer } from './commands/request-answer.ts';
export type { RuntimeEvent } from './locks/event-bus.ts';
export type { Failing } from './polling/failing.ts';
export type { PollingLimits } from './polling/listing-loop.ts';
export type { AccountRuntimeParts } from './runtime-modules.ts';

export interface RuntimeStatus extends Pick<ListingLoop, 'failing' | 'lastListedAgoMs' | 'askingForMs'> {
  readonly ignoredEvents: IgnoredEvents;
}

export type CodesView = Pick<
  AccessCodes,
  'list' | 'reveal' | 'check' | 'add' | 'update' | 'remove' | 'operations'
>;

/** Rows of the book, as Home writes and shows them. */
export type GuestsView = Pick<
  Guests,
  'list' | 'reveal' | 'add' | 'update' | 'remove' | 'settle' | 'subscribe'
>;

/** The runtime as HomeKit, Matter, brokers and the command line see it. Nothing here does I/O but `request` and `codes`. */
export interface RuntimeView
  extends Pick<
    AccountRuntime,
    | 'locks'
    | 'lock'
    | 'linkState'
    | 'serviceAway'
    | 'isWithdrawn'
    | 'subscribe'
    | 'caughtUp'
    | 'request'
    | 'remember'
    | 'serviceNow'
    | 'serviceTime'
  > {
  readonly codes: CodesView;
  readonly guests: GuestsView;
}

export class AccountRuntime {
  /** How far webhooks can be relied on, for the modules that open and test their delivery path. */
  readonly webhooks: WebhookMonitor;
  readonly codes: AccessCodes;
  readonly guests: Guests;
  readonly history: HistoryReader;
  readonly #parts: AccountRuntimeParts;
  readonly #modules: RuntimeModules;
  readonly #unsubscribe: () => void;

  constructor(parts: AccountRuntimeParts) {
    this.#parts = parts;
    this.#modules = composeModules(parts);
    this.webhooks = this.#modules.webhooks;
    this.codes = this.#modules.codes;
    this.guests = this.#modules.guests;
    this.history = this.#modules.history;
    this.#unsubscribe = parts.link.subscribe((state) => {
      this.#modules.bus.publish({ type: 'link-changed', state });
      if (state === 'linked') {
        this.#modules.bus.emit({ type: 'gap' });
      }
    });
  }

  /** Loads the stored state, takes up what a former owner left without an end, and asks the service; resolves after the first answer or failure. */
  async start(): Promise<void> {
    const known = this.#modules.knownLocks.known();
    this.#modules.store.add(...known.map(({ id, description }) => unknownLock(id, description)));
    this.#modules.commands.followOpen();
    this.#modules.guests.start();
    for (const feature of this.#modules.joined) {
      feature.start();
    }
    this.#modules.staleness.start();
    await this.#modules.polling.read();
  }

  locks(): readonly Lock[] {
    return this.#modules.store.all();
  }

  lock(id: LockId): Lock | undefined {
    return this.#modules.store.get(id);
  }

  /** Whether the service has not answered for a while; the event `service-away` tells of each change. */
  serviceAway(): boolean {
    return this.#modules.polling.isAway;
  }

  /** Whether the lock has left the account so far that a broker's devices leave it out; accessories stay for a day. */
  isWithdrawn(id: LockId): boolean {
    const { store, knownLocks } = this.#modules;
    // Before the first listing the kept list says it, so that a restart announces nothing for a moment.
    if (this.serviceNow() !== null && store.get(id)?.presence !== 'missing') {
      return false;
    }
    const all = knownLocks.known();
    const known = all.find((one) => one.id === id);
    const others = all.filter((one) => one.id !== id);
    const areOthersListed = others.length > 0 && others.every(({ misses }) => misses === 0);
    return known !== undefined && isWithdrawn(known, this.#parts.serviceClock.now(), areOthersListed);
  }

  linkState(): RuntimeLinkState {
    return this.#parts.link.state();
  }

  /** The service's time, by which everything at a lock is dated; null before the first listing, when it is a guess. */
  serviceNow(): Instant | null {
    return this.#modules.polling.lastListedAgoMs === null ? null : this.#parts.serviceClock.now();
  }

  /** The bounds of the service's time; null before the first listing, and from a sleep until the next answer. */
  serviceTime(): TimeBounds | null {
    const bounds = this.#parts.serviceClock.bounds();
    return this.serviceNow() === null || bounds.unconfirmedSleepMs > 0 ? null : bounds;
  }

  /** Calls `listener` with every event from now on, `first` before all others; the returned function ends it. */
  subscribe(listener: (event: RuntimeEvent) => void, place?: 'first'): () => void {
    return this.#modules.bus.subscribe(listener, place);
  }

  /** Checks whether the machine slept, which makes everything remembered stale. Call it before showing a state. */
  checkSuspend(): void {
    this.#modules.staleness.checkSuspend();
  }

  /**
   * Null, but for a moment after this process or its machine stood still: then it resolves when the events that waited meanwhile
   * are taken in. A read that waited with them is answered after them (faults#145).
   */
  caughtUp(): Promise<void> | null {
    this.checkSuspend();
    const ms = this.#modules.staleness.catchesUpInMs;
    return ms === 0 ? null : delay(this.#parts.clock, ms);
  }

  /** Requests a move of a bolt. Never rejects; resolves when the command was sent, or will not be. */
  async request(id: LockId, target: BoltPosition, limits: RequestLimits = {}): Promise<RequestAnswer> {
    this.checkSuspend();
    return this.#modules.commands.request(id, target, limits);
  }

  /** Adds a lock that Home still shows, with its stored description, so that it never appears without its serial number. */
  remember(id: LockId, name: string): void {
    const known = this.#modules.knownLocks.find(id);
    const nameOnly = { name, model: '', serial: '', firmware: '', role: 'owner' } as const;
    this.#modules.store.add(unknownLock(id, known?.description ?? nameOnly));
  }

  status(): RuntimeStatus {
    const { failing, lastListedAgoMs, askingForMs } = this.#modules.polling;
    return {
      failing,
      lastListedAgoMs,
      askingForMs,
      ignoredEvents: { ...this.#modules.intake.ignored },
    };
  }

  listenTo(feed: EventFeed): () => void {
    const unsubscribe = feed.subscribe((event) => this.#modules.intake.take(event));
    this.#modules.webhooks.opened();
    return () => {
      unsubscribe();
      this.#modules.webhooks.closed();
    };
  }

  /** Lists the locks; null, or why not. `afresh`: also when a listing is under way, which may be too old. */
  async refresh({ afresh = false } = {}): Promise<ReadingEnd> {
    return afresh ? this.#modules.polling.readAfresh() : this.#modules.polling.read();
  }

  /** The same for a person who does not want to wait for the end of a pause. */
  async refreshNow(): Promise<ReadingEnd> {
    return this.#modules.polling.readNow();
  }

  /** The account that is linked now cannot reach these locks: they do not respond, and no absence is counted. */
  outOfReach(ids: readonly LockId[]): void {
    const at = this.#parts.serviceClock.now();
    const reachable = ids.filter((id) => this.#modules.store.get(id)?.presence !== 'missing');
    this.#modules.store.applyAll(reachable.map((id) => [id, { type: 'missed', at }]));
  }

  /** Removes a lock because a person asked for it. False while the account lists it: then it can only be hidden. */
  forget(id: LockId): boolean {
    if (this.#modules.store.get(id)?.presence !== 'missing') {
      return false;
    }
    this.#parts.knownLocks.forget(id);
    this.#modules.store.remove(id);
    return true;
  }

  /** History was erased: the last moves of the locks name none of those people any more. */
  forgetErased(isErased: (id: LockId, move: Pick<LastMove, 'at' | 'by'>) => boolean): void {
    this.#modules.store.applyAll(
      this.locks().map(({ id }) => [id, { type: 'history-erased', isErased: (move) => isErased(id, move) }]),
    );
  }

  /** Another account is linked: guests, and what features keep, were meant for the locks of the former one. */
  forgetGuests(): void {
    for (const feature of this.#modules.joined) {
      feature.forgetAll();
    }
    this.guests.forgetAll();
  }

  /** A person has linked the account: what its end would have removed may be made again. */
  goOn(): void {
    for (const feature of this.#modules.joined) {
      feature.goOn?.();
    }
  }

  /** Ends all work under way; commands stay in the journal for the next owner of the account. */
  dispose(): void {
    this.#unsubscribe();
    this.history.saveReported();
    for (const module of this.#modules.ending) {
      module.dispose();
    }
  }
}
