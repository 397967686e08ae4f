// One lock over MQTT: publishes its state and events, and hands commands to the account.
import type { RuntimeLinkState } from '../../../domain/account/account.ts';
import type { CommandOutcome } from '../../../domain/commands/command.ts';
import { refusalHandling } from '../../../domain/commands/refusal.ts';
import type { BoltPosition } from '../../../domain/locks/bolt.ts';
import { boltOf, type Lock } from '../../../domain/locks/lock.ts';
import { newMoves } from '../../../domain/locks/moves.ts';
import type { Instant } from '../../../domain/time/instant.ts';
import { isRecent } from '../../../domain/time/time.ts';
import type { AlertReport } from '../../../domain/webhooks/service-event.ts';
import type { RequestAnswer, RuntimeView } from '../../../engine/account-runtime.ts';
import type { StayEvent } from '../../../engine/locks/event-bus.ts';
import type { Clock } from '../../../support/clock.ts';
import { asLatchkeyError } from '../../../support/errors.ts';
import type { Log } from '../../../support/log.ts';
import type { RemotePin } from '../../../support/remote-pin.ts';
import { t } from '../../../words/translate.ts';
import type { Announcements } from './announcements.ts';
import type { BrokerMemory } from './broker-memory.ts';
import type { CommandRefusals } from './command-refusals.ts';
import { discoveryOf } from './discovery.ts';
import type { ReceivedCommand } from './freshness.ts';
import {
  alertEvent,
  answerEvent,
  type LockEventMessage,
  moveEvent,
  outcomeEvent,
  refusedCommand,
  setRefusedEvent,
  stayEvent,
} from './lock-events.ts';
import type { MqttLockOptions } from './lock-options.ts';
import { isAvailable, stateOf } from './lock-state.ts';
import { SET_REFUSALS } from './refusals.ts';
import type { RetainedTopics } from './retained-topics.ts';
import { pinRefusal, readSetCommand } from './set-command.ts';
import { shownLockName } from './shown-name.ts';
import { ShownState } from './shown-state.ts';
import type { LockTopics } from './topics.ts';

export class MqttLock {
  readonly #parts;
  #options: MqttLockOptions;
  #lock: Lock;
  #link: RuntimeLinkState;
  readonly #shown: ShownState;

  constructor(
    parts: {
      readonly topics: LockTopics;
      /** The account's topic of availability. */
      readonly status: string;
      readonly retained: RetainedTopics;
      readonly announcements: Announcements;
      readonly memory: Pick<BrokerMemory, 'lastAskedAt' | 'asked'>;
      readonly refusals: CommandRefusals;
      /** When this process began to serve the locks, by the monotonic clock. */
      readonly beganMs: number;
      /** Publishes once, if there is a connection. */
      readonly emit: (topic: string, event: LockEventMessage) => void;
      readonly runtime: Pick<RuntimeView, 'request' | 'serviceNow' | 'serviceTime'>;
      readonly clock: Clock;
      readonly log: Log;
      /** How long evidence counts: the broker drops a state that is not renewed for this long. */
      readonly evidenceMaxAgeMs: number;
      readonly homeAssistant: boolean;
      readonly version: string;
      /** Null: an unlock needs no PIN. */
      readonly pin: RemotePin | null;
      /** Access codes are shown at the broker, too. */
      readonly hasCodes: boolean;
      /** Id of the account's device. */
      readonly via: string;
    },
    options: MqttLockOptions,
    lock: Lock,
    link: RuntimeLinkState,
  ) {
    this.#parts = parts;
    this.#shown = new ShownState(parts);
    this.#options = options;
    this.#lock = lock;
    this.#link = link;
    this.#announce();
    this.#show();
  }

  get topics(): LockTopics {
    return this.#parts.topics;
  }

  /** The lock looks as before, and its evidence is fresher. */
  refresh(lock: Lock): void {
    this.#lock = lock;
    this.#show();
  }

