// An account without a cloud behind Home, Matter and brokers: what happens is what the test says.
import type { RuntimeLinkState } from '../../../src/domain/account/account.ts';
import type { CommandOutcome } from '../../../src/domain/commands/command.ts';
import type { BoltPosition } from '../../../src/domain/locks/bolt.ts';
import type { LockEvent, Reported } from '../../../src/domain/locks/event.ts';
import {
  isOnlyFresher,
  type Lock,
  type LockDescription,
  type LockId,
  lockId,
  unknownLock,
} from '../../../src/domain/locks/lock.ts';
import { advanceLock } from '../../../src/domain/locks/machine.ts';
import type { Instant } from '../../../src/domain/time/instant.ts';
import type { TimeBounds } from '../../../src/domain/time/time.ts';
import type { AlertReport } from '../../../src/domain/webhooks/service-event.ts';
import type {
  GuestsView,
  RequestAnswer,
  RuntimeEvent,
  RuntimeView,
} from '../../../src/engine/account-runtime.ts';
import type { StayEventType } from '../../../src/engine/locks/event-bus.ts';
import { named } from '../../support/named-lock.ts';
import { StandInCodes } from './codes.ts';

export const FRONT = lockId('front-1');

export function describedAs(name: string): LockDescription {
  return { name, model: 'Deadbolt', serial: 'SN-0042', firmware: '4.20.1', role: 'owner' };
}

/** Nobody was made in Home, and nobody can be. */
const NO_GUESTS: GuestsView = {
  list: () => [],
  subscribe: () => () => {},
  reveal: noGuest,
  add: noGuest,
  update: noGuest,
  remove: noGuest,
  settle: noGuest,
};

function noGuest(): never {
  throw new Error('There are no guests here');
}

/** A runtime without a cloud: the test causes every event. */
export class StandInRuntime implements RuntimeView {
  readonly codes = new StandInCodes();
  readonly guests: GuestsView = NO_GUESTS;
  readonly #locks = new Map<LockId, Lock>();
  #listeners = new Set<(event: RuntimeEvent) => void>();
  readonly requests: { readonly id: LockId; readonly target: BoltPosition }[] = [];
  #link: RuntimeLinkState = 'linked';
  #at: number;
  /** When the service was polled last, by its own time, and for how long that is past. */
  #polledAt: Instant | null = null;
  silentMs = 0;
  answer: (id: LockId, target: BoltPosition) => Promise<RequestAnswer> = () =>
    Promise.resolve({ kind: 'accepted' });

  /** `startAt`: the service's time at the beginning. */
  constructor(startAt = 1_000) {
    this.#at = startAt;
    this.codes.emit = (event) => {
      this.#emit(event);
    };
  }

  /** The sleep that the runtime finds when it checks. */
  onLook: () => void = () => {};

