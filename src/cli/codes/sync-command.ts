// `latchkey codes sync FILE`: shows what brings the codes of each lock to those of a file, asks, and carries it out.
import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import type { CodeProgress } from '../../domain/codes/operation.ts';
import { isChange } from '../../domain/codes/plan-order.ts';
import type { SeenChange } from '../../panel/operations/codes.ts';
import type { LockView } from '../../panel/views/lock.ts';
import { FinalError, LatchkeyError, UncertainError } from '../../support/errors.ts';
import { oneLine } from '../../support/log.ts';
import { decodeText } from '../../support/text/text-encoding.ts';
import { t } from '../../words/translate.ts';
import type { CommandContext, CommonFlags, End } from '../account/account-command.ts';
import { type Verb, verbs } from '../account/verb.ts';
import { type CliError, cliErrorOf, errorJson, errorLine } from '../terminal/cli-error.ts';
import { EXIT_STATUS, type ExitStatus, worst } from '../terminal/exit-status.ts';
import { sendChange } from '../terminal/followed-reading.ts';
import { ask } from '../terminal/hidden-typing.ts';
import { nameOf } from '../terminal/lock-lines.ts';
import type { NameMatch } from '../terminal/lock-names.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { readCodeFile } from './code-file.ts';
import { followed, statusOf } from './code-following.ts';
import { changesIn, type LockPlan, nameIn, planFile, planJson, planLines } from './sync-plan.ts';

interface SyncFlags extends CommonFlags {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly keepOthers?: boolean;
  readonly includeGuests?: boolean;
  readonly match: NameMatch;
}

export function codesSyncCommand(terminal: Terminal, end: End): Command {
  const file = t('CSV with the columns {columns}, or a YAML or JSON list with these members', {
    columns: 'lock, name, code, schedule',
  });
  return verbs<SyncFlags>(terminal, end)(
    'sync',
    t('bring the codes of locks to those of a file, after showing what changes'),
    [['<file>', file]],
    sync,
  )
    .option(
      '--dry-run',
      t('show what would change; ends with {status} when something would', {
        status: EXIT_STATUS.differs,
      }),
    )
    .option('--keep-others', t('leave codes that the file does not name'))
    .option('--include-guests', t('change the codes of guests, too'))
    .addOption(
      new Option('--match <how>', t('how the file names locks: by the whole name, or by its beginning'))
        .choices(['exact', 'prefix'])
        .default('exact'),
    )
    .option('--yes', t('do not ask'));
}

const sync: Verb<SyncFlags> = async (context, flags, [file = '']) => {
  const { output, terminal } = context;
  const { dryRun = false, yes = false, keepOthers = false, includeGuests = false, match } = flags;
  const reading = await readCodeFile(file, contentOf(file), terminal.environment);
  const { plans, faults } = reading.ok
    ? await planFile(context, reading.rows, { keepOthers, includeGuests, match })
    : { plans: [], faults: reading.faults };
  if (faults.length > 0) {
    throw new FinalError('bad-request', `${t('Nothing was sent.')} ${faults.join(' ')}`);
  }
  output.answer(planJson(plans), planLines(plans));
  const changes = changesIn(plans);
  if (changes === 0) {
    output.progress(t('Nothing to do.'));
    return EXIT_STATUS.ok;
  }
  if (dryRun) {
    return EXIT_STATUS.differs;
  }
  if (!yes) {
    const question = t('Carry out {changes} changes? Type {yes}:', {
      changes: String(changes),
      yes: 'yes',
    });
    const typed = await ask(terminal, output, question);
    if (typed.toLowerCase() !== 'yes') {
      throw new FinalError('bad-request', t('Nothing was sent.'));
    }
  }
  return worst(await Promise.all(plans.map(async (plan) => carryOut(context, plan))));
};

function contentOf(file: string): string {
  try {
    return decodeText(readFileSync(file));
  } catch (error) {
    if (error instanceof LatchkeyError) {
      throw error;
    }
    const message = t('Nothing was sent: {file} cannot be read.', { file });
    throw new FinalError('bad-request', message, { cause: error });
  }
}

/** Hands the changes over to the owner of the account, who carries them out also without us, and follows them. */
async function carryOut(context: CommandContext, { lock, steps }: LockPlan): Promise<ExitStatus> {
  const changes = steps.filter(isChange);
  try {
    const { call } = await context.session.reached();
    const asked = { lock: lock.id, steps: changes };
    const begun = await sendChange(nameOf(lock), async () => call('codes.carry-out', asked));
    const failed = await firstFailure(context, lock, changes, begun);
    return failed === null ? EXIT_STATUS.ok : report(context, failed, begun.length - failed.index - 1);
  } catch (error) {
    if (!(error instanceof LatchkeyError)) {
      throw error;
    }
    // The owner may go on where this one no longer sees it.
    return report(context, cliErrorOf(error), error instanceof UncertainError ? 0 : changes.length - 1);
  }
}

/** Follows the changes in their order; null: all are done. */
async function firstFailure(
  context: CommandContext,
  lock: LockView,
  changes: readonly SeenChange[],
  begun: readonly CodeProgress[],
): Promise<(CliError & { readonly index: number }) | null> {
  for (const [index, step] of changes.entries()) {
    const [operation, ...later] = begun.slice(index);
    if (operation === undefined) {
      return null;
    }
    const subject = `${nameOf(lock)}, ${oneLine(nameIn(step))}`;
    const end = await followed(context, subject, operation, new Set(later.map(({ id }) => id)));
    if (end.phase !== 'done') {
      return { ...failureOf(subject, end), index };
    }
    context.output.progress(t('{subject}: done', { subject }));
  }
  return null;
}

function failureOf(subject: string, end: CodeProgress): CliError {
  const words = end.failure === null ? '' : t(end.failure.words);
  return {
    code: end.failure?.reason ?? 'failed',
    message: `${subject}: ${words}`,
    next: null,
    status: statusOf(end),
  };
}

/** `left`: how many changes of the lock were not begun. */
function nextAfter({ next }: CliError, left: number): string | null {
  if (left === 0) {
    return next;
  }
  const rest = t(
    '{left, plural, one {One more change} other {# more changes}} of this lock: not begun. Run it again when that is mended.',
    { left },
  );
  return next === null ? rest : `${next} ${rest}`;
}

function report({ output }: CommandContext, failure: CliError, left: number): ExitStatus {
  const error = { ...failure, next: nextAfter(failure, left) };
  output.error(output.json ? errorJson(error) : errorLine(error));
  return failure.status;
}
