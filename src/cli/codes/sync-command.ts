// `latchkey codes sync FILE`: shows what brings the codes of each lock to those of a file, asks, and carries it out.
import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { ZONE_OPTION_WORDS, zoneFault } from '../../domain/codes/lock-zone.ts';
import type { CodeProgress } from '../../domain/codes/operation.ts';
import { isChange, type PlanChoices, type PlannedStep, type WantedCode } from '../../domain/codes/plan.ts';
import { type Message, message } from '../../domain/language/message.ts';
import { withoutCodes } from '../../domain/locks/access.ts';
import type { LockCodes } from '../../panel/operations/codes.ts';
import type { LockView } from '../../panel/views/lock.ts';
import { FinalError, LatchkeyError, UncertainError } from '../../support/errors.ts';
import { oneLine } from '../../support/log.ts';
import { decodeText } from '../../support/text/text-encoding.ts';
import { readSchedule, SCHEDULE_FORMS } from '../../words/schedules.ts';
import { t } from '../../words/translate.ts';
import type { CommandContext, CommonFlags, End } from '../account/account-command.ts';
import { type Verb, verbs } from '../account/verb.ts';
import { type CliError, cliErrorOf, errorJson, errorLine } from '../terminal/cli-error.ts';
import { EXIT_STATUS, type ExitStatus, worst } from '../terminal/exit-status.ts';
import { sendChange } from '../terminal/followed-reading.ts';
import { confirm } from '../terminal/hidden-typing.ts';
import { nameOf } from '../terminal/lock-lines.ts';
import { listedLocks, meantLock, NameError, type NameMatch } from '../terminal/lock-names.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type CodeRow, readCodeFile } from './code-file.ts';
import { followed, statusOf, untilIdle } from './following.ts';

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
  const read = await readCodeFile(file, contentOf(file), terminal.environment);
  const { plans, faults } =
    read.faults.length === 0
      ? await planFile(context, read.rows, { keepOthers, includeGuests }, match)
      : { plans: [], faults: read.faults };
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
    await confirm(context, question, t('Nothing was sent.'));
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
    throw new FinalError('bad-request', t('Nothing was sent: {file} cannot be read.', { file }), {
      cause: error,
    });
  }
}

