// What is said of changes of access codes: what is being done, how far it is, how it ended, and what changed meanwhile.
import type { CodeSchedule } from '../domain/codes/access-code.ts';
import type { CodeEnd } from '../domain/codes/command-result.ts';
import { isUnsettled } from '../domain/codes/failure.ts';
import {
  type CodeChanges,
  type CodePhase,
  type CodeProgress,
  type CodeRequest,
  nameIn,
} from '../domain/codes/operation.ts';
import { type Message, message } from '../domain/language/message.ts';
import { speakableName } from '../domain/locks/access.ts';
import { scheduleWords } from './schedules.ts';
import { t } from './translate.ts';

const DOING: Readonly<Record<CodeProgress['kind'], Message>> = {
  add: message('Adding …'),
  update: message('Changing …'),
  remove: message('Removing …'),
  'remove-all': message('Removing …'),
};

/** What is being done to a code, beside its name. */
export function doingWords({ kind }: Pick<CodeProgress, 'kind'>): string {
  return t(DOING[kind]);
}

const PHASES: Readonly<Record<CodePhase, Message>> = {
  queued: message('waiting for its turn'),
  waiting: message('waiting for the lock'),
  sent: message('the lock is working'),
  checking: message('checking what the lock did'),
  done: message('done'),
  failed: message('not done'),
};

/** How far an operation is. */
export function phaseWords({ phase, waitingFor }: Pick<CodeProgress, 'phase' | 'waitingFor'>): string {
  return t(waitingFor ?? PHASES[phase]);
}

const UNDER_WAY: Readonly<Record<CodeProgress['kind'], (code: string, phase: string) => string>> = {
  add: (code, phase) => t('Adding {code}: {phase} …', { code, phase }),
  update: (code, phase) => t('Changing {code}: {phase} …', { code, phase }),
  remove: (code, phase) => t('Removing {code}: {phase} …', { code, phase }),
  'remove-all': (_, phase) => t('Removing all codes: {phase} …', { phase }),
};

const DONE: Readonly<Record<CodeProgress['kind'], (code: string) => string>> = {
  add: (code) => t('Added {code}.', { code }),
  update: (code) => t('Changed {code}.', { code }),
  remove: (code) => t('Removed {code}.', { code }),
  'remove-all': () => t('Removed all codes.'),
};

export function progressSentence(progress: CodeProgress): string {
  const { kind, name, phase, failure } = progress;
  if (phase === 'failed') {
    return failure === null ? t('It failed.') : t(failure.words);
  }
  const code = name ?? t('a code');
  return phase === 'done' ? DONE[kind](code) : UNDER_WAY[kind](code, phaseWords(progress));
}

const VERBS: Readonly<Record<CodeRequest['kind'], readonly [plain: string, past: string]>> = {
  add: ['add', 'added'],
  update: ['change', 'changed'],
  remove: ['remove', 'removed'],
  'remove-all': ['remove', 'removed'],
};

/** How the change of one code ended, for the log: a line after the name of its lock. */
export function endedWords(request: CodeRequest, end: CodeEnd): string {
  const [plain, past] = VERBS[request.kind];
  const name = speakableName(nameIn(request));
  const one = name === null ? 'an access code' : `the access code "${name}"`;
  const code = request.kind === 'remove-all' ? 'all access codes' : one;
  if (end.kind === 'done') {
    return `${past} ${code}.`;
  }
  const how = isUnsettled(end.failure) ? `may not have ${past}` : `couldn’t ${plain}`;
  return `${how} ${code}: ${t(end.failure.words)}`;
}

interface ShownVersion {
  readonly name: string;
  readonly schedule: CodeSchedule;
  /** The schedule in words; left out for the code of one lock. */
  readonly locks?: string | Message;
}

/**
 * For a person whose form was opened before somebody else saved: both versions, without digits. `asked`: what the person
 * wanted to change; nothing: the removal. `zone`: in which both schedules are shown.
 */
export function changedMeanwhile(
  theirs: ShownVersion,
  asked: CodeChanges & Pick<ShownVersion, 'locks'>,
  zone: string,
): Message {
  const locks = (words: string | Message | undefined): readonly Message[] =>
    words === undefined ? [] : [message('on {locks}', { locks: words })];
  const now = [`"${theirs.name}"`, scheduleWords(theirs.schedule, zone), ...locks(theirs.locks)];
  const yours = [
    ...(asked.name === undefined ? [] : [`"${asked.name}"`]),
    ...(asked.pin === undefined ? [] : [message('other digits')]),
    ...(asked.schedule === undefined ? [] : [scheduleWords(asked.schedule, zone)]),
    ...locks(asked.locks),
  ];
  return yours.length === 0
    ? message('Nothing was changed: somebody else changed this meanwhile. Now: {now}. Try again to go on.', {
        now,
      })
    : message(
        'Nothing was changed: somebody else changed this meanwhile. Now: {now}. Yours: {yours}. Try again to use yours.',
        { now, yours },
      );
}
