// `latchkey lock` and `latchkey unlock`: send one request and follow it to its end, with a line for each step.
import type { Command } from 'commander';
import type { BoltPosition } from '../../domain/locks/bolt.ts';
import { elapsedMs, type Moment } from '../../domain/time/time.ts';
import type { MoveView } from '../../panel/operations/locks.ts';
import type { PanelEvent } from '../../panel/panel-event.ts';
import { NotBegunError } from '../../panel/socket/not-begun.ts';
import type { LockView } from '../../panel/views/lock.ts';
import { type CancelTimer, type Clock, momentOf } from '../../support/clock.ts';
import { LatchkeyError, wordsOf } from '../../support/errors.ts';
import { t } from '../../words/translate.ts';
import { type CommandContext, type CommandOptions, type End, noLog } from '../account/account-command.ts';
import { verbs } from '../account/verb.ts';
import { type ExitStatus, worst } from '../terminal/exit-status.ts';
import { nameOf } from '../terminal/lock-lines.ts';
import { askedLocks } from '../terminal/lock-names.ts';
import { withinDeadline } from '../terminal/request-deadline.ts';
import type { Terminal } from '../terminal/terminal.ts';
import {
  answered,
  asked,
  asking,
  interrupted,
  type Move,
  type MoveEnd,
  received,
  resumed,
  silent,
} from './move-machine.ts';

/** The longest that a command and its queueing can take, in milliseconds: 65 s each, plus some reading. */
const TIMEOUT_MS = 150_000;

/** Longest delay of a command's end after the change of the lock that it caused, in milliseconds. */
const LAG_MS = 2_000;

/** Readings after a command of unknown outcome end within this time: the last is due 21 s after it, in milliseconds. */
const DOUBT_MS = 30_000;

/** A fulfilled request is answered at once; after this many milliseconds it is being sent (our choice). */
const ASKING_AFTER_MS = 300;

/** Phases that end by themselves, and after how many milliseconds. */
const LIMITS: Readonly<Partial<Record<Move['phase'], number>>> = {
  dropped: LAG_MS,
  lost: DOUBT_MS,
  doubted: DOUBT_MS,
};

interface Wanted {
  readonly target: BoltPosition;
  readonly askedAt: Moment;
}

const CONDUCT: CommandOptions = { logOf: noLog, seenThrough: true };

export function moveCommand(target: BoltPosition, terminal: Terminal, end: End): Command {
  return verbs(terminal, end)(
    target === 'secured' ? 'lock' : 'unlock',
    t(
      target === 'secured'
        ? 'lock one door or several, and wait until it is done'
        : 'unlock one door or several, and wait until it is done',
    ),
    [['<name...>', t('the beginning of its name, in any case, or its id')]],
    async (context, _, names) => moveAll(context, names, target),
    () => CONDUCT,
  );
}

async function moveAll(
  context: CommandContext,
  names: readonly string[],
  target: BoltPosition,
): Promise<ExitStatus> {
  const { clock } = context.terminal;
  const askedAt = momentOf(clock);
  const locks = await withinDeadline(target, clock, async () =>
    askedLocks(await context.session.tool(), names),
  );
  const reports = await Promise.all(locks.map(async (lock) => moveOne(context, lock, { target, askedAt })));
  if (context.output.json) {
    context.output.answer(reports, []);
  }
  return worst(reports.map(({ status }) => status));
}

/** Resolves with its end as JSON has it. */
async function moveOne(context: CommandContext, lock: LockView, wanted: Wanted) {
  const { target } = wanted;
  const { output, terminal } = context;
  const { clock } = terminal;
  const startedAt = clock.monotonic();
  const track = new MoveTrack(asked(target), clock, (line) => {
    output.progress(`${nameOf(lock)}: ${line}`);
  });
  const forget = followed(context, lock, track);
  try {
    const answer = await requested(context, lock, wanted);
    track.step((move) => answered(move, answer));
    const { kind, words, status } = await track.ended;
    const tookMs = Math.round(clock.monotonic() - startedAt);
    emit(context, lock, { kind, words, status }, tookMs);
    return { lock: lock.id, name: lock.description.name, target, end: kind, words, tookMs, status };
  } finally {
    forget();
    track.stop();
  }
}

