// A process that reads calendars as Homebridge's does, and measures what its own thread does meanwhile.
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { parseApart } from '../../src/features/stays/calendar/parser-thread.ts';
import { systemClock } from '../../src/support/clock.ts';
import { SPAN_2026 } from '../support/calendar-text.ts';

export interface MeasuredReading {
  readonly outcome: string;
  readonly tookMs: number;
  /** What this thread worked in a single turn, at most, whatever else ran on the machine. */
  readonly blockedMs: number;
  /** The longest that a timer was late, waiting for a processor included. */
  readonly lateMs: number;
}

const turn = async (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** The time of the processor that this thread used in a single turn of its loop, at most. */
function watchTurns(): () => number {
  let before = process.threadCpuUsage();
  let longest = 0;
  let watching = true;
  const note = (): void => {
    const now = process.threadCpuUsage();
    longest = Math.max(longest, now.user + now.system - before.user - before.system);
    before = now;
    if (watching) {
      setImmediate(note);
    }
  };
  setImmediate(note);
  return () => {
    watching = false;
    return longest / 1_000;
  };
}

async function read(bytes: Uint8Array<ArrayBuffer>): Promise<MeasuredReading> {
  // What came before, such as the message with the text, is not the reader's.
  await turn();
  globalThis.gc?.();
  await turn();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const stop = watchTurns();
  const startedAt = performance.now();
  const task = { body: { bytes, contentEncoding: undefined, contentType: undefined }, span: SPAN_2026 };
  const parsed = await parseApart(task, systemClock, new AbortController().signal);
  const tookMs = performance.now() - startedAt;
  await turn();
  delay.disable();
  const outcome = parsed.kind === 'failed' ? parsed.problem : `${String(parsed.entries.length)} entries`;
  return { outcome, tookMs, blockedMs: stop(), lateMs: delay.max / 1e6 };
}

let left = Number(process.argv[2]);

async function answer(message: Uint8Array<ArrayBuffer>): Promise<void> {
  // Memory of its own, as that of an answer is.
  process.send?.(await read(new Uint8Array(message)));
  left -= 1;
  if (left === 0) {
    process.disconnect();
  }
}

process.on('message', (message: Uint8Array<ArrayBuffer>) => {
  void answer(message);
});
process.send?.('next');
