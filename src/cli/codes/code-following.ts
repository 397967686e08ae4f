// Follows an operation on access codes until it ends, with a line for each step.
import { type CodeProgress, hasEnded } from '../../domain/codes/operation.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import type { CodeAnswer } from '../../panel/operations/codes.ts';
import { delay } from '../../support/clock.ts';
import { FinalError } from '../../support/errors.ts';
import { oneLine } from '../../support/log.ts';
import { phaseWords } from '../../words/codes.ts';
import { t } from '../../words/translate.ts';
import type { CommandContext } from '../account/account-command.ts';
import { EXIT_STATUS, type ExitStatus } from '../terminal/exit-status.ts';
import { LOOK_EVERY_MS, readFollowing, UnknownChangeError, watched } from '../terminal/followed-reading.ts';

/** The operation that has begun; throws for invalid values. */
export function startedIn(subject: string, answer: CodeAnswer): CodeProgress {
  if (answer.kind === 'invalid') {
    const words = answer.faults.map((fault) => t(fault.words)).join(' ');
    const message = t('{subject}: nothing was sent. {faults}', { subject, faults: words });
    throw new FinalError('bad-request', message);
  }
  return answer.operation;
}

/** `subject`: which lock and code, for the lines. `later`: operations that begin once this one is done. Resolves with it at its end. */
export async function followed(
  { session, output, terminal }: CommandContext,
  subject: string,
  operation: CodeProgress,
  later: ReadonlySet<string> = new Set(),
): Promise<CodeProgress> {
  let shown = operation;
  for (;;) {
    const all = await readFollowing(session, subject, async (call) => call('codes.operations'));
    const now = all.find(({ id }) => id === operation.id);
    if (now === undefined && all.some(({ id }) => later.has(id))) {
      // A former owner has finished it.
      return { ...operation, phase: 'done' };
    }
    if (now === undefined) {
      throw new UnknownChangeError(t('{subject}: the plugin no longer knows how it went.', { subject }));
    }
    if (hasEnded(now)) {
      return now;
    }
    if (now.phase !== shown.phase) {
      output.progress(oneLine(`${subject}: ${phaseWords(now)}`));
    }
    shown = now;
    await delay(terminal.clock, LOOK_EVERY_MS, terminal.stopped);
  }
}

/** Waits for operations on a lock that are under way, such as one that an interrupted run left: they change its codes. */
export async function untilIdle(
  context: CommandContext,
  { id, name }: { readonly id: LockId; readonly name: string },
): Promise<void> {
  await watched(context, async () => context.session.read(async (call) => call('codes.operations')), {
    isOver: (all) => all.every((operation) => operation.lockId !== id || hasEnded(operation)),
    line: t('{name}: waiting for a change of its codes that is under way', { name }),
  });
}

export function statusOf({ phase, failure }: CodeProgress): ExitStatus {
  if (phase === 'done') {
    return EXIT_STATUS.ok;
  }
  return STATUSES.get(failure?.reason ?? '') ?? EXIT_STATUS.failed;
}

const STATUSES: ReadonlyMap<string, ExitStatus> = new Map([
  ['outcome-unknown', EXIT_STATUS.uncertain],
  ['list-disagrees', EXIT_STATUS.uncertain],
  ['not-sent', EXIT_STATUS.tryLater],
  ['relink', EXIT_STATUS.linkNeeded],
]);