  update(lock: Lock): void {
    const previous = this.#lock;
    this.#lock = lock;
    if (lock.description !== previous.description) {
      this.#announce();
    }
    this.#show();
    for (const move of newMoves(previous, lock, this.#parts.runtime.serviceNow())) {
      this.#emit(moveEvent(move));
    }
    if (boltOf(lock) === 'jammed' && boltOf(previous) !== 'jammed') {
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

  /** An arrival that is found late belongs to the history only, as a move does. */
  stay(event: StayEvent): void {
    if (event.type !== 'stay-arrived' || isRecent(event.at, this.#parts.runtime.serviceNow())) {
      this.#emit(stayEvent(event));
    }
  }

  /** The end of a command from anywhere. Its move is one of the lock. */
  commandEnded(target: BoltPosition, outcome: CommandOutcome): void {
    const waits = outcome.kind === 'refused' && refusalHandling(outcome.reason) === 'busy';
    const event = waits ? null : outcomeEvent(target, outcome);
    if (event !== null) {
      this.#emit(event);
    }
  }

  /** Carries out a command from the broker. State and events report the outcome. Never rejects. */
  async command({ payload, repeat }: ReceivedCommand): Promise<void> {
    const { clock, runtime, memory, beganMs, refusals, pin } = this.#parts;
    const time = runtime.serviceTime();
    const reading = readSetCommand({
      payload,
      repeat,
      time,
      servedForMs: clock.monotonic() - beganMs,
      lastAskedAt: memory.lastAskedAt(this.#lock.id),
      commands: this.#lock.description.role === 'reader' ? 'none' : this.#options.commands,
      pinRefusal: (code) => pinRefusal(pin, code),
    });
    if (reading?.kind === 'refused') {
      refusals.refused(this.#name, reading.reason, t(SET_REFUSALS[reading.reason]));
      this.#emit(setRefusedEvent(reading.target, reading.reason));
    } else if (reading?.kind === 'command') {
      const { target, askedAt } = reading;
      const waitedMs = time === null || askedAt === null ? 0 : Math.max(time.latest - askedAt, 0);
      const answer = await this.#ask(target, askedAt, waitedMs);
      const event = answerEvent(target, answer);
      if (answer.kind === 'refused') {
        refusals.refused(this.#name, answer.reason, refusedCommand(answer.reason));
      }
      if (event !== null) {
        this.#emit(event);
      }
    }
  }

  /** Publishes again the topics that the broker would drop soon. */
  renew(): void {
    this.#show();
  }

  /** The lock is not shown any more: its topics at the broker no longer count, and are removed in time. */
  leave(): void {
    const { announcements, retained, topics } = this.#parts;
    retained.drop(topics.state);
    announcements.drop(topics.discovery);
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
    const { homeAssistant, announcements, topics, status, version, via, pin, hasCodes } = this.#parts;
    const { description } = this.#lock;
    if (homeAssistant) {
      const isCommanded = this.#options.commands !== 'none' && description.role !== 'reader';
      const facts = { topics, status, version, via, description, isCommanded, hasCodes, name: this.#name };
      announcements.show(topics.discovery, discoveryOf({ ...facts, asksForPin: pin !== null }));
    }
  }

  #show(): void {
    const { runtime, evidenceMaxAgeMs } = this.#parts;
    const heardAgoMs = (runtime.serviceNow() ?? Number.POSITIVE_INFINITY) - this.#lock.presenceAt;
    const state = stateOf({
      lock: this.#lock,
      link: this.#link,
      name: this.#name,
      lowPercent: this.#options.lowBattery,
      wasLow: this.#shown.state?.battery_low ?? false,
      isPresenceFresh: heardAgoMs < evidenceMaxAgeMs,
    });
    this.#shown.show(state, isAvailable(this.#lock, this.#link));
  }

  #emit(event: LockEventMessage): void {
    this.#parts.emit(this.#parts.topics.event, event);
  }

  get #name(): string {
    return shownLockName(this.#options, this.#lock);
  }
}
