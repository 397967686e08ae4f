// A million lines of hostile calendars: none is uncaught, and none holds up the process for 100 ms.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CALENDAR_PROBLEMS } from '../../src/features/stays/calendar/calendar-problems.ts';
import { parseCalendar } from '../../src/features/stays/calendar/parse-calendar.ts';
import { SPAN_2026 } from '../support/calendar-text.ts';
import { hostileCalendars, largeHostileCalendars } from '../support/hostile-calendars.ts';
import type { MeasuredReading } from './measured-reading.ts';

const LINES = 1_000_000;
const IN_THREADS = 100;

const isNamed = (outcome: string): boolean =>
  /^\d+ entries$/.test(outcome) || CALENDAR_PROBLEMS.some((problem) => problem === outcome);

/** Reads them one after the other in a process that does nothing else: not even its texts are made there. */
async function measured(texts: readonly string[]): Promise<readonly MeasuredReading[]> {
  const reader = spawn(
    process.execPath,
    ['--expose-gc', join(import.meta.dirname, 'measured-reading.ts'), String(texts.length)],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], serialization: 'advanced' },
  );
  const readings: MeasuredReading[] = [];
  const ended = Promise.withResolvers<number | null>();
  reader.on('exit', ended.resolve);
  reader.on('message', (reading: MeasuredReading | 'next') => {
    if (reading !== 'next') {
      readings.push(reading);
    }
    const text = texts[readings.length];
    if (text !== undefined) {
      reader.send(new TextEncoder().encode(text));
    }
  });
  // An uncaught error or an unhandled rejection ends it with another status.
  expect(await ended.promise).toBe(0);
  return readings;
}

it('the parser reads a million lines of random calendars: 0 uncaught', { timeout: 3_600_000 }, () => {
  const outcomes = new Map<string, number>();
  let [lines, calendars, uncaught] = [0, 0, 0];
  for (let seed = 1; lines < LINES; seed += 1) {
    for (const text of fc.sample(hostileCalendars, { seed, numRuns: 100 })) {
      lines += text.split('\n').length;
      calendars += 1;
      try {
        const parsed = parseCalendar(text, SPAN_2026);
        const outcome = parsed.kind === 'failed' ? parsed.problem : 'entries';
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      } catch (error) {
        uncaught += 1;
        console.error(seed, JSON.stringify(text), error);
      }
    }
  }
  console.log(
    `${String(lines)} lines in ${String(calendars)} calendars: ${String(uncaught)} uncaught`,
    Object.fromEntries(outcomes),
  );
  expect(uncaught).toBe(0);
});

it('the thread reads random calendars: 0 uncaught, under 100 ms of the process each', {
  timeout: 3_600_000,
}, async () => {
  const readings = await measured(fc.sample(hostileCalendars, { seed: 1, numRuns: IN_THREADS }));
  const most = (of: (reading: MeasuredReading) => number): string => Math.max(...readings.map(of)).toFixed(1);
  console.log(
    `${String(readings.length)} calendars: at most ${most((one) => one.blockedMs)} ms of this thread in a turn, timers late by up to ${most((one) => one.lateMs)} ms`,
  );
  expect(readings.length).toBe(IN_THREADS);
  expect(readings.filter(({ outcome }) => !isNamed(outcome) || outcome === 'unread')).toEqual([]);
  expect(readings.filter(({ blockedMs }) => blockedMs >= 100)).toEqual([]);
});

it('the thread reads the largest and worst calendar of each form: under 100 ms of the process', {
  timeout: 3_600_000,
}, async () => {
  const forms = largeHostileCalendars();
  const readings = await measured(forms.map(([, text]) => text));
  for (const [index, [form, text]] of forms.entries()) {
    const { outcome, tookMs, blockedMs, lateMs } = readings[index] ?? NOTHING;
    console.log(
      `${form}, ${String(text.split('\n').length)} lines, ${(text.length / 1e6).toFixed(1)} MB: ${outcome} after ${tookMs.toFixed(0)} ms; ${blockedMs.toFixed(1)} ms of this thread in a turn (late by up to ${lateMs.toFixed(1)} ms)`,
    );
  }
  expect(readings.length).toBe(forms.length);
  expect(readings.filter(({ outcome }) => !isNamed(outcome) || outcome === 'unread')).toEqual([]);
  expect(readings.filter(({ blockedMs }) => blockedMs >= 100)).toEqual([]);
});

const NOTHING: MeasuredReading = { outcome: 'none', tookMs: 0, blockedMs: 0, lateMs: 0 };
