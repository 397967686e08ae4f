// The panel's operations on locks: list, history, settings, and lock or unlock.
import { z } from 'zod';
import type { RequestRefusal } from '../../domain/commands/intent-policy.ts';
import type { BatteryLevel } from '../../domain/history/battery-course.ts';
import { MOST_HISTORY_LINES } from '../../domain/history/history.ts';
import { type Message, message } from '../../domain/language/message.ts';
import type { Lock, LockId } from '../../domain/locks/lock.ts';
import type { AccountRuntime, RequestAnswer } from '../../engine/account-runtime.ts';
import type { Historian } from '../../engine/history/history-reader.ts';
import { FinalError, wordsOf } from '../../support/errors.ts';
import type { ActivityView } from '../views/activity.ts';
import { viewOf } from '../views/lock.ts';
import type { LockSettingsApi } from '../views/lock-settings.ts';
import { type Callers, type Effect, nothing, oneLock, operation } from './operation.ts';

/** The outcome of a request, in a form that crosses a socket. */
export type MoveView =
  | { readonly kind: Exclude<RequestAnswer['kind'], 'refused' | 'failed'> }
  | { readonly kind: 'refused'; readonly reason: RequestRefusal }
  | { readonly kind: 'failed'; readonly disposition: string; readonly message: Message };

export interface LockOperationParts {
  readonly runtime: AccountRuntime;
  readonly history: Historian;
  readonly lockSettings: LockSettingsApi;
  readonly activity: { list(): readonly ActivityView[] };
  readonly batteries: { course(id: LockId): readonly BatteryLevel[] };
  /** Throws `not-owner` unless this process owns the account: other processes must not write its data. */
  readonly assertOwned: () => void;
  /** Throws `bad-configuration`, which names the missing credentials: without them no request is sent. */
  readonly assertCallable: () => void;
}

/** `waitedMs`: how long the asker has waited already: part of the time that an unlock may wait. */
const move = () =>
  oneLock().extend({
    to: z.enum(['secured', 'unsecured']),
    waitedMs: z.number().min(0).exactOptional(),
  });
const change = () => oneLock().extend({ settings: z.record(z.string(), z.unknown()) });
const entries = () =>
  oneLock().extend({
    limit: z.int().min(1).max(MOST_HISTORY_LINES),
    deviceTime: z.boolean(),
  });

const row = <Who extends Callers, Input, Result>(
  callers: Who,
  effect: Effect,
  schema: () => z.ZodType<Input>,
  run: (parts: LockOperationParts, input: Input) => Promise<Result> | Result,
) => operation(callers, effect, schema, run);

export const LOCK_OPERATIONS = {
  locks: row('pages', 'reads', nothing, ({ runtime }) => runtime.locks().map(viewOf)),
  'locks.settings': row('pages', 'reads', nothing, ({ runtime, lockSettings }) =>
    runtime.locks().map((lock) => lockSettings.show(lock)),
  ),
  'locks.configure': row('pages', 'changes', change, (parts, { lock, settings }) => {
    parts.assertOwned();
    return parts.lockSettings.configure(knownLock(parts.runtime, lock), settings);
  }),
  /** It may open a door, so that no page may call it. */
  move: row('processes', 'changes', move, async ({ runtime }, { lock, to, waitedMs }) =>
    moveView(await runtime.request(lock, to, { waitedMs })),
  ),
  /** The operation of pages: it can only lock. */
  lock: row('pages', 'changes', oneLock, async ({ runtime }, { lock }) =>
    moveView(await runtime.request(lock, 'secured')),
  ),
  /** Rejects with the error of the listing; the state in `locks` is older then. */
  refresh: row('pages', 'reads', nothing, async ({ runtime, assertCallable }) => {
    assertCallable();
    const failure = await runtime.refresh();
    if (failure !== null) {
      throw failure;
    }
    return runtime.locks().map(viewOf);
  }),
  history: row('pages', 'reads', entries, async ({ history }, { lock, ...question }) =>
    history.history(lock, question),
  ),
  /** The course of the lock's battery, the oldest level first. */
  'locks.battery': row('pages', 'reads', oneLock, ({ batteries }, { lock }) => batteries.course(lock)),
  activity: row('pages', 'reads', nothing, ({ activity }) => activity.list()),
  forget: row('pages', 'changes', oneLock, (parts, { lock }) => {
    parts.assertOwned();
    forget(parts.runtime, knownLock(parts.runtime, lock));
    return { forgotten: true };
  }),
};

function knownLock(runtime: AccountRuntime, id: LockId): Lock {
  const lock = runtime.lock(id);
  if (lock === undefined) {
    throw new FinalError(
      'not-found',
      message('There is no such lock. It may have left the account: read the list again.'),
    );
  }
  return lock;
}

/** A lock that the account still lists would be back with the next listing. */
function forget(runtime: AccountRuntime, { id }: Lock): void {
  if (!runtime.forget(id)) {
    throw new FinalError(
      'refused',
      message(
        'As far as is known, this lock is still in the account, so it would come back. Hide it instead.',
      ),
    );
  }
}

function moveView(answer: RequestAnswer): MoveView {
  return answer.kind === 'failed'
    ? { kind: 'failed', disposition: answer.error.disposition, message: wordsOf(answer.error) }
    : answer;
}