/** Feeds the track with the owner's reports on this lock; returns a function that ends that. */
function followed({ session }: CommandContext, lock: LockView, track: MoveTrack): () => void {
  return session.listen({
    onEvent: (event) => {
      if (lockIn(event) === lock.id) {
        track.step((move) => received(move, event));
      }
    },
    interrupted: () => track.step(interrupted),
    resumed: (locks) => {
      const found = locks.find(({ id }) => id === lock.id);
      track.step((move) => resumed(move, found));
    },
    lost: () => track.step(silent),
  });
}

/** Requests once. An owner that disconnects has journaled the request, and its successor follows it. */
async function requested(context: CommandContext, lock: LockView, wanted: Wanted): Promise<MoveView> {
  const { session, terminal } = context;
  try {
    const { call } = await session.reached();
    const waitedMs = Math.max(elapsedMs(wanted.askedAt, momentOf(terminal.clock)), 0);
    return await call('move', { lock: lock.id, to: wanted.target, waitedMs });
  } catch (error) {
    if (error instanceof NotBegunError) {
      return requested(context, lock, wanted);
    }
    if (!(error instanceof LatchkeyError)) {
      throw error;
    }
    const { disposition } = error;
    return disposition === 'uncertain'
      ? { kind: 'uncertain' }
      : { kind: 'failed', disposition, message: wordsOf(error) };
  }
}

function emit({ output }: CommandContext, lock: LockView, { kind, words }: MoveEnd, tookMs: number): void {
  const line = `${nameOf(lock)}: ${words}`;
  if (kind === 'moved') {
    output.done(`${line} (${(tookMs / 1_000).toFixed(1)} s)`);
  } else if (kind === 'already') {
    output.done(line);
  } else if (!output.json) {
    output.error(line);
  }
}

/** The lock of an event; null when it concerns none. */
function lockIn(event: PanelEvent): string | null {
  if (event.type === 'lock') {
    return event.lock.id;
  }
  return 'id' in event ? event.id : null;
}

/** One move in progress: takes every step, prints changes, and ends after a limit. */
class MoveTrack {
  readonly ended: Promise<MoveEnd>;
  readonly #clock: Clock;
  readonly #say: (line: string) => void;
  readonly #resolve: (end: MoveEnd) => void;
  readonly #timers: readonly CancelTimer[];
  #lag: CancelTimer | null = null;
  #move: Move;

  constructor(move: Move, clock: Clock, say: (line: string) => void) {
    const { promise, resolve } = Promise.withResolvers<MoveEnd>();
    this.ended = promise;
    this.#resolve = resolve;
    this.#clock = clock;
    this.#say = say;
    this.#move = move;
    this.#timers = [
      clock.after(ASKING_AFTER_MS, () => this.step(asking)),
      clock.after(TIMEOUT_MS, () => this.step(silent)),
    ];
  }

  step(advance: (move: Move) => Move): void {
    const before = this.#move.phase;
    this.#move = advance(this.#move);
    const { line, end, phase } = this.#move;
    if (line !== null) {
      this.#say(line);
    }
    if (end !== null) {
      this.#resolve(end);
    }
    if (phase !== before) {
      this.#waitIn(phase);
    }
  }

  #waitIn(phase: Move['phase']): void {
    this.#lag?.();
    this.#lag = null;
    const limitMs = LIMITS[phase];
    if (limitMs !== undefined) {
      this.#lag = this.#clock.after(limitMs, () => this.step(silent));
    }
  }

  stop(): void {
    for (const cancel of [...this.#timers, this.#lag]) {
      cancel?.();
    }
  }
}
