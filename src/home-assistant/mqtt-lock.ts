// One lock over MQTT: publishes its state and events, and hands commands to the account.
import type { IncomingMessage } from '../carrier/carrier.ts';
import type { RuntimeLinkState } from '../domain/account.ts';
import type { BoltPosition, Instant } from '../domain/bolt.ts';
import type { CommandOutcome } from '../domain/command.ts';
import { boltOf, type Lock, recentMove } from '../domain/lock.ts';
import { refusalHandling } from '../domain/refusal.ts';
import type { AlertReport } from '../domain/service-event.ts';
import type { Clock } from '../support/clock.ts';
import { asLatchkeyError } from '../support/errors.ts';
import { type Log, oneLine } from '../support/log.ts';
import type { RequestAnswer, RuntimeView } from '../sync/account-runtime.ts';
import type { BrokerMemory } from './broker-memory.ts';
import type { CommandRefusals } from './command-refusals.ts';
import { discoveryOf } from './discovery.ts';
import {
  alertEvent,
  answerEvent,
  type LockEventMessage,
  moveEvent,
  outcomeEvent,
  ownMoveEvent,
  setRefusedEvent,
} from './lock-events.ts';
import type { MqttLockOptions } from './lock-options.ts';
import { isAvailable, type LockState, stateOf } from './lock-state.ts';
import type { PinGate } from './pin-gate.ts';
import type { RetainedTopics } from './retained-topics.ts';
import { readSetCommand } from './set-command.ts';
import type { LockTopics } from './topics.ts';

/** A state is renewed this many times before the broker would drop it (our choice). */
const RENEWALS = 3;

const MS_PER_SECOND = 1_000;

export interface MqttLockParts {
  readonly topics: LockTopics;
  /** The account's topic of availability. */
  readonly status: string;
  readonly retained: RetainedTopics;
  readonly memory: Pick<BrokerMemory, 'lastAskedAt' | 'asked'>;
  readonly refusals: CommandRefusals;
  /** When this process began to serve the locks, by the monotonic clock. */
  readonly beganMs: number;
  /** Published once, if there is a connection. */
  readonly emit: (topic: string, event: LockEventMessage) => void;
  readonly runtime: Pick<RuntimeView, 'request' | 'serviceNow'>;
  readonly clock: Clock;
  readonly log: Log;
  /** How long evidence counts: a state that is not renewed for so long is dropped by the broker. */
  readonly evidenceMaxAgeMs: number;
  readonly homeAssistant: boolean;
  readonly version: string;
  /** Null: an unlock needs no PIN. */
  readonly pin: PinGate | null;
  /** Access codes are shown at the broker, too. */
  readonly hasCodes: boolean;
  /** Id of the account's device. */
  readonly via: string;
}

export class MqttLock {
  readonly #parts: MqttLockParts;
  #options: MqttLockOptions;
  #lock: Lock;
  #link: RuntimeLinkState;
  #state: LockState | null = null;
  #publishedAtMs = 0;
  #available: boolean | null = null;
  /** Target of our last command with an emitted move: its end and the service both report that move. */
  #emittedOwnMove: BoltPosition | null = null;

  constructor(parts: MqttLockParts, options: MqttLockOptions, lock: Lock, link: RuntimeLinkState) {
    this.#parts = parts;
    this.#options = options;
    this.#lock = lock;
    this.#link = link;
    this.#announce();
    this.#show();
  }

  get topics(): LockTopics {
    return this.#parts.topics;
  }

  /** It looks as before, and its evidence is fresher. */
  refresh(lock: Lock): void {
    this.#lock = lock;
    this.#show();
  }

