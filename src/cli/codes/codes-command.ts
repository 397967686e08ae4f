// `latchkey codes`: list, add, update, remove and clear the access codes of a lock.
import { Command } from 'commander';
import type { CodeDraft, CodeSchedule } from '../../domain/codes/access-code.ts';
import type { CodeChanges } from '../../domain/codes/operation.ts';
import { type Message, message } from '../../domain/language/message.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import type { CodeAnswer, LockCodes } from '../../panel/operations/codes.ts';
import type { LockView } from '../../panel/views/lock.ts';
import { FinalError } from '../../support/errors.ts';
import { oneLine } from '../../support/log.ts';
import type { AccountTool } from '../../tools/account-tool.ts';
import { readSchedule, SCHEDULE_FORMS } from '../../words/schedules.ts';
import { t } from '../../words/translate.ts';
import type { CommandContext, CommonFlags, End } from '../account/account-command.ts';
import { grouped, type Verb, verbs } from '../account/verb.ts';
import { EXIT_STATUS } from '../terminal/exit-status.ts';
import { sendChange } from '../terminal/followed-reading.ts';
import { ask, confirm } from '../terminal/hidden-typing.ts';
import { nameOf } from '../terminal/lock-lines.ts';
import { listedLocks, meant, meantLock, NameError } from '../terminal/lock-names.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { followed, refused, statusOf } from './following.ts';
import { codesConfirmCommand, list } from './list-codes.ts';
import { codesSyncCommand } from './sync-command.ts';

/** What a code is asked for with, also that of a guest. */
export interface CodeFlags extends CommonFlags {
  readonly when?: string;
  readonly zone?: string;
  readonly rename?: string;
  readonly newCode?: boolean;
  readonly reveal?: boolean;
  readonly yes?: boolean;
}

/** Secrets are typed or come from here: an argument would stand in the process list and the shell's history. */
export const CODE_VARIABLE = 'LATCHKEY_CODE';

export function codesCommand(terminal: Terminal, end: End): Command {
  const define = verbs<CodeFlags>(terminal, end);
  return grouped(new Command('codes').description(t('list and change the access codes of a lock')), [
    define('list', t('list the codes of a lock, or of all'), ['[lock]'], list).option(
      '--reveal',
      t('show the digits, too'),
    ),
    withHours(
      define(
        'add',
        t('add a code; its digits are asked for, or come from {variable}', { variable: CODE_VARIABLE }),
        ['<lock>', '<name>'],
        add,
      ),
    ),
    withValues(withHours(define('update', t('change a code in place'), ['<lock>', '<code>'], update))),
    define('remove', t('remove a code, by its name or its id'), ['<lock>', '<code>'], remove),
    define('clear', t('remove all codes of a lock'), ['<lock>'], clear).option('--yes', t('do not ask')),
    codesSyncCommand(terminal, end),
    codesConfirmCommand(terminal, end),
  ]);
}

/** Adds the options of when a code opens. */
export function withHours(command: Command): Command {
  return command
    .option('--when <schedule>', t('when the code opens: {forms}', { forms: SCHEDULE_FORMS }))
    .option(
      '--zone <zone>',
      t('time zone of the lock, such as {example}, where it is not known; kept from then on', {
        example: 'Europe/Paris',
      }),
    );
}

/** Adds the options of another name and other digits. */
export function withValues(command: Command): Command {
  return command
    .option('--rename <name>', t('another name'))
    .option(
      '--new-code',
      t('other digits: they are asked for, or come from {variable}', { variable: CODE_VARIABLE }),
    );
}

/** A new code, as asked for. `lock`: its hours are on the clocks of this lock; null: of none. */
export async function draftOf(
  context: CommandContext,
  { name, when = 'always', zone }: CodeFlags & Pick<CodeDraft, 'name'>,
  lock: LockId | null,
): Promise<CodeDraft> {
  const schedule = await scheduleOn(context, lock, when, zone);
  return { name, pin: await typedPin(context), schedule };
}

/** The members of a code that are to be others. */
export async function changesOf(
  context: CommandContext,
  { when, zone, rename, newCode = false }: CodeFlags,
  lock: LockId | null,
): Promise<CodeChanges> {
  return {
    ...(when === undefined ? {} : { schedule: await scheduleOn(context, lock, when, zone) }),
    ...(rename === undefined ? {} : { name: rename }),
    ...(newCode ? { pin: await typedPin(context) } : {}),
  };
}

export async function typedPin({ terminal, output }: CommandContext): Promise<string> {
  return terminal.environment[CODE_VARIABLE] ?? ask(terminal, output, t('The digits of the code:'), true);
}

