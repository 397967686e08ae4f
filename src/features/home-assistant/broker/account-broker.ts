// An account's connection to a broker: its retained topics, since when they count, and which of them are removed.
import { randomUUID } from 'node:crypto';
import type {
  Carrier,
  CarrierState,
  IncomingMessage,
  OutgoingMessage,
  Subscription,
} from '../../../carrier/carrier.ts';
import type { Message } from '../../../domain/language/message.ts';
import type { RuntimeView } from '../../../engine/account-runtime.ts';
import { type CancelTimer, type Clock, withTimeout } from '../../../support/clock.ts';
import { messageOf } from '../../../support/errors.ts';
import type { Log } from '../../../support/log.ts';
import { t } from '../../../words/translate.ts';
import { Announcements } from './announcements.ts';
import type { BrokerMemory } from './broker-memory.ts';
import { CommandPath } from './command-path.ts';
import type { ReceivedCommand } from './freshness.ts';
import { OtherPublisher } from './other-publisher.ts';
import { RetainedTopics } from './retained-topics.ts';
import type { AccountTopics, DeviceTopics, LockTopics } from './topics.ts';

/** Renewal and expiry of `status`, in milliseconds and seconds (our choice): a topic that a broker restored from an old save expires. */
const BEAT_MS = 20_000;
const STATUS_EXPIRES_AFTER_SECONDS = 60;

/**
 * Nothing is removed before a connection is that old, in milliseconds: longer than a beat, so that another publisher of the
 * same topics has been heard.
 */
const SETTLED_AFTER_MS = 25_000;

/** How long the last word of a clean end may take, in milliseconds (our choice). */
const FAREWELL_WITHIN_MS = 1_000;

/** The parts of a connection to the broker. */
export interface CarrierNeeds {
  readonly clientId: string;
  readonly will: OutgoingMessage;
  readonly subscriptions: readonly Subscription[];
}

export class AccountBroker {
  readonly retained: RetainedTopics;
  readonly announcements: Announcements;
  readonly #parts;
  /** Of this process, with each status: a broker may send us our own, though we ask it not to. */
  readonly #mark = randomUUID();
  readonly #carrier: Carrier;
  readonly #path: CommandPath;
  readonly #other: OtherPublisher;
  readonly #unsubscribe: () => void;
  #cancelBeat: CancelTimer = () => {};
  /** The reason of the loss that was logged; null while connected. */
  #loggedLoss: string | null = null;
  #connectedAtMs: number | null = null;

