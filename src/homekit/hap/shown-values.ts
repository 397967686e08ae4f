// Sets the values of characteristics so that every controller ends with the last one, whichever way it reads events.
import type { Characteristic, CharacteristicValue, HAP } from 'homebridge';
import type { CancelTimer, Clock } from '../../support/clock.ts';
import { HAP_STATUS, type HapStatus } from './characteristic-values.ts';

/**
 * HAP gathers the events of 250 ms in one message, the newest first, as Apple reads it; other controllers end with the oldest
 * (faults#166). Changes in this time, in milliseconds, may share a message.
 */
const GATHERED_MS = 300;

/** By then that message has left, in milliseconds: the value is sent once more, alone. */
const AGAIN_AFTER_MS = 320;

interface Shown {
  /** When the last event was given to HAP, by the monotonic clock; null before the first. */
  sentAtMs: number | null;
  hasSubscribers: boolean;
  /** It changed while no controller was subscribed. */
  isUnheard: boolean;
  cancelAgain: CancelTimer | null;
}

export class ShownValues {
  readonly #clock: Clock;
  readonly #shown = new WeakMap<Characteristic, Shown>();
  /** Those with a timer. */
  readonly #waiting = new Set<Shown>();
  /** HAP holds back the events of a controller while a write of it is under way. */
  #writes = 0;
  #writesBeganMs = 0;
  readonly #dueAfterWrites = new Set<Characteristic>();
  /** One listener for all: 149 locks have two thousand characteristics, and a listener of its own for each takes half a megabyte. */
  readonly #subscribed: (this: Characteristic) => void;
  readonly #unsubscribed: (this: Characteristic) => void;

  constructor(clock: Clock) {
    this.#clock = clock;
    const isSubscribed = (characteristic: Characteristic, hasSubscribers: boolean): void => {
      this.#subscription(characteristic, hasSubscribers);
    };
    this.#subscribed = function subscribed() {
      isSubscribed(this, true);
    };
    this.#unsubscribed = function unsubscribed() {
      isSubscribed(this, false);
    };
  }

  /** Sets a value if it differs, and returns whether it did. */
  put(characteristic: Characteristic, value: CharacteristicValue): boolean {
    const shown = this.#of(characteristic);
    if (characteristic.value === value) {
      return false;
    }
    characteristic.updateValue(value);
    this.#sent(characteristic, shown);
    return true;
  }

  /** Sets a value, with an event even where it does not differ. */
  send(characteristic: Characteristic, value: CharacteristicValue): void {
    const shown = this.#of(characteristic);
    characteristic.sendEventNotification(value);
    this.#sent(characteristic, shown);
  }

  /** A controller that subscribes may show another value than the present one (faults#167): it is sent to the first one. */
  assumeUnheard(characteristic: Characteristic): void {
    this.#of(characteristic).isUnheard = true;
  }

  /** Controllers show the present value already. */
  assumeHeard(characteristic: Characteristic): void {
    this.#of(characteristic).isUnheard = false;
  }

  /** Lets Home write a characteristic, which goes on showing `shown`, never what was written. `write` resolves with the status. */
  takeWrites(
    hap: HAP,
    characteristic: Characteristic,
    shown: () => CharacteristicValue,
    write: (value: CharacteristicValue) => Promise<HapStatus>,
  ): void {
    characteristic.onSet(async (value) => {
      const status = await this.duringWrite(async () => write(value));
      if (status !== HAP_STATUS.SUCCESS) {
        // The writer already shows its own request: correct it, even though nothing changed here.
        this.send(characteristic, shown());
        throw new hap.HapStatusError(status);
      }
    });
    // HAP stores a written value after our answer, when the request may have failed or been superseded.
    characteristic.on('change', ({ originator }) => {
      if (originator !== undefined) {
        this.#of(characteristic).sentAtMs = this.#clock.monotonic();
      }
      this.put(characteristic, shown());
    });
  }

  /** Events that wait for the answer to this write share a message, however far apart they are. */
  async duringWrite<Result>(write: () => Promise<Result>): Promise<Result> {
    if (this.#writes === 0) {
      this.#writesBeganMs = this.#clock.monotonic();
    }
    this.#writes += 1;
    try {
      return await write();
    } finally {
      this.#writes -= 1;
      if (this.#writes === 0) {
        this.#sendDue();
      }
    }
  }

  dispose(): void {
    for (const { cancelAgain } of this.#waiting) {
      cancelAgain?.();
    }
    this.#waiting.clear();
  }

  #of(characteristic: Characteristic): Shown {
    const known = this.#shown.get(characteristic);
    if (known !== undefined) {
      return known;
    }
    const shown: Shown = { sentAtMs: null, hasSubscribers: false, isUnheard: false, cancelAgain: null };
    this.#shown.set(characteristic, shown);
    characteristic.on('subscribe', this.#subscribed);
    characteristic.on('unsubscribe', this.#unsubscribed);
    return shown;
  }

  #subscription(characteristic: Characteristic, hasSubscribers: boolean): void {
    const shown = this.#of(characteristic);
    shown.hasSubscribers = hasSubscribers;
    if (hasSubscribers && shown.isUnheard) {
      this.#sendLater(characteristic, shown);
    }
  }

  #sent(characteristic: Characteristic, shown: Shown): void {
    const now = this.#clock.monotonic();
    const heldSince = this.#writes > 0 ? this.#writesBeganMs : now;
    const mayShareMessage = shown.sentAtMs !== null && shown.sentAtMs > heldSince - GATHERED_MS;
    shown.sentAtMs = now;
    shown.isUnheard ||= !shown.hasSubscribers;
    if (shown.hasSubscribers && mayShareMessage) {
      this.#sendLater(characteristic, shown);
    }
  }

  #sendLater(characteristic: Characteristic, shown: Shown): void {
    shown.cancelAgain?.();
    this.#waiting.add(shown);
    shown.cancelAgain = this.#clock.after(AGAIN_AFTER_MS, () => {
      shown.cancelAgain = null;
      this.#waiting.delete(shown);
      this.#sendAgain(characteristic, shown);
    });
  }

  #sendAgain(characteristic: Characteristic, shown: Shown): void {
    const { value } = characteristic;
    if (this.#writes > 0) {
      this.#dueAfterWrites.add(characteristic);
    } else if (value !== null) {
      shown.isUnheard = false;
      shown.sentAtMs = this.#clock.monotonic();
      characteristic.sendEventNotification(value);
    }
  }

  #sendDue(): void {
    for (const characteristic of this.#dueAfterWrites) {
      this.#sendLater(characteristic, this.#of(characteristic));
    }
    this.#dueAfterWrites.clear();
  }
}
