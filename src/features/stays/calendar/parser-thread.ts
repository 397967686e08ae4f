// Reads a calendar in a thread of its own, within limits of time and memory, so that a hostile calendar delays nothing else.
import { join } from 'node:path';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import type { Clock } from '../../../support/clock.ts';
import { packageRoot } from '../../../support/files/package-root.ts';
import type { CalendarEntry } from '../policy/calendar-ports.ts';
import type { CalendarProblem } from './calendar-problems.ts';
import type { ParsedCalendar } from './parse-calendar.ts';
import { NEXT, type ParserAnswer, type ParserTask } from './parser-messages.ts';

interface ThreadLimits {
  readonly withinMs: number;
  readonly memory: ResourceLimits;
}

/** Ten thousand entries take half a second, and ten times that on a busy small computer. The memory is several times the need (our choice). */
const LIMITS: ThreadLimits = {
  withinMs: 20_000,
  memory: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
};

/** Never rejects. `signal` ends the thread. `limits` are for tests. */
export async function parseApart(
  task: ParserTask,
  clock: Clock,
  signal: AbortSignal,
  limits: ThreadLimits = LIMITS,
): Promise<ParsedCalendar> {
  const { promise, resolve } = Promise.withResolvers<ParsedCalendar>();
  const giveUp = (problem: CalendarProblem) => (): void => {
    resolve({ kind: 'failed', problem });
  };
  const cancelTimer = clock.after(limits.withinMs, giveUp('too-slow'));
  const interrupt = giveUp('interrupted');
  signal.addEventListener('abort', interrupt, { once: true });
  if (signal.aborted) {
    interrupt();
  }
  try {
    const worker = startedWith(task, limits.memory);
    collect(worker, resolve);
    worker.on('error', (error) =>
      giveUp('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'too-heavy' : 'unread')(),
    );
    worker.on('exit', giveUp('unread'));
    const parsed = await promise;
    await worker.terminate();
    return parsed;
  } catch {
    // The system refuses a thread, for example under a limit of processes. The next calendar may get one.
    return { kind: 'failed', problem: 'unread' };
  } finally {
    cancelTimer();
    signal.removeEventListener('abort', interrupt);
  }
}

function startedWith(task: ParserTask, resourceLimits: ResourceLimits): Worker {
  // The thread gets no environment and no arguments of this process.
  const worker = new Worker(workerFile(), { resourceLimits, env: compiledOnce(), execArgv: [] });
  // The buffer is transferred, not copied: it may be 10 MB.
  worker.postMessage(task, [task.body.bytes.buffer]);
  return worker;
}

function collect(worker: Worker, end: (parsed: ParsedCalendar) => void): void {
  const entries: CalendarEntry[] = [];
  worker.on('message', (answer: ParserAnswer) => {
    if (answer.kind === 'some') {
      entries.push(...answer.entries);
      // Each portion is taken in a turn of its own: several in one turn would delay other work.
      setImmediate(() => worker.postMessage(NEXT));
    } else {
      end(answer.kind === 'failed' ? answer : { ...answer, kind: 'entries', entries });
    }
  });
}

const IS_SOURCE = import.meta.filename.endsWith('.ts');

/** The build joins the thread with its package into one file (decision 0062). */
function workerFile(): string {
  return join(
    packageRoot(),
    ...(IS_SOURCE ? ['src', 'features', 'stays', 'calendar', 'parser-worker.ts'] : ['dist', 'calendar.js']),
  );
}

/** In a checkout each thread would compile twenty files anew: where what is compiled is kept, it is told. */
function compiledOnce(): NodeJS.ProcessEnv {
  const { NODE_COMPILE_CACHE: folder } = process.env;
  return IS_SOURCE && folder !== undefined ? { NODE_COMPILE_CACHE: folder } : {};
}
