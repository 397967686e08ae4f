// Notices another process with our topics, from a copy of this storage, or with our client id: beside one nothing is removed.
import type { CarrierState } from '../../../carrier/carrier.ts';
import { type Message, message } from '../../../domain/language/message.ts';
import type { Clock } from '../../../support/clock.ts';
import type { Log } from '../../../support/log.ts';
import { t } from '../../../words/translate.ts';

/** Another publisher of the same topics is remembered for that long, in milliseconds: three of its beats. */
const COUNTS_FOR_MS = 60_000;

/**
 * The same of one that took our place, in milliseconds: with one client id the two take turns, and each waits a minute at
 * most for its next one.
 */
const TAKEN_OVER_COUNTS_FOR_MS = 150_000;

const ANOTHER = message(
  'Another Latchkey uses this name at the broker, with a copy of this storage. Stop one of the two: until then no device is removed.',
);

/** A broker may end a connection without a reason (mosquitto 2.0 does), so several short connections count as proof. */
const SHORT_CONNECTIONS = 3;
const SHORT_MS = 25_000;

const SAME_CLIENT_ID = message(
  'The broker keeps ending the connection. Another program may use the same client ID ({option}): stop it, or give this one another.',
  { option: 'mqtt.clientId' },
);

export class OtherPublisher {
  readonly #parts;
  /** Until when another publisher is assumed, by the monotonic clock; null without one. */
  #untilMs: number | null = null;
  /** What is said of it. */
  #said = ANOTHER;
  /** When `offline` came last in this connection, by the monotonic clock. */
  #offlineAtMs: number | null = null;

  /** When the connection began, by the monotonic clock; null without one. */
  #connectedAtMs: number | null = null;
  #shortOnes = 0;

  constructor(parts: {
    readonly topics: { readonly isClientIdChosen: boolean };
    readonly clock: Pick<Clock, 'monotonic'>;
    readonly log: Pick<Log, 'warn'>;
    /** Called when another publisher appears. */
    readonly onChange: () => void;
  }) {
    this.#parts = parts;
  }

  get isThere(): boolean {
    return this.#untilMs !== null && this.#parts.clock.monotonic() < this.#untilMs;
  }

  /** The fault and the next step; null without another publisher. */
  get trouble(): Message | null {
    return this.isThere ? this.#said : this.#isSharingId ? SAME_CLIENT_ID : null;
  }

  /** The account's status, which the broker does not send to us when we published it ourselves. */
  heard(payload: string): void {
    const now = this.#parts.clock.monotonic();
    const before = this.#offlineAtMs;
    if (payload === 'online') {
      this.#noticed(COUNTS_FOR_MS);
      return;
    }
    this.#offlineAtMs = now;
    // One "offline" may be the last will of an earlier connection of ours. Another publisher without a link repeats it.
    if (before !== null && now - before < COUNTS_FOR_MS) {
      this.#noticed(COUNTS_FOR_MS);
    }
  }

  connectionChanged(state: CarrierState): void {
    this.#offlineAtMs = null;
    if (state.kind === 'connected') {
      this.#connectedAtMs = this.#parts.clock.monotonic();
    } else if (this.#connectedAtMs !== null) {
      this.#connectionEnded(this.#parts.clock.monotonic() - this.#connectedAtMs);
      this.#connectedAtMs = null;
    }
    if (state.kind === 'waiting' && state.isTakenOver === true) {
      // A chosen client id may be that of any program.
      const { isClientIdChosen } = this.#parts.topics;
      this.#noticed(TAKEN_OVER_COUNTS_FOR_MS, isClientIdChosen ? SAME_CLIENT_ID : ANOTHER);
    }
  }

  /** The other publisher has kept ending our connections, and the present one is not older than those were. */
  get #isSharingId(): boolean {
    const since = this.#connectedAtMs;
    const isSteady = since !== null && this.#parts.clock.monotonic() - since >= SHORT_MS;
    return this.#parts.topics.isClientIdChosen && this.#shortOnes >= SHORT_CONNECTIONS && !isSteady;
  }

  #connectionEnded(lastedMs: number): void {
    const { log, onChange } = this.#parts;
    const wasSharing = this.#isSharingId;
    this.#shortOnes = lastedMs < SHORT_MS ? this.#shortOnes + 1 : 0;
    if (this.#isSharingId && !wasSharing && !this.isThere) {
      log.warn(`MQTT: ${t(SAME_CLIENT_ID)}`);
      onChange();
    }
  }

  #noticed(forMs: number, what: Message = ANOTHER): void {
    const { clock, log, onChange } = this.#parts;
    const isNew = !this.isThere;
    this.#untilMs = Math.max(this.#untilMs ?? 0, clock.monotonic() + forMs);
    if (isNew) {
      this.#said = what;
      log.warn(`MQTT: ${t(what)}`);
      onChange();
    }
  }
}
