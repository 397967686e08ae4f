// The account's locks at a message broker: plain topics for any program, and devices in Home Assistant.

import type { Carrier, CarrierState } from '../../../carrier/carrier.ts';
import type { RuntimeLinkState } from '../../../domain/account/account.ts';
import type { RestartFacts } from '../../../domain/account/restart-facts.ts';
import type { BookedStays } from '../../../domain/codes/booked-stays.ts';
import type { Message } from '../../../domain/language/message.ts';
import type { Lock, LockId } from '../../../domain/locks/lock.ts';
import type { RuntimeView } from '../../../engine/account-runtime.ts';
import { isOfStay, type LockRuntimeEvent, type StayEvent } from '../../../engine/locks/event-bus.ts';
import type { Clock } from '../../../support/clock.ts';
import type { Log } from '../../../support/log.ts';
import { RemotePin } from '../../../support/remote-pin.ts';
import { AccessOverMqtt, type BrokeredGuests } from './access-over-mqtt.ts';
import { AccountBroker, type CarrierNeeds } from './account-broker.ts';
import { AccountDevice } from './account-device.ts';
import type { BrokerMemory } from './broker-memory.ts';
import { CommandRefusals, type RefusalCounts } from './command-refusals.ts';
import { Flats } from './flats.ts';
import type { ReceivedCommand } from './freshness.ts';
import type { MqttLockOptions } from './lock-options.ts';
import { MqttLock } from './mqtt-lock.ts';
import { shownLockName } from './shown-name.ts';
import { AccountTopics, type TopicOptions } from './topics.ts';

export type { CarrierNeeds } from './account-broker.ts';

/** A subscriber that was away longer does not get an event, in seconds (our choice). */
const EVENT_EXPIRES_AFTER_SECONDS = 3_600;

export interface MqttLocksParts {
  /** The account's name. */
  readonly account: string;
  readonly runtime: RuntimeView;
  readonly topics: TopicOptions;
  readonly memory: BrokerMemory;
  /** Opens the connection; a session of its own at each, so that no command of an earlier one is delivered. */
  readonly openCarrier: (needs: CarrierNeeds) => Carrier;
  /** Called when the fault of the connection has changed. */
  readonly onChange: () => void;
  readonly homeAssistant: boolean;
  /** How long evidence counts: the broker drops a state that is not renewed for this long. */
  readonly evidenceMaxAgeMs: number;
  readonly optionsFor: (id: LockId) => MqttLockOptions;
  /** Calls `listener` when a lock's options may have changed; the returned function unsubscribes. */
  readonly subscribeOptions: (listener: (id: LockId) => void) => () => void;
  readonly stays: BookedStays;
  /** Null: access codes and guests are neither shown nor changed over MQTT. */
  readonly guests: BrokeredGuests | null;
  /** The PIN that must come with an unlock; null: none. */
  readonly remotePin: string | null;
  /** The version of the plugin. */
  readonly version: string;
  readonly restart: () => RestartFacts;
  /** The address of the account's pages; null without them. */
  readonly pagesUrl: string | null;
  readonly clock: Clock;
  readonly log: Log;
}

export class MqttLocks {
  readonly #parts: MqttLocksParts;
  readonly #topics: AccountTopics;
  readonly #broker: AccountBroker;
  readonly #refusals: CommandRefusals;
  readonly #pin: RemotePin | null;
  readonly #device: AccountDevice;
  readonly #access: AccessOverMqtt | null;
  readonly #flats: Flats;
  readonly #locks = new Map<LockId, MqttLock>();
  readonly #unsubscribe: readonly (() => void)[];
  /** When this process began to serve the locks, by the monotonic clock. */
  readonly #beganMs: number;

