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

/**
 * HAP tells of the first subscription alone, and other controllers come seconds later: what may be unheard is sent again so long
 * after it, in milliseconds (our choice). After a minute such a controller reads by itself.
 */
const FOR_LATER_ONES_MS: readonly number[] = [2_500, 5_000, 10_000, 20_000, 40_000];

interface Shown {
  /** When the last event was given to HAP, by the monotonic clock; null before the first. */
  sentAtMs: number | null;
  hasSubscribers: boolean;
  /** It changed while no controller was subscribed. */
  isUnheard: boolean;
  /** Controllers may show a former value; one that pairs reads the present one. */
  wasShown: boolean;
  cancelAgain: CancelTimer | null;
}

export class ShownValues {
  readonly #clock: Clock;
  readonly #shown = new WeakMap<Characteristic, Shown>();
  readonly #timers = new Set<CancelTimer>();
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

  /** A controller that subscribes may show another value than the present one (faults#167): it is sent to the first one, and to later ones. */
  assumeUnheard(characteristic: Characteristic): void {
    Object.assign(this.#of(characteristic), { isUnheard: true, wasShown: true });
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
    for (const cancel of this.#timers) {
      cancel();
    }
    this.#timers.clear();
  }

  #of(characteristic: Characteristic): Shown {
    const known = this.#shown.get(characteristic);
    if (known !== undefined) {
      return known;
    }
    const shown: Shown = {
      sentAtMs: null,
      hasSubscribers: false,
      isUnheard: false,
      wasShown: false,
      cancelAgain: null,
    };
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
      for (const ms of shown.wasShown ? FOR_LATER_ONES_MS : []) {
        this.#after(ms, () => this.#sendAgain(characteristic, shown));
      }
    }
    shown.wasShown ||= hasSubscribers;
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
    shown.cancelAgain = this.#after(AGAIN_AFTER_MS, () => this.#sendAgain(characteristic, shown));
  }

  #after(ms: number, callback: () => void): CancelTimer {
    const cancel = this.#clock.after(ms, () => {
      this.#timers.delete(cancel);
      callback();
    });
    this.#timers.add(cancel);
    return () => {
      this.#timers.delete(cancel);
      cancel();
    };
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
