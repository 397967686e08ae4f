// What is said of changes of access codes: what is being done, how far it is, how it ended, and what changed meanwhile.
import type { CodeSchedule } from '../domain/codes/access-code.ts';
import type { CodeChanges, CodeProgress } from '../domain/codes/operation.ts';
import { scheduleWords } from './schedules.ts';
import { capital } from './sentence.ts';

export const CODE_VERBS = {
  add: { toDo: 'add', doing: 'adding', done: 'added' },
  update: { toDo: 'change', doing: 'changing', done: 'changed' },
  remove: { toDo: 'remove', doing: 'removing', done: 'removed' },
  'remove-all': { toDo: 'remove', doing: 'removing', done: 'removed' },
} as const satisfies Record<CodeProgress['kind'], object>;

/** What is being done to a code, beside its name. */
export function doingWords({ kind }: Pick<CodeProgress, 'kind'>): string {
  return `${capital(CODE_VERBS[kind].doing)} …`;
}

/** How far an operation is. */
export function phaseWords({ phase, waitingFor }: Pick<CodeProgress, 'phase' | 'waitingFor'>): string {
  switch (phase) {
    case 'queued':
      return 'waiting for its turn';
    case 'waiting':
      return waitingFor ?? 'waiting for the lock';
    case 'sent':
      return 'the lock is working';
    case 'checking':
      return 'checking what the lock did';
    case 'done':
      return 'done';
    case 'failed':
      return 'not done';
  }
}

/** One line on an operation. */
export function progressSentence(progress: CodeProgress): string {
  const { kind, name, phase, failure } = progress;
  const { doing, done } = CODE_VERBS[kind];
  const what = kind === 'remove-all' ? 'all codes' : (name ?? 'a code');
  switch (phase) {
    case 'done':
      return `${capital(done)} ${what}.`;
    case 'failed':
      return failure?.words ?? 'It failed.';
    case 'queued':
    case 'waiting':
    case 'sent':
    case 'checking':
      return `${capital(doing)} ${what}: ${phaseWords(progress)} …`;
  }
}

interface ShownVersion {
  readonly name: string;
  readonly schedule: CodeSchedule;
  /** The schedule in words; left out for the code of one lock. */
  readonly locks?: string;
}

/**
 * For a person whose form was opened before somebody else saved: both versions, without digits. `asked`: what the person
 * wanted to change; nothing: the removal. `zone`: in which both schedules are shown.
 */
export function changedMeanwhile(
  now: ShownVersion,
  asked: CodeChanges & Pick<ShownVersion, 'locks'>,
  zone: string,
): string {
  const locks = (words: string | undefined): readonly string[] =>
    words === undefined ? [] : [`on ${words}`];
  const theirs = [`"${now.name}"`, scheduleWords(now.schedule, zone), ...locks(now.locks)];
  const yours = [
    ...(asked.name === undefined ? [] : [`"${asked.name}"`]),
    ...(asked.pin === undefined ? [] : ['other digits']),
    ...(asked.schedule === undefined ? [] : [scheduleWords(asked.schedule, zone)]),
    ...locks(asked.locks),
  ];
  const both = `Now: ${theirs.join(', ')}.${yours.length === 0 ? '' : ` Yours: ${yours.join(', ')}.`}`;
  return `Nothing was changed: somebody else changed this meanwhile. ${both} Try again to ${yours.length === 0 ? 'go on' : 'use yours'}.`;
}