/** A zone is kept as the lock's option first. */
async function scheduleOn(
  { session }: CommandContext,
  lock: LockId | null,
  words: string,
  zone: string | undefined,
): Promise<CodeSchedule> {
  const tool = await session.tool();
  if (lock !== null && zone !== undefined) {
    await tool.call('locks.configure', { lock, settings: { timeZone: zone } });
  }
  const timeZone = lock === null ? 'UTC' : (await tool.call('codes.list', { lock })).timeZone;
  const schedule = readSchedule(words, timeZone);
  if (schedule === null) {
    throw new FinalError(
      'bad-request',
      t('Nothing was sent: {option} must be {forms}.', { option: '--when', forms: SCHEDULE_FORMS }),
    );
  }
  return schedule;
}

/** What is asked of a lock: the code's name, null for all of them, and the call. */
interface Change {
  readonly code: string | null;
  readonly send: () => Promise<CodeAnswer>;
}

/** A command that changes codes of a lock, and follows that to its end. `done`: what is said then, and with "not" else. */
function changing(
  done: Message,
  prepare: (
    context: CommandContext,
    tool: AccountTool,
    lock: LockView,
    word: string,
    flags: CodeFlags,
  ) => Promise<Change>,
): Verb<CodeFlags> {
  return async (context, flags, [wanted = '', word = '']) => {
    const { session, output } = context;
    const tool = await session.tool();
    const lock = meantLock(wanted, await listedLocks(tool));
    const { code, send } = await prepare(context, tool, lock, word, flags);
    const subject = code === null ? nameOf(lock) : `${nameOf(lock)}, ${oneLine(code)}`;
    const answer = await sendChange(subject, send);
    if (answer.kind === 'invalid') {
      throw refused(t('{subject}: nothing was sent.', { subject }), answer.faults);
    }
    const end = await followed(context, subject, answer.operation);
    const status = statusOf(end);
    if (end.phase === 'failed') {
      const why = end.failure?.words ?? '';
      output.error(
        status === EXIT_STATUS.uncertain
          ? t('{subject}: perhaps not {done}. {why}', { subject, done, why })
          : t('{subject}: not {done}. {why}', { subject, done, why }),
      );
    }
    if (output.json || end.phase === 'done') {
      output.answer(end, [`${subject}: ${t(done)}`]);
    }
    return status;
  };
}

const add = changing(message('added'), async (context, tool, { id: lock }, name, flags) => {
  const draft = await draftOf(context, { ...flags, name }, lock);
  return { code: name, send: async () => tool.call('codes.add', { lock, draft }) };
});

const update = changing(message('changed'), async (context, tool, { id: lock }, word, flags) => {
  if (flags.when === undefined && flags.rename === undefined && flags.newCode !== true) {
    throw new NameError(t('Nothing was changed: say --rename, --when or --new-code.'));
  }
  const { id, name, revision } = meantCode(context, word, (await tool.call('codes.list', { lock })).codes);
  const changes = await changesOf(context, flags, lock);
  return { code: name, send: async () => tool.call('codes.update', { lock, code: id, changes, revision }) };
});

const remove = changing(message('removed'), async (context, tool, { id: lock }, word) => {
  const { codes, strays } = await tool.call('codes.list', { lock });
  const unlisted = strays.map(({ codeId: id }) => ({ id, name: id, guest: null, revision: null }));
  const { id, name, revision } = meantCode(context, word, [...codes, ...unlisted]);
  const seen = revision === null ? {} : { revision };
  return { code: name, send: async () => tool.call('codes.remove', { lock, code: id, ...seen }) };
});

const clear = changing(message('all codes removed'), async (context, tool, lock, _, { yes = false }) => {
  if (!yes) {
    const name = nameOf(lock);
    const question = t('Type the name of the lock to remove all its codes ({name}):', { name });
    const refusal = t('Nothing was sent: that is not the name of the lock.');
    await confirm(context, question, refusal, lock.description.name);
  }
  return { code: null, send: async () => tool.call('codes.clear', { lock: lock.id }) };
});

/** The code that the word means. A guest's code that is changed by itself counts as changed elsewhere from then on. */
function meantCode<Code extends Pick<LockCodes['codes'][number], 'name' | 'guest'> & { readonly id: string }>(
  { output }: CommandContext,
  word: string,
  codes: readonly Code[],
): Code {
  const code = meant(word, codes, t('No code is called "{name}".', { name: oneLine(word) }));
  if (code.guest !== null) {
    output.progress(
      t('This is the code of the guest {name}. For all locks at once: {guests}, not {codes}.', {
        name: oneLine(code.guest),
        guests: 'latchkey guests',
        codes: 'codes',
      }),
    );
  }
  return code;
}
