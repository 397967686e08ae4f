// The account's locks at a message broker: plain topics for any program, and devices in Home Assistant.
import type { RuntimeLinkState } from '../domain/account.ts';
import type { Lock, LockId } from '../domain/lock.ts';
import type {
  Carrier,
  CarrierState,
  IncomingMessage,
  OutgoingMessage,
  Subscription,
} from '../mqtt/carrier.ts';
import { type Clock, inTime } from '../support/clock.ts';
import { messageOf } from '../support/errors.ts';
import type { Log } from '../support/log.ts';
import type { RuntimeEvent, RuntimeView } from '../sync/account-runtime.ts';
import { accountSubscriptions } from './account-subscriptions.ts';
import type { LockEventMessage } from './lock-events.ts';
import type { MqttLockOptions } from './lock-options.ts';
import { MqttLock } from './mqtt-lock.ts';
import { RetainedTopics } from './retained-topics.ts';
import { AccountTopics } from './topics.ts';

/** A subscriber that was away longer does not get an event, in seconds (our choice). */
const EVENT_EXPIRES_AFTER_SECONDS = 3_600;

/** How long the last word of a clean end may take, in milliseconds (our choice). */
const FAREWELL_WITHIN_MS = 1_000;

/** What the connection to the broker has to bring along. */
export interface CarrierNeeds {
  readonly clientId: string;
  readonly will: OutgoingMessage;
  readonly subscriptions: readonly Subscription[];
}

export interface MqttLocksParts {
  /** The account's name. */
  readonly account: string;
  readonly runtime: RuntimeView;
  /** Opens the connection; a session of its own at each, so that no command of an earlier one is delivered. */
  readonly openCarrier: (needs: CarrierNeeds) => Carrier;
  readonly optionsFor: (id: LockId) => MqttLockOptions;
  /** Calls `listener` when a lock's options may have changed; the returned function unsubscribes. */
  readonly subscribeOptions: (listener: (id: LockId) => void) => () => void;
  readonly homeAssistant: boolean;
  readonly evidenceMaxAgeMs: number;
  /** Of the plugin. */
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
}

export class MqttLocks {
  readonly #parts: MqttLocksParts;
  readonly #topics: AccountTopics;
  readonly #carrier: Carrier;
  readonly #retained: RetainedTopics;
  readonly #locks = new Map<LockId, MqttLock>();
  readonly #unsubscribe: readonly (() => void)[];
  /** The reason of the loss that was logged; null while connected. */
  #loggedLoss: string | null = null;

