// Notices that a channel has fallen silent: its other end may be gone without closing it.
import { SILENCE_MS } from '../../../src/panel/heartbeat.ts';

/** Calls back after this many milliseconds; the returned function cancels it. */
export type After = (ms: number, run: () => void) => () => void;

export class HeartbeatWatch {
  readonly #after: After;
  readonly #onSilent: () => void;
  #cancel = (): void => undefined;

  /** `onSilent` is called once after each silence. */
  constructor(after: After, onSilent: () => void) {
    this.#after = after;
    this.#onSilent = onSilent;
  }

  /** The channel is there: the next silence counts from now. */
  beat(): void {
    this.#cancel();
    this.#cancel = this.#after(SILENCE_MS, this.#onSilent);
  }

  stop(): void {
    this.#cancel();
  }
}