  constructor(parts: {
    readonly topics: AccountTopics;
    readonly memory: BrokerMemory;
    readonly runtime: Pick<RuntimeView, 'linkState' | 'serviceNow'>;
    /** Opens the connection; a session of its own at each, so that no command of an earlier one is delivered. */
    readonly openCarrier: (needs: CarrierNeeds) => Carrier;
    readonly homeAssistant: boolean;
    /** The topics of the shown locks. */
    readonly locks: () => readonly LockTopics[];
    /** Those of the shown flats. */
    readonly flats: () => readonly DeviceTopics[];
    readonly onCommand: (message: ReceivedCommand) => void;
    /** On access codes or guests; null: they are not accepted. */
    readonly onAccess: ((message: ReceivedCommand) => void) | null;
    /** Topics may be due for renewal. */
    readonly onBeat: () => void;
    /** Called when the fault has changed. */
    readonly onChange: () => void;
    readonly clock: Clock;
    readonly log: Log;
  }) {
    const { topics, memory, clock, log, onChange } = parts;
    this.#parts = parts;
    this.#other = new OtherPublisher(parts);
    this.#carrier = parts.openCarrier({
      clientId: topics.clientId,
      will: { topic: topics.status, payload: 'offline', retain: true },
      subscriptions: this.#subscriptions(),
    });
    this.retained = new RetainedTopics({
      carrier: this.#carrier,
      mark: this.#mark,
      clock,
      log,
      onRemoved: (topic) => memory.removed(topic),
      onRefusals: () => {
        this.showStatus();
        onChange();
      },
    });
    this.announcements = new Announcements({ retained: this.retained, memory, log });
    this.#path = new CommandPath({ carrier: this.#carrier, topic: topics.test, clock, log, onChange });
    this.#unsubscribe = this.#carrier.subscribeState((state) => this.#connectionChanged(state));
    this.#waitForBeat();
  }

  get state(): CarrierState {
    return this.#carrier.state;
  }

  /** The fault despite a connection, with the next step; null without one. */
  get trouble(): Message | null {
    return this.#other.trouble ?? this.retained.trouble ?? this.#path.trouble;
  }

  /** `online` counts for all locks, so it follows the present state of the locks' own topics. */
  showStatus(): void {
    const { topics } = this.#parts;
    if (this.#isServing()) {
      const after = this.#parts.locks().flatMap(({ state, available }) => [state, available]);
      this.retained.set(topics.status, 'online', { expirySeconds: STATUS_EXPIRES_AFTER_SECONDS, after });
    } else {
      this.retained.set(topics.status, 'offline');
    }
  }

  /**
   * Removes topics that this account announced and does not show any more. Before a listing of a linked account no lock is known
   * to be gone; beside another publisher a topic may be that one's.
   */
  tidy(): void {
    const { memory, runtime, topics, homeAssistant } = this.#parts;
    const isListed = runtime.linkState() === 'linked' && runtime.serviceNow() !== null;
    if (!isListed || !this.#isSettled() || this.#other.isThere) {
      return;
    }
    const shown = [topics.account, ...this.#parts.flats(), ...this.#parts.locks()];
    const kept = new Set([
      topics.status,
      ...shown.map(({ state }) => state),
      ...this.#parts.locks().map(({ available }) => available),
      ...(homeAssistant ? shown.map(({ discovery }) => discovery) : []),
    ]);
    for (const topic of memory.topics) {
      if (!kept.has(topic)) {
        this.retained.set(topic, '');
      }
    }
  }

  /** Publishes once, if there is a connection: later the message would be old. Never rejects. */
  async emit(message: OutgoingMessage): Promise<void> {
    try {
      await this.#carrier.publish(message);
    } catch (error) {
      this.#parts.log.debug(`An event was not published over MQTT: ${messageOf(error)}`);
    }
  }

  /** Publishes that the locks are no longer served from here, or removes all announced topics, and ends the connection. */
  async close(isForGood: boolean): Promise<void> {
    const { topics, clock, memory } = this.#parts;
    this.#unsubscribe();
    this.#cancelBeat();
    this.#path.close();
    this.retained.close();
    const [gone, payload] = isForGood
      ? [[...memory.topics], '']
      : [[topics.status, ...this.#parts.locks().map(({ available }) => available)], 'offline'];
    const said = Promise.all(
      gone.map(async (topic) => this.#carrier.publish({ topic, payload, retain: true })),
    );
    await withTimeout(clock, FAREWELL_WITHIN_MS, said).catch(() => {});
    await this.#carrier.close();
  }

  /** No handler waits for a lock: the broker is not kept waiting for its acknowledgement. */
  #subscriptions(): readonly Subscription[] {
    const { topics, homeAssistant, onCommand, onAccess } = this.#parts;
    const heard = (filter: string, handle: (message: IncomingMessage) => void): Subscription => ({
      filter,
      wantsRetained: false,
      handle: async (message) => handle(message),
    });
    const received = ({ topic, payload, retained }: IncomingMessage): ReceivedCommand => ({
      topic,
      payload,
      repeat: retained ? 'retained' : this.#path.isProven ? null : 'too-early',
    });
    const textOf = ({ payload }: IncomingMessage): string => new TextDecoder().decode(payload);
    const status = heard(topics.status, (message) => {
      if (message.mark !== this.#mark && this.#path.isProven) {
        this.#heardOther(textOf(message));
      }
    });
    const birth = heard(topics.birth, (message) => {
      // Home Assistant has started, and may have forgotten what was announced.
      if (textOf(message) === 'online') {
        this.retained.renew();
      }
    });
    const devices = heard(topics.devices, (message) => this.announcements.heard(message));
    return [
      heard(topics.commands, (message) =>
        message.topic === topics.test ? this.#path.arrived(message) : onCommand(received(message)),
      ),
      { ...status, ignoresOwn: true },
      ...(onAccess === null
        ? []
        : [topics.codeCommands, topics.guests.set].map((filter) =>
            heard(filter, (message) => onAccess(received(message))),
          )),
      ...(homeAssistant ? [birth, { ...devices, ignoresOwn: true }] : []),
    ];
  }

  #waitForBeat(): void {
    this.#cancelBeat = this.#parts.clock.after(BEAT_MS, () => {
      this.#waitForBeat();
      this.#parts.onBeat();
      this.showStatus();
      this.tidy();
      this.retained.retry();
      void this.#path.try();
    });
  }

  #isServing(): boolean {
    const { runtime, locks } = this.#parts;
    return runtime.linkState() === 'linked' && !locks().some(({ state }) => this.retained.isRefused(state));
  }

  #connectionChanged(state: CarrierState): void {
    const { log, topics } = this.#parts;
    this.#other.connectionChanged(state);
    this.#connectedAtMs = state.kind === 'connected' ? this.#parts.clock.monotonic() : null;
    if (state.kind === 'connected') {
      log.info(
        this.#loggedLoss === null
          ? t('Connected to the MQTT broker. Topics begin with {topic}.', { topic: topics.base })
          : t('The MQTT broker is back.'),
      );
      this.#loggedLoss = null;
      // A broker may have come back with an old "online", which would make the old states count until the new ones are there.
      void this.emit({ topic: topics.status, payload: 'offline', retain: true, mark: this.#mark });
      this.#path.begin();
      void this.#path.try();
      this.retained.renew();
    } else if (state.kind === 'waiting' && t(state.reason) !== this.#loggedLoss) {
      this.#loggedLoss = t(state.reason);
      log.warn(t('MQTT: {why} It is tried again.', { why: state.reason }));
    }
  }

  /** Where we have nothing else to say, an answer would be answered, for ever. */
  #heardOther(payload: string): void {
    this.#other.heard(payload);
    if (payload !== 'online' && this.#isServing()) {
      this.retained.renew();
    }
  }

  #isSettled(): boolean {
    const since = this.#connectedAtMs;
    return since !== null && this.#parts.clock.monotonic() - since >= SETTLED_AFTER_MS;
  }
}
