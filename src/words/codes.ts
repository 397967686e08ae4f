// What is said of changes of access codes: what is being done, how far it is, how it ended, and what changed meanwhile.
import type { CodeSchedule } from '../domain/codes/access-code.ts';
import type { CodeEnd } from '../domain/codes/command-result.ts';
import { isUnsettled } from '../domain/codes/failure.ts';
import { type CodeChanges, type CodeProgress, type CodeRequest, nameIn } from '../domain/codes/operation.ts';
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

/** How far an operation is. */
export function phaseWords({ phase, waitingFor }: Pick<CodeProgress, 'phase' | 'waitingFor'>): string {
  switch (phase) {
    case 'queued':
      return t('waiting for its turn');
    case 'waiting':
      return waitingFor === null ? t('waiting for the lock') : t(waitingFor);
    case 'sent':
      return t('the lock is working');
    case 'checking':
      return t('checking what the lock did');
    case 'done':
      return t('done');
    case 'failed':
      return t('not done');
  }
}

export function progressSentence(progress: CodeProgress): string {
  const { phase, failure } = progress;
  switch (phase) {
    case 'done':
      return doneSentence(progress);
    case 'failed':
      return failure === null ? t('It failed.') : t(failure.words);
    case 'queued':
    case 'waiting':
    case 'sent':
    case 'checking':
      return doingSentence(progress);
  }
}

function doneSentence({ kind, name }: CodeProgress): string {
  const code = name ?? t('a code');
  switch (kind) {
    case 'add':
      return t('Added {code}.', { code });
    case 'update':
      return t('Changed {code}.', { code });
    case 'remove':
      return t('Removed {code}.', { code });
    case 'remove-all':
      return t('Removed all codes.');
  }
}

function doingSentence(progress: CodeProgress): string {
  const code = progress.name ?? t('a code');
  const phase = phaseWords(progress);
  switch (progress.kind) {
    case 'add':
      return t('Adding {code}: {phase} …', { code, phase });
    case 'update':
      return t('Changing {code}: {phase} …', { code, phase });
    case 'remove':
      return t('Removing {code}: {phase} …', { code, phase });
    case 'remove-all':
      return t('Removing all codes: {phase} …', { phase });
  }
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