  update(lock: Lock): void {
    const previous = this.#lock;
    this.#lock = lock;
    const bolt = boltOf(lock);
    if (bolt !== this.#emittedOwnMove) {
      this.#emittedOwnMove = null;
    }
    const move = recentMove(previous, lock, this.#parts.runtime.serviceNow());
    if (lock.description !== previous.description) {
      this.#announce();
    }
    this.#show();
    if (move !== null && !(move.by.method === 'own-command' && this.#emittedOwnMove === move.to)) {
      this.#emittedOwnMove = move.by.method === 'own-command' ? move.to : null;
      this.#emit(moveEvent(move));
    }
    if (bolt === 'jammed' && boltOf(previous) !== 'jammed') {
      this.#emit({ event_type: 'jammed' });
    }
  }

  relink(link: RuntimeLinkState): void {
    this.#link = link;
    this.#show();
  }

  configure(options: MqttLockOptions): void {
    this.#options = options;
    this.#announce();
    this.#show();
  }

  alert(alert: AlertReport['type'], at: Instant): void {
    this.#emit(alertEvent(alert, at));
  }

  /** The end of a command from anywhere. The service may never report the move itself. */
  commandEnded(target: BoltPosition, outcome: CommandOutcome): void {
    if (outcome.kind === 'moved' && this.#emittedOwnMove !== target) {
      this.#emittedOwnMove = target;
      this.#emit(ownMoveEvent(target));
    }
    const waits = outcome.kind === 'refused' && refusalHandling(outcome.reason) === 'busy';
    const event = waits ? null : outcomeEvent(target, outcome);
    if (event !== null) {
      this.#emit(event);
    }
  }

  /** A command from the broker. State and events report what becomes of it. Never rejects. */
  async command({ payload, retained }: IncomingMessage): Promise<void> {
    const { clock, runtime, memory, beganMs, refusals, pin } = this.#parts;
    const now = runtime.serviceNow();
    const reading = readSetCommand({
      payload,
      retained,
      now,
      startedAt: now === null ? null : now - (clock.monotonic() - beganMs),
      lastAskedAt: memory.lastAskedAt(this.#lock.id),
      commands: this.#lock.description.role === 'reader' ? 'none' : this.#options.commands,
      pinRefusal: (code) => pin?.refusal(code) ?? null,
    });
    if (reading?.kind === 'refused') {
      refusals.refused(this.#name, reading.reason);
      this.#emit(setRefusedEvent(reading.target, reading.reason));
    } else if (reading?.kind === 'command') {
      const { target, askedAt } = reading;
      const waitedMs = now === null || askedAt === null ? 0 : Math.max(now - askedAt, 0);
      const event = answerEvent(target, await this.#ask(target, askedAt, waitedMs));
      if (event !== null) {
        this.#emit(event);
      }
    }
  }

  /** Publishes again what the broker would drop soon. */
  renew(): void {
    this.#show();
  }

  /** It is not shown any more: what is left at the broker counts no longer, and is removed in time. */
  leave(): void {
    const { retained, topics } = this.#parts;
    retained.drop(topics.state);
    retained.drop(topics.discovery);
    retained.set(topics.available, 'offline');
  }

  async #ask(target: BoltPosition, askedAt: number | null, waitedMs: number): Promise<RequestAnswer> {
    try {
      this.#noteAsked(target, askedAt);
      return await this.#parts.runtime.request(this.#lock.id, target, { waitedMs });
    } catch (error) {
      return { kind: 'failed', error: asLatchkeyError(error) };
    }
  }

  /** An unlock whose time cannot be kept is not carried out: after a restart it would look new. */
  #noteAsked(target: BoltPosition, askedAt: number | null): void {
    try {
      if (askedAt !== null) {
        this.#parts.memory.asked(this.#lock.id, askedAt);
      }
    } catch (error) {
      if (target === 'unsecured') {
        throw error;
      }
    }
  }

  #announce(): void {
    const { homeAssistant, retained, topics, status, version, via, pin, hasCodes } = this.#parts;
    const { description } = this.#lock;
    if (homeAssistant) {
      const isCommanded = this.#options.commands !== 'none' && description.role !== 'reader';
      const facts = { topics, status, version, via, description, isCommanded, hasCodes, name: this.#name };
      retained.set(topics.discovery, JSON.stringify(discoveryOf({ ...facts, asksForPin: pin !== null })));
    }
  }

  #show(): void {
    const { retained, topics, clock, evidenceMaxAgeMs } = this.#parts;
    const state = stateOf({
      lock: this.#lock,
      link: this.#link,
      name: this.#name,
      limits: this.#options.lowBattery,
      wasLow: this.#state?.battery_low ?? false,
    });
    const now = clock.monotonic();
    const expirySeconds = Math.ceil(evidenceMaxAgeMs / MS_PER_SECOND);
    const isDue = now - this.#publishedAtMs >= evidenceMaxAgeMs / RENEWALS;
    if (this.#state === null || isDue || !looksTheSame(this.#state, state)) {
      this.#state = state;
      this.#publishedAtMs = now;
      retained.set(topics.state, JSON.stringify(state), { expirySeconds });
    }
    const available = isAvailable(this.#lock, this.#link);
    if (available !== this.#available || (available && isDue)) {
      this.#available = available;
      const online = { expirySeconds, after: [topics.state] };
      retained.set(topics.available, available ? 'online' : 'offline', available ? online : {});
    }
  }

  #emit(event: LockEventMessage): void {
    this.#parts.emit(this.#parts.topics.event, event);
  }

  get #name(): string {
    return oneLine(this.#options.name ?? this.#lock.description.name).trim() || 'Lock';
  }
}

/** Every listing confirms the state again; that alone is not published. */
function looksTheSame(a: LockState, b: LockState): boolean {
  return JSON.stringify({ ...a, confirmed_at: null }) === JSON.stringify({ ...b, confirmed_at: null });
}
