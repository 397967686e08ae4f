// Loaded into a Homebridge process before anything else (`--import`): its clocks are those of a machine that sleeps or hurries.
//
// It changes what surrounds the plugin, never the plugin. The file is read at each look at a clock, so that a process that
// was stopped finds the time of its sleep passed in the very first line it runs, as after a suspend.
import { openSync } from 'node:fs';
import { gainedAt, readTimes, TIMES_FILE } from './machine-times.ts';

const { [TIMES_FILE]: path = '' } = process.env;
const file = openSync(path, 'r');
const trueNow = Date.now.bind(Date);
const trueMonotonic = performance.now.bind(performance);

function wallNow(): number {
  const times = readTimes(file);
  const now = trueNow();
  return Math.floor(now + gainedAt(times, now) + times.sleptMs);
}

globalThis.Date = new Proxy(Date, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [wallNow()] : args, newTarget) as object,
  get: (target, name) => (name === 'now' ? wallNow : (Reflect.get(target, name) as unknown)),
});

Object.defineProperty(performance, 'now', {
  value: () => trueMonotonic() + gainedAt(readTimes(file), trueNow()),
});

/** A timer waits by the pace of the moment at which it is set. */
function hurried<Timer extends typeof setInterval | typeof setTimeout>(timer: Timer): Timer {
  return new Proxy(timer, {
    apply: (target, self, [callback, delayMs = 0, ...args]: [unknown, number?, ...unknown[]]): unknown =>
      Reflect.apply(target, self, [callback, delayMs / readTimes(file).pace, ...args]),
  });
}

globalThis.setTimeout = hurried(setTimeout);
globalThis.setInterval = hurried(setInterval);