  constructor(parts: MqttLocksParts) {
    const { runtime, clock, log } = parts;
    this.#parts = parts;
    this.#beganMs = clock.monotonic();
    this.#topics = new AccountTopics(parts.memory.identity, parts.topics);
    this.#refusals = new CommandRefusals(clock, log);
    this.#pin = parts.remotePin === null ? null : new RemotePin(parts.remotePin, clock);
    this.#broker = new AccountBroker({
      ...parts,
      topics: this.#topics,
      locks: () => [...this.#locks.values()].map(({ topics }) => topics),
      flats: () => this.#flats.topics,
      onCommand: (message) => void this.#command(message),
      onAccess: parts.guests === null ? null : (message) => void this.#access?.command(message),
      onBeat: () => {
        for (const lock of this.#locks.values()) {
          lock.renew();
        }
        this.#withdraw();
        this.#device.renew();
        this.#flats.show();
      },
    });
    const { announcements, retained } = this.#broker;
    const { account: topics, status } = this.#topics;
    parts.memory.announce([status, topics.state, ...(parts.homeAssistant ? [topics.discovery] : [])]);
    this.#access = this.#openAccess(parts.guests);
    this.#device = new AccountDevice({ ...parts, topics, status, retained, announcements });
    this.#flats = this.#openFlats();
    this.#appear(runtime.locks());
    this.#broker.tidy();
    this.#unsubscribe = [
      runtime.subscribe((event) => {
        if (isOfStay(event)) {
          this.#hearOfStay(event);
        } else {
          this.#hear(event);
        }
        this.#access?.hear(event);
        this.#device.show();
      }),
      parts.stays.subscribe(() => this.#flats.show()),
      parts.subscribeOptions((id) => {
        this.#configure(id);
        this.#device.show();
      }),
    ];
  }

  get state(): CarrierState {
    return this.#broker.state;
  }

  /** The fault despite a connection, with the next step; null without one. */
  get trouble(): Message | null {
    return this.#broker.trouble;
  }

  /** What every topic of the account begins with. */
  get base(): string {
    return this.#topics.base;
  }

  /** Commands that were refused since the start, by reason. */
  get refused(): RefusalCounts {
    return this.#refusals.counts();
  }

  /** Publishes that the locks are no longer served from here, or removes them, and ends the connection. */
  async close(isForGood = false): Promise<void> {
    for (const unsubscribe of this.#unsubscribe) {
      unsubscribe();
    }
    await this.#broker.close(isForGood);
  }

  async #command(message: ReceivedCommand): Promise<void> {
    const lock = [...this.#locks.values()].find(({ topics }) => topics.set === message.topic);
    await lock?.command(message);
  }

  #openAccess(guests: BrokeredGuests | null): AccessOverMqtt | null {
    const parts = { ...this.#parts, ...this.#lockParts(), topics: this.#topics, shown: this.#locks };
    return guests === null ? null : new AccessOverMqtt({ ...parts, guests });
  }

  #openFlats(): Flats {
    const { runtime, optionsFor } = this.#parts;
    return new Flats({
      ...this.#parts,
      topics: this.#topics,
      retained: this.#broker.retained,
      announcements: this.#broker.announcements,
      serviceNow: () => runtime.serviceNow(),
      lockName: (id) => {
        const options = optionsFor(id);
        const lock = options.hidden ? undefined : runtime.lock(id);
        return lock === undefined ? null : shownLockName(options, lock);
      },
      onRemoved: () => this.#broker.tidy(),
    });
  }

  #relink(state: RuntimeLinkState): void {
    for (const lock of this.#locks.values()) {
      lock.relink(state);
    }
    this.#broker.showStatus();
  }

  #refresh(locks: readonly Lock[]): void {
    for (const lock of locks) {
      this.#locks.get(lock.id)?.refresh(lock);
    }
  }

  #hearOfStay(event: StayEvent): void {
    for (const id of event.lock === null ? event.stay.locks : [event.lock]) {
      this.#locks.get(id)?.stay(event);
    }
  }

  #hear(event: LockRuntimeEvent): void {
    switch (event.type) {
      case 'lock-appeared':
        this.#appear([event.lock]);
        return;
      case 'lock-changed':
        this.#locks.get(event.lock.id)?.update(event.lock);
        this.#appearAgain(event.lock);
        return;
      case 'locks-refreshed':
        this.#refresh(event.locks);
        return;
      case 'lock-removed':
        this.#remove(event.id);
        return;
      case 'alert':
        this.#alert(event);
        return;
      case 'command-ended':
        this.#locks.get(event.id)?.commandEnded(event.target, event.outcome);
        return;
      case 'link-changed':
        this.#relink(event.state);
        return;
      // Access codes are the business of another, and the service that of the account's device.
      case 'codes-changed':
      case 'code-operation':
      case 'service-away':
    }
  }

  #alert({ id, alert, at }: Extract<LockRuntimeEvent, { readonly type: 'alert' }>): void {
    this.#locks.get(id)?.alert(alert, at);
  }

  #appear(locks: readonly Lock[]): void {
    const { runtime, optionsFor } = this.#parts;
    const shown = locks
      .map((lock) => ({ lock, options: optionsFor(lock.id), topics: this.#topics.of(lock.id) }))
      .filter(({ lock, options }) => !options.hidden && !this.#locks.has(lock.id))
      .filter(({ lock }) => !runtime.isWithdrawn(lock.id));
    // Noted before they are published, so that a process that dies in between leaves no unknown topic.
    this.#parts.memory.announce(
      shown.flatMap(({ topics: { state, available, discovery } }) => [
        state,
        available,
        ...(this.#parts.homeAssistant ? [discovery] : []),
      ]),
    );
    for (const { lock, options, topics } of shown) {
      const parts = { ...this.#parts, topics, ...this.#lockParts() };
      this.#locks.set(lock.id, new MqttLock(parts, options, lock, runtime.linkState()));
    }
    this.#broker.showStatus();
  }

  #lockParts() {
    return {
      status: this.#topics.status,
      retained: this.#broker.retained,
      announcements: this.#broker.announcements,
      refusals: this.#refusals,
      pin: this.#pin,
      via: this.#topics.account.uniqueId,
      beganMs: this.#beganMs,
      hasCodes: this.#parts.guests !== null,
      emit: (topic: string, event: object): void => {
        const payload = JSON.stringify(event);
        void this.#broker.emit({ topic, payload, expirySeconds: EVENT_EXPIRES_AFTER_SECONDS });
      },
    };
  }

  /** A lock that left the account takes its device along, sooner than its accessory. */
  #withdraw(): void {
    for (const id of [...this.#locks.keys()].filter((shown) => this.#parts.runtime.isWithdrawn(shown))) {
      this.#remove(id);
    }
  }

  /** After it was withdrawn, or the other locks have left the list with it. */
  #appearAgain(lock: Lock): void {
    if (lock.presence !== 'missing' && !this.#locks.has(lock.id)) {
      this.#appear([lock]);
    }
  }

  #remove(id: LockId): void {
    this.#locks.get(id)?.leave();
    this.#locks.delete(id);
    this.#broker.tidy();
  }

  #configure(id: LockId): void {
    const lock = this.#parts.runtime.lock(id);
    const options = this.#parts.optionsFor(id);
    const shown = this.#locks.get(id);
    if (options.hidden) {
      this.#remove(id);
    } else if (shown === undefined && lock !== undefined) {
      this.#appear([lock]);
    } else {
      shown?.configure(options);
    }
  }
}
