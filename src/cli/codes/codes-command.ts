// `latchkey codes`: list, add, update, remove and clear the access codes of a lock.
import { Command } from 'commander';
import type { CodeSchedule } from '../../domain/codes/access-code.ts';
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
import { EXIT_STATUS, type ExitStatus } from '../terminal/exit-status.ts';
import { sendChange } from '../terminal/followed-reading.ts';
import { ask, confirm } from '../terminal/hidden-typing.ts';
import { nameOf } from '../terminal/lock-lines.ts';
import { askedLocks, meant, NameError } from '../terminal/lock-names.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { followed, startedIn, statusOf } from './following.ts';
import { codesConfirmCommand, list } from './list-codes.ts';
import { codesSyncCommand } from './sync-command.ts';

interface CodeFlags extends CommonFlags {
  readonly when?: string;
  readonly rename?: string;
  readonly newCode?: boolean;
  readonly reveal?: boolean;
  readonly yes?: boolean;
  readonly zone?: string;
}

/** Secrets are typed or come from here: an argument would stand in the process list and the shell's history. */
export const CODE_VARIABLE = 'LATCHKEY_CODE';

type Run = Verb<CodeFlags>;

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

/** The name and the digits, where others are asked for. */
export async function valuesOf(
  context: CommandContext,
  { rename, newCode = false }: Pick<CodeFlags, 'rename' | 'newCode'>,
): Promise<Pick<CodeChanges, 'name' | 'pin'>> {
  return {
    ...(rename === undefined ? {} : { name: rename }),
    ...(newCode ? { pin: await typedPin(context) } : {}),
  };
}

/** What is asked of a lock: the code's name, null for all of them, and the call. */
interface Change {
  readonly code: string | null;
  readonly send: () => Promise<CodeAnswer>;
}

/** A command that changes codes of a lock, and follows that to its end. */
function changing(
  change: keyof typeof ENDS,
  prepare: (
    tool: AccountTool,
    lock: LockView,
    word: string,
    flags: CodeFlags,
    context: CommandContext,
  ) => Promise<Change>,
): Run {
  return async (context, flags, [wanted = '', word = '']) => {
    const tool = await context.session.tool();
    const [lock] = await askedLocks(tool, [wanted]);
    if (lock === undefined) {
      throw new FinalError('not-found', t('There is no such lock.'));
    }
    const { code, send } = await prepare(tool, lock, word, flags, context);
    const subject = code === null ? nameOf(lock) : `${nameOf(lock)}, ${oneLine(code)}`;
    return finish(context, subject, change, await sendChange(subject, send));
  };
}

const add = changing('added', async (tool, { id: lock }, name, { when = 'always', zone }, context) => {
  const schedule = await scheduleOn(tool, lock, when, zone);
  const pin = await typedPin(context);
  return { code: name, send: async () => tool.call('codes.add', { lock, draft: { name, pin, schedule } }) };
});

const update = changing('changed', async (tool, { id: lock }, word, flags, context) => {
  const { when, zone } = flags;
  if (when === undefined && flags.rename === undefined && flags.newCode !== true) {
    throw new NameError(
      t('Nothing was changed: say {rename}, {when} or {newCode}.', {
        rename: '--rename',
        when: '--when',
        newCode: '--new-code',
      }),
    );
  }
  const { id, name, revision } = meantCode(context, word, (await tool.call('codes.list', { lock })).codes);
  const schedule = when === undefined ? {} : { schedule: await scheduleOn(tool, lock, when, zone) };
  const changes = { ...schedule, ...(await valuesOf(context, flags)) };
  return { code: name, send: async () => tool.call('codes.update', { lock, code: id, changes, revision }) };
});

const remove = changing('removed', async (tool, { id: lock }, word, _, context) => {
  const { codes, strays } = await tool.call('codes.list', { lock });
  const unlisted = strays.map(({ codeId: id }) => ({ id, name: id, guest: null, revision: null }));
  const { id, name, revision } = meantCode(context, word, [...codes, ...unlisted]);
  const seen = revision === null ? {} : { revision };
  return { code: name, send: async () => tool.call('codes.remove', { lock, code: id, ...seen }) };
});

const clear = changing('cleared', async (tool, lock, _word, { yes = false }, context) => {
  if (!yes) {
    const name = nameOf(lock);
    const question = t('Type the name of the lock to remove all its codes ({name}):', { name });
    const refused = t('Nothing was sent: that is not the name of the lock.');
    await confirm(context, question, refused, lock.description.name);
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

export async function typedPin({ terminal, output }: CommandContext): Promise<string> {
  return terminal.environment[CODE_VARIABLE] ?? ask(terminal, output, t('The digits of the code:'), true);
}

/** How a change ended, after the name of the lock and of the code. */
const ENDS = {
  added: [message('added'), message('not added'), message('perhaps not added')],
  changed: [message('changed'), message('not changed'), message('perhaps not changed')],
  removed: [message('removed'), message('not removed'), message('perhaps not removed')],
  cleared: [
    message('all codes removed'),
    message('not all codes removed'),
    message('perhaps not all codes removed'),
  ],
} as const satisfies Readonly<
  Record<string, readonly [done: Message, notDone: Message, perhapsNot: Message]>
>;

async function finish(
  context: CommandContext,
  subject: string,
  change: keyof typeof ENDS,
  answer: CodeAnswer,
): Promise<ExitStatus> {
  const { output } = context;
  const [done, notDone, perhapsNot] = ENDS[change];
  const end = await followed(context, subject, startedIn(subject, answer));
  const status = statusOf(end);
  if (end.phase === 'failed') {
    const how = t(status === EXIT_STATUS.uncertain ? perhapsNot : notDone);
    output.error(`${subject}: ${how}. ${end.failure === null ? '' : t(end.failure.words)}`);
  }
  if (output.json || end.phase === 'done') {
    output.answer(end, [`${subject}: ${t(done)}`]);
  }
  return status;
}

/** What `--when` says on the clocks of the lock; null: of none. A zone is kept as the lock's option first. */
export async function scheduleOn(
  tool: AccountTool,
  lock: LockId | null,
  words: string,
  zone: string | undefined,
): Promise<CodeSchedule> {
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
