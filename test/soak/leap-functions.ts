// The global functions of time, made of timers that leap: what Node's own do.
import { syncBuiltinESMExports } from 'node:module';
import nodeTimers from 'node:timers';
import timerPromises from 'node:timers/promises';
import { promisify } from 'node:util';
import type { LeapTimer, LeapTimers } from './leap-timers.ts';

/** Node's least delay. */
const LEAST_DELAY_MS = 1;
/** Node fires longer ones at once. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

type Callback = (...args: unknown[]) => void;

interface Clocks {
  readonly wall: () => number;
  readonly monotonic: () => number;
}

/** What `setTimeout` and `setInterval` return. */
class LeapTimeout {
  readonly #timers: LeapTimers;
  readonly #timer: LeapTimer;
  readonly #delayMs: number;
  readonly id: number;

  constructor(timers: LeapTimers, id: number, delayMs: number, isRepeated: boolean, callback: () => void) {
    this.#timers = timers;
    this.id = id;
    this.#delayMs = delayMs;
    this.#timer = timers.set(delayMs, () => {
      if (isRepeated) {
        this.refresh();
      }
      callback();
    });
  }

  ref(): this {
    this.#timer.isHeld = true;
    return this;
  }

  unref(): this {
    this.#timer.isHeld = false;
    return this;
  }

  hasRef(): boolean {
    return this.#timer.isHeld;
  }

  refresh(): this {
    this.#timers.postpone(this.#timer, this.#delayMs);
    return this;
  }

  close(): this {
    this.#timers.clear(this.#timer);
    return this;
  }

  [Symbol.toPrimitive](): number {
    return this.id;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

function delayOf(delayMs: unknown): number {
  const number = Number(delayMs);
  return number >= LEAST_DELAY_MS && number <= LONGEST_DELAY_MS ? Math.trunc(number) : LEAST_DELAY_MS;
}

/** `install` puts them, and the two clocks, in the place of Node's. */
export function leapingFunctions(timers: LeapTimers) {
  let lastId = 0;
  const setter = (isRepeated: boolean) => {
    return (callback: Callback, delayMs?: unknown, ...args: unknown[]): LeapTimeout => {
      lastId += 1;
      return new LeapTimeout(timers, lastId, delayOf(delayMs), isRepeated, () => {
        callback(...args);
      });
    };
  };
  const clear =
    (trueClear: (timer?: NodeJS.Timeout) => void) =>
    (timer: unknown): void => {
      if (timer instanceof LeapTimeout) {
        timer.close();
      } else {
        trueClear(timer as NodeJS.Timeout | undefined);
      }
    };
  const functions = {
    setTimeout: setter(false),
    setInterval: setter(true),
    clearTimeout: clear(clearTimeout),
    clearInterval: clear(clearInterval),
  };
  const wait = async <Value>(delayMs?: number, value?: Value): Promise<Value | undefined> =>
    new Promise((resolve) => {
      functions.setTimeout(() => {
        resolve(value);
      }, delayMs);
    });
  Object.defineProperty(functions.setTimeout, promisify.custom, { value: wait });
  return {
    ...functions,
    install: (clocks: Clocks): void => {
      Object.assign(globalThis, functions);
      Object.assign(nodeTimers, functions);
      Object.assign(timerPromises, { setTimeout: wait });
      syncBuiltinESMExports();
      installClocks(clocks);
    },
  };
}

function installClocks({ wall, monotonic }: Clocks): void {
  globalThis.Date = new Proxy(Date, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [wall()] : args, newTarget) as object,
    get: (target, name) => (name === 'now' ? wall : (Reflect.get(target, name) as unknown)),
  });
  Object.defineProperty(performance, 'now', { value: monotonic });
}