  locks(): readonly Lock[] {
    return [...this.#locks.values()];
  }

  /** What reads wait for after a stop; null: nothing. */
  catchingUp: Promise<void> | null = null;

  caughtUp(): Promise<void> | null {
    this.onLook();
    return this.catchingUp;
  }

  lock(id: LockId): Lock | undefined {
    return this.#locks.get(id);
  }

  serviceNow(): Instant | null {
    return this.#polledAt === null ? null : this.#polledAt + this.silentMs;
  }

  serviceTime(): TimeBounds | null {
    const now = this.serviceNow();
    return now === null ? null : { earliest: now, latest: now, unconfirmedSleepMs: 0, setBackMs: 0 };
  }

  #isServiceAway = false;

  serviceAway(): boolean {
    return this.#isServiceAway;
  }

  /** The service has not answered for a while, or answers again. */
  setServiceAway(away: boolean): void {
    this.#isServiceAway = away;
    this.#emit({ type: 'service-away', away });
  }

  /** Locks that have left the account, by the test's word. */
  readonly withdrawn = new Set<LockId>();

  isWithdrawn(id: LockId): boolean {
    return this.withdrawn.has(id);
  }

  linkState(): RuntimeLinkState {
    return this.#link;
  }

  subscribe(listener: (event: RuntimeEvent) => void, place?: 'first'): () => void {
    this.#listeners = new Set(
      place === 'first' ? [listener, ...this.#listeners] : [...this.#listeners, listener],
    );
    return () => this.#listeners.delete(listener);
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  /** As the runtime does it: the request is the target at once, unless it is refused. */
  async request(id: LockId, target: BoltPosition): Promise<RequestAnswer> {
    this.requests.push({ id, target });
    return this.answer(id, target);
  }

  remember(id: LockId, name: string): void {
    if (!this.#locks.has(id)) {
      this.add(unknownLock(id, named(name)));
    }
  }

  add(...locks: readonly Lock[]): void {
    for (const [index, lock] of locks.entries()) {
      this.#locks.set(lock.id, lock);
      this.#emit({ type: 'lock-appeared', lock, more: index < locks.length - 1 });
    }
  }

  happen(id: LockId, event: LockEvent): void {
    const previous = this.#locks.get(id);
    if (previous === undefined) {
      throw new Error(`There is no lock ${id}`);
    }
    if (event.type === 'reported' && event.source === 'poll') {
      this.#polledAt = event.at;
    }
    const lock = advanceLock(previous, event);
    if (lock !== previous) {
      this.#locks.set(id, lock);
      this.#emit(
        isOnlyFresher(previous, lock)
          ? { type: 'locks-refreshed', locks: [lock] }
          : { type: 'lock-changed', lock, previous },
      );
    }
  }

  /** A report of the service, a second after its last one. */
  report(id: LockId, said: Omit<Partial<Reported>, 'type' | 'at'>): void {
    this.happen(id, { type: 'reported', source: 'event', at: this.tick(), ...said });
  }

  tick(): number {
    this.#at += 1_000;
    return this.#at;
  }

  /** An event at the door that changes no state. */
  alert(id: LockId, alert: AlertReport['type'], at = this.tick()): void {
    this.#emit({ type: 'alert', id, alert, at });
  }

  /** Something about a booked stay; an arrival is at one lock. */
  stay(type: StayEventType, id: LockId, at = this.tick()): void {
    const stay = {
      id: 's',
      calendar: 'Flat',
      name: 'Stay 12-15 Dec',
      locks: [id],
      arrivalAt: at - 60_000,
      departureAt: at + 3_600_000,
    };
    this.#emit({ type, stay, at, lock: type === 'stay-arrived' || type === 'stay-not-ready' ? id : null });
  }

  /** The codes of a lock were changed elsewhere. */
  codesChanged(id: LockId): void {
    this.#emit({ type: 'codes-changed', id });
  }

  remove(id: LockId): void {
    const name = this.#locks.get(id)?.description.name ?? '';
    this.#locks.delete(id);
    this.#emit({ type: 'lock-removed', id, name });
  }

  /** A command of ours has ended; the effect on the bolt is reported besides. */
  endCommand(id: LockId, target: BoltPosition, outcome: CommandOutcome): void {
    if (outcome.kind === 'moved') {
      this.happen(id, { type: 'command-moved', target });
    }
    this.#emit({ type: 'command-ended', id, target, outcome });
  }

  /** A command of ours moves the bolt, as the account tells it: sent, completed, ended. */
  moveByCommand(id: LockId, target: BoltPosition): void {
    this.sendCommand(id, target);
    const at = this.tick();
    this.happen(id, { type: 'command-completed', target, provenSince: at, at, next: null });
    this.endCommand(id, target, { kind: 'moved' });
  }

  /** A command of ours is under way. */
  sendCommand(id: LockId, target: BoltPosition): void {
    this.happen(id, { type: 'command-sent', target, at: this.tick() });
  }

  setLink(state: RuntimeLinkState): void {
    this.#link = state;
    this.#emit({ type: 'link-changed', state });
  }

  #emit(event: RuntimeEvent): void {
    for (const listener of this.#listeners) {
      listener(event);
    }
  }
}