/** Hands the changes over to the owner of the account, who carries them out also without us, and follows them in their order. */
async function carryOut(context: CommandContext, { lock, steps }: LockPlan): Promise<ExitStatus> {
  const changes = steps.filter(isChange);
  try {
    const { call } = await context.session.reached();
    const asked = { lock: lock.id, steps: changes };
    const begun = await sendChange(nameOf(lock), async () => call('codes.carry-out', asked));
    for (const [index, operation] of begun.entries()) {
      const step = changes[index];
      const subject = `${nameOf(lock)}, ${step === undefined ? '' : oneLine(nameIn(step))}`;
      const later = begun.slice(index + 1).map(({ id }) => id);
      const end = await followed(context, subject, operation, new Set(later));
      if (end.phase !== 'done') {
        return report(context, failureOf(subject, end), later.length);
      }
      context.output.progress(t('{subject}: done', { subject }));
    }
    return EXIT_STATUS.ok;
  } catch (error) {
    if (!(error instanceof LatchkeyError)) {
      throw error;
    }
    // The owner may go on where this one no longer sees it.
    return report(context, cliErrorOf(error), error instanceof UncertainError ? 0 : changes.length - 1);
  }
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
function report({ output }: CommandContext, failure: CliError, left: number): ExitStatus {
  const rest = t(
    '{left, plural, one {One more change} other {# more changes}} of this lock: not begun. Run it again when that is mended.',
    { left },
  );
  const next = left === 0 ? failure.next : failure.next === null ? rest : `${failure.next} ${rest}`;
  const error = { ...failure, next };
  output.error(output.json ? errorJson(error) : errorLine(error));
  return failure.status;
}

interface LockPlan {
  readonly lock: LockView;
  readonly steps: readonly PlannedStep[];
}

interface FilePlan {
  readonly plans: readonly LockPlan[];
  /** Sentences that name the place in the file. With one, nothing is sent. */
  readonly faults: readonly string[];
}

/** Rejects as the calls of `codes.list` do. */
async function planFile(
  context: CommandContext,
  rows: readonly CodeRow[],
  choices: PlanChoices,
  match: NameMatch,
): Promise<FilePlan> {
  const tool = await context.session.tool();
  const { byLock, faults } = sorted(rows, await listedLocks(tool), match);
  const plans: LockPlan[] = [];
  for (const [lock, ofLock] of byLock) {
    await untilIdle(context, { id: lock.id, name: nameOf(lock) });
    const listed = await tool.call('codes.list', { lock: lock.id });
    const { serviceNow } = await tool.call('status');
    const wanted = ofLock.map((row) => wantedBy(row, listed, serviceNow, faults));
    const plan = await tool.call('codes.plan', { lock: lock.id, wanted, ...choices });
    plans.push({ lock, steps: plan.steps });
    faults.push(...plan.faults.map((fault) => t(fault)));
  }
  return { plans, faults };
}

function sorted(rows: readonly CodeRow[], locks: readonly LockView[], match: NameMatch) {
  const byLock = new Map<LockView, readonly CodeRow[]>();
  const faults: string[] = [];
  for (const row of rows) {
    try {
      const lock = meantLock(row.lock, locks, match);
      byLock.set(lock, [...(byLock.get(lock) ?? []), row]);
    } catch (error) {
      if (!(error instanceof NameError)) {
        throw error;
      }
      // Digits in the wrong column may be those of a code.
      const written = oneLine(row.lock);
      faults.push(`${row.place}: ${error.message.replace(written, () => withoutCodes(written))}`);
    }
  }
  return { byLock, faults };
}

/** A row with a malformed schedule is judged by its other members all the same. */
function wantedBy(
  { place, name, pin, schedule: words }: CodeRow,
  listed: LockCodes,
  now: number,
  faults: string[],
): WantedCode {
  const schedule = readSchedule(words, listed.timeZone);
  if (schedule === null) {
    faults.push(t('{place}: the schedule must be {forms}.', { place, forms: SCHEDULE_FORMS }));
  } else if (zoneFault(schedule, listed, now) !== null) {
    faults.push(`${place}: ${t(ZONE_OPTION_WORDS)}`);
  }
  return { place, draft: { name, pin, schedule: schedule ?? { kind: 'always' } } };
}

const WORDS: Readonly<Record<PlannedStep['kind'], readonly [sign: string, words: Message]>> = {
  add: ['+', message('add')],
  change: ['~', message('change')],
  remove: ['-', message('remove')],
  unchanged: ['=', message('unchanged')],
  'read-only': [' ', message('read-only')],
  guest: [' ', message('guest')],
};

function nameIn(step: PlannedStep): string {
  return step.kind === 'add' ? step.draft.name : step.code.name;
}

function planLines(plans: readonly LockPlan[]): readonly string[] {
  const width = Math.max(...Object.values(WORDS).map(([, words]) => t(words).length));
  return plans.flatMap(({ lock, steps }) => {
    const guests = guestsIn(steps);
    return [
      `${nameOf(lock)}:`,
      ...steps.map((step) => {
        const [sign, words] = WORDS[step.kind];
        return `  ${sign} ${t(words).padEnd(width)}  ${oneLine(nameIn(step))}${changeWords(step)}`;
      }),
      ...(guests === 0
        ? []
        : [
            `  ${t(
              '{guests, plural, one {# code of a guest is left alone} other {# codes of guests are left alone}}; {option} changes such codes, too.',
              { guests, option: '--include-guests' },
            )}`,
          ]),
    ];
  });
}

function changeWords(step: PlannedStep): string {
  if (step.kind !== 'change') {
    return '';
  }
  const members = Object.keys(step.changes)
    .flatMap((member) => MEMBERS[member] ?? [])
    .map((member) => t(member))
    .join(', ');
  if (step.isAside === true) {
    return ` ${t('({members}, for a moment)', { members })}`;
  }
  const { name } = step.changes;
  return name === undefined
    ? ` (${members})`
    : ` ${t('to {name} ({members})', { name: oneLine(name), members })}`;
}

/** The words never show digits, only that they differ. */
const MEMBERS: Readonly<Record<string, Message>> = {
  name: message('name'),
  pin: message('code'),
  schedule: message('schedule'),
};

/** The same for programs. */
function memberWord(member: string): string {
  return member === 'pin' ? 'code' : member;
}

function planJson(plans: readonly LockPlan[]) {
  return plans.map(({ lock, steps }) => ({
    lock: lock.id,
    name: lock.description.name,
    guests: guestsIn(steps),
    steps: steps.map((step) => ({
      step: step.kind,
      name: nameIn(step),
      ...(step.kind === 'change'
        ? {
            changes: Object.keys(step.changes).map(memberWord),
            ...(step.changes.name === undefined ? {} : { newName: step.changes.name }),
            ...(step.isAside === true ? { isAside: true } : {}),
          }
        : {}),
    })),
  }));
}

function guestsIn(steps: readonly PlannedStep[]): number {
  return steps.filter(({ kind }) => kind === 'guest').length;
}

function changesIn(plans: readonly LockPlan[]): number {
  return plans.flatMap(({ steps }) => steps.filter(isChange)).length;
}