  constructor(parts: MqttLocksParts) {
    const { account, runtime, clock, log } = parts;
    this.#parts = parts;
    this.#topics = new AccountTopics(account);
    this.#carrier = parts.openCarrier({
      clientId: this.#topics.clientId,
      will: { topic: this.#topics.status, payload: 'offline', retain: true },
      subscriptions: accountSubscriptions(this.#topics, parts.homeAssistant, {
        command: (message) => {
          this.#command(message);
        },
        started: () => {
          this.#retained.renew();
        },
        announced: (topic) => {
          this.#tidy(topic);
        },
      }),
    });
    this.#retained = new RetainedTopics(this.#carrier, clock, log);
    this.#showStatus();
    for (const lock of runtime.locks()) {
      this.#appear(lock);
    }
    this.#unsubscribe = [
      this.#carrier.subscribeState((state) => {
        this.#connectionChanged(state);
      }),
      runtime.subscribe((event) => {
        this.#hear(event);
      }),
      parts.subscribeOptions((id) => {
        this.#configure(id);
      }),
    ];
  }

  get state(): CarrierState {
    return this.#carrier.state;
  }

  /** Says that the locks are no longer served from here, and ends the connection. */
  async close(): Promise<void> {
    for (const unsubscribe of this.#unsubscribe) {
      unsubscribe();
    }
    this.#retained.close();
    const farewell = { topic: this.#topics.status, payload: 'offline', retain: true };
    const said = this.#carrier.publish(farewell);
    await inTime(this.#parts.clock, FAREWELL_WITHIN_MS, said, () => new Error('Too late')).catch(() => {});
    await this.#carrier.close();
  }

  /** Removes a device that an earlier process announced, of a lock that has gone since. */
  #tidy(discovery: string): void {
    const isShown = [...this.#locks.values()].some(({ topics }) => topics.discovery === discovery);
    if (this.#topics.isOurDiscovery(discovery) && !isShown) {
      this.#retained.set(discovery, '');
    }
  }

  #command(message: IncomingMessage): void {
    const lock = [...this.#locks.values()].find(({ topics }) => topics.set === message.topic);
    void lock?.command(message);
  }

  #connectionChanged(state: CarrierState): void {
    const { log } = this.#parts;
    if (state.kind === 'connected') {
      log.info(this.#loggedLoss === null ? 'Connected to the MQTT broker.' : 'The MQTT broker is back.');
      this.#loggedLoss = null;
      this.#retained.renew();
    } else if (state.kind === 'waiting' && state.reason !== this.#loggedLoss) {
      log.warn(`MQTT: ${state.reason} It is tried again.`);
      this.#loggedLoss = state.reason;
    }
  }

  #relink(state: RuntimeLinkState): void {
    this.#showStatus();
    for (const lock of this.#locks.values()) {
      lock.relink(state);
    }
  }

  #refresh(locks: readonly Lock[]): void {
    for (const lock of locks) {
      this.#locks.get(lock.id)?.refresh(lock);
    }
  }

  #hear(event: RuntimeEvent): void {
    switch (event.type) {
      case 'lock-appeared':
        this.#appear(event.lock);
        return;
      case 'lock-changed':
        this.#locks.get(event.lock.id)?.update(event.lock);
        return;
      case 'locks-refreshed':
        this.#refresh(event.locks);
        return;
      case 'lock-removed':
        this.#remove(event.id);
        return;
      case 'alert':
        this.#locks.get(event.id)?.alert(event.alert, event.at);
        return;
      case 'command-ended':
        this.#locks.get(event.id)?.commandEnded(event.target, event.outcome);
        return;
      case 'link-changed':
        this.#relink(event.state);
        return;
      // Access codes are not shown at the broker.
      case 'codes-changed':
      case 'code-operation':
    }
  }

  #showStatus(): void {
    const isServed = this.#parts.runtime.linkState() === 'linked';
    this.#retained.set(this.#topics.status, isServed ? 'online' : 'offline');
  }

  #appear(lock: Lock): void {
    const { runtime, optionsFor } = this.#parts;
    const options = optionsFor(lock.id);
    if (options.hidden || this.#locks.has(lock.id)) {
      return;
    }
    const parts = {
      ...this.#parts,
      topics: this.#topics.of(lock.id),
      status: this.#topics.status,
      retained: this.#retained,
      emit: (topic: string, event: LockEventMessage): void => {
        void this.#emit(topic, event);
      },
    };
    this.#locks.set(lock.id, new MqttLock(parts, options, lock, runtime.linkState()));
  }

  #remove(id: LockId): void {
    this.#locks.get(id)?.remove();
    this.#locks.delete(id);
  }

  #configure(id: LockId): void {
    const lock = this.#parts.runtime.lock(id);
    const options = this.#parts.optionsFor(id);
    const shown = this.#locks.get(id);
    if (options.hidden) {
      this.#remove(id);
    } else if (shown === undefined && lock !== undefined) {
      this.#appear(lock);
    } else {
      shown?.configure(options);
    }
  }

  /** An event that cannot be published now is old afterwards, and dropped. Never rejects. */
  async #emit(topic: string, event: LockEventMessage): Promise<void> {
    try {
      await this.#carrier.publish({
        topic,
        payload: JSON.stringify(event),
        expirySeconds: EVENT_EXPIRES_AFTER_SECONDS,
      });
    } catch (error) {
      this.#parts.log.debug(`An event was not published over MQTT: ${messageOf(error)}`);
    }
  }
}
