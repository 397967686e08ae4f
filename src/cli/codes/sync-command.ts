// `latchkey codes sync FILE`: shows what brings the codes of each lock to those of a file, asks, and carries it out.
import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { ZONE_OPTION_WORDS, zoneFault } from '../../domain/codes/lock-zone.ts';
import { isChange, type PlannedStep, type SeenChange, type WantedCode } from '../../domain/codes/plan.ts';
import { withoutCodes } from '../../domain/locks/access.ts';
import type { LockId } from '../../domain/locks/lock.ts';
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
import { badFile, type CodeRow, readCodeFile } from './code-file.ts';
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
  const { dryRun = false, yes = false } = flags;
  const rows = await readCodeFile(file, contentOf(file), terminal.environment);
  const plans = await plansFor(context, rows, flags);
  const shown = plans.map((plan) => plan.shown);
  output.answer(shown, plans.flatMap(planLines));
  const count = plans.flatMap(({ changes }) => changes).length;
  if (count === 0) {
    output.progress(t('Nothing to do.'));
    return EXIT_STATUS.ok;
  }
  if (dryRun) {
    return EXIT_STATUS.differs;
  }
  if (!yes) {
    const question = t('Carry out {count} changes? Type {yes}:', { count, yes: 'yes' });
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
async function carryOut(context: CommandContext, { lock, changes }: LockPlan): Promise<ExitStatus> {
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
        const message = `${subject}: ${end.failure === null ? '' : t(end.failure.words)}`;
        const code = end.failure?.reason ?? 'failed';
        return report(context, { code, message, next: null, status: statusOf(end) }, later.length);
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

/** What brings the codes of one lock to those of the file. */
interface LockPlan {
  readonly lock: LockView;
  readonly changes: readonly SeenChange[];
  /** As it is printed. `guests`: how many of their codes are left alone. */
  readonly shown: {
    readonly lock: LockId;
    readonly name: string;
    readonly guests: number;
    readonly steps: readonly ShownStep[];
  };
}

/** Rejects as the calls of `codes.list` do, and for a file with faults. */
async function plansFor(
  context: CommandContext,
  rows: readonly CodeRow[],
  { keepOthers = false, includeGuests = false, match }: SyncFlags,
): Promise<readonly LockPlan[]> {
  const tool = await context.session.tool();
  const { byLock, faults } = sorted(rows, await listedLocks(tool), match);
  const plans: LockPlan[] = [];
  for (const [lock, ofLock] of byLock) {
    await untilIdle(context, { id: lock.id, name: nameOf(lock) });
    const listed = await tool.call('codes.list', { lock: lock.id });
    const { serviceNow } = await tool.call('status');
    const wanted = ofLock.map((row) => wantedBy(row, listed, serviceNow, faults));
    const asked = { lock: lock.id, wanted, keepOthers, includeGuests };
    const { steps, faults: broken } = await tool.call('codes.plan', asked);
    const guests = steps.filter(({ kind }) => kind === 'guest').length;
    const shown = { lock: lock.id, name: lock.description.name, guests, steps: steps.map(shownStep) };
    plans.push({ lock, changes: steps.filter(isChange), shown });
    faults.push(...broken.map((fault) => t(fault)));
  }
  return faults.length > 0 ? badFile(faults) : plans;
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

const SIGNS: Readonly<Record<PlannedStep['kind'], string>> = {
  add: '+',
  change: '~',
  remove: '-',
  unchanged: '=',
  'read-only': ' ',
  guest: ' ',
};

function nameIn(step: PlannedStep): string {
  return step.kind === 'add' ? step.draft.name : step.code.name;
}

/** A step as it is printed, for people and for programs: never digits, only that they differ. */
interface ShownStep {
  readonly step: PlannedStep['kind'];
  readonly name: string;
  readonly changes?: readonly string[];
  readonly newName?: string;
  /** The code has other digits for a moment, because two codes swap theirs. */
  readonly isAside?: true;
}

function shownStep(step: PlannedStep): ShownStep {
  const shown = { step: step.kind, name: nameIn(step) };
  if (step.kind !== 'change') {
    return shown;
  }
  const { changes, isAside } = step;
  return {
    ...shown,
    changes: Object.keys(changes).map((member) => (member === 'pin' ? 'code' : member)),
    ...(changes.name === undefined ? {} : { newName: changes.name }),
    ...(isAside === true ? { isAside } : {}),
  };
}

function planLines({ lock, shown: { steps, guests } }: LockPlan): readonly string[] {
  const width = Math.max(...Object.keys(SIGNS).map((step) => step.length));
  const left = t(
    '{guests, plural, one {# code of a guest is left alone} other {# codes of guests are left alone}}; {option} changes such codes, too.',
    { guests, option: '--include-guests' },
  );
  return [
    `${nameOf(lock)}:`,
    ...steps.map(({ step, name, newName, changes = [], isAside }) => {
      const renamed = newName === undefined ? '' : ` to ${oneLine(newName)}`;
      const changed = [...changes, ...(isAside === true ? ['for a moment'] : [])].join(', ');
      const what = changed === '' ? '' : ` (${changed})`;
      return `  ${SIGNS[step]} ${step.padEnd(width)}  ${oneLine(name)}${renamed}${what}`;
    }),
    ...(guests === 0 ? [] : [`  ${left}`]),
  ];
}
