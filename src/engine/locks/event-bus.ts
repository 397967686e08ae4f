// The one event bus of an account runtime: events between its modules, and events for subscribers outside.
import type { RuntimeLinkState } from '../../domain/account/account.ts';
import type { StayMark } from '../../domain/codes/booked-stays.ts';
import type { CodeProgress } from '../../domain/codes/operation.ts';
import type { CommandOutcome } from '../../domain/commands/command.ts';
import type { HistoryEntry } from '../../domain/history/history.ts';
import type { BoltPosition } from '../../domain/locks/bolt.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import type { Listing } from '../../domain/ports.ts';
import type { Instant } from '../../domain/time/instant.ts';
import type { HealthReport } from '../../domain/webhooks/report.ts';
import type { AlertReport, ServiceEvent } from '../../domain/webhooks/service-event.ts';
import { Emitter } from '../../support/emitter.ts';
import type { Log } from '../../support/log.ts';
import type { LockChange } from './lock-store.ts';

/** Events for subscribers outside of the runtime. */
export type RuntimeEvent =
  | LockChange
  | { readonly type: 'link-changed'; readonly state: RuntimeLinkState }
  /** An event at a lock that changes no state of it, with its time on the service's clock. */
  | { readonly type: 'alert'; readonly id: LockId; readonly alert: AlertReport['type']; readonly at: Instant }
  /** How a request ended; the effect on the bolt shows in the lock itself. */
  | {
      readonly type: 'command-ended';
      readonly id: LockId;
      readonly target: BoltPosition;
      readonly outcome: CommandOutcome;
    }
  /** The service has not answered for a while, or answers again. */
  | { readonly type: 'service-away'; readonly away: boolean }
  /** The access codes of a lock differ from those listed before. */
  | { readonly type: 'codes-changed'; readonly id: LockId }
  /** An operation on access codes has come further, or ended. It holds no PIN. */
  | { readonly type: 'code-operation'; readonly operation: CodeProgress }
  /**
   * Of a booked stay: its code is on all of its locks; it is not on this lock shortly before the check-in; it was used for the first time; the stay is over and the code is
   * gone from all locks. `at`: on the service's clock. `lock`: where the code was used; null: it is about all locks of the stay.
   */
  | {
      readonly type: StayEventType;
      readonly stay: StayMark;
      readonly at: Instant;
      readonly lock: LockId | null;
    };

export type StayEvent = Exclude<RuntimeEvent, LockRuntimeEvent>;

export type StayEventType = 'stay-code-ready' | 'stay-not-ready' | 'stay-arrived' | 'stay-ended';

/** All events but those of stays. */
export type LockRuntimeEvent = Exclude<RuntimeEvent, { readonly type: StayEventType }>;

export function isOfStay(event: RuntimeEvent): event is StayEvent {
  return 'stay' in event;
}

/** Events between the modules only. */
export type InternalEvent =
  /** The present state may differ from the known one: the service is to be called. */
  | { readonly type: 'reading-wanted' }
  /** The machine slept this many milliseconds: every belief is older than it seemed. */
  | { readonly type: 'suspended'; readonly ms: number }
  /** A command was sent or ended, or a lock changed: it is watched closely for a while. */
  | { readonly type: 'poll-soon' }
  | { readonly type: 'listed'; readonly listing: Listing }
  /** A command to move a bolt, begun so long ago, was not answered as it should, in milliseconds. */
  | { readonly type: 'command-unheard'; readonly agoMs: number }
  /** A verified event was taken in; `at` is the instant at which it counts. */
  | {
      readonly type: 'event-received';
      readonly event: ServiceEvent & { readonly lockId: LockId; readonly at: Instant };
    }
  /** An event came in that cannot be verified. */
  | { readonly type: 'unverified-received' }
  /** Webhooks may have been missed until now. */
  | { readonly type: 'gap' }
  /** A listing shows a move that neither an event nor a command of ours explains. */
  | {
      readonly type: 'move-found';
      readonly id: LockId;
      readonly to: BoltPosition;
      /** When the bolt was last known to be elsewhere. */
      readonly since: Instant;
    }
  /** The service's history of a lock was read, with the authors of its moves. */
  | { readonly type: 'history-read'; readonly id: LockId; readonly entries: readonly HistoryEntry[] }
  /** The history shows a move that no event announced. */
  | { readonly type: 'move-missed'; readonly id: LockId }
  | {
      readonly type: 'webhooks-changed';
      readonly report: HealthReport;
      readonly previous: HealthReport['health'];
    };

export type BusEvent = RuntimeEvent | InternalEvent;

export type EventOf<Type extends BusEvent['type']> = Extract<BusEvent, { readonly type: Type }>;

export class EventBus {
  readonly #outside: Emitter<RuntimeEvent>;
  readonly #inside = new Map<BusEvent['type'], Emitter<BusEvent>>();
  readonly #log: Log;

  constructor(log: Log) {
    this.#outside = new Emitter(log);
    this.#log = log;
  }

  emit(event: InternalEvent): void {
    this.#inside.get(event.type)?.emit(event);
  }

  /** Subscribers outside come first: what a module makes of an event must not reach them before the event. */
  publish(event: RuntimeEvent): void {
    this.#outside.emit(event);
    this.#inside.get(event.type)?.emit(event);
  }

  /** Calls `listener` with every event of that type until the returned function is called. For modules of the runtime. */
  on<Type extends BusEvent['type']>(type: Type, listener: (event: EventOf<Type>) => void): () => void {
    const emitter = this.#inside.get(type) ?? new Emitter<BusEvent>(this.#log);
    this.#inside.set(type, emitter);
    return emitter.subscribe((event) => {
      if (isOfType(event, type)) {
        listener(event);
      }
    });
  }

  /** For listeners outside of the runtime, `first` before all others. */
  subscribe(listener: (event: RuntimeEvent) => void, place?: 'first'): () => void {
    return this.#outside.subscribe(listener, place);
  }
}

function isOfType<Type extends BusEvent['type']>(event: BusEvent, type: Type): event is EventOf<Type> {
  return event.type === type;
}
