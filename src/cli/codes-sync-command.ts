// `latchkey codes sync FILE`: shows what brings the codes of each lock to those of a file, asks, and carries it out.
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import type { AccountTool } from '../app/account-tool.ts';
import type { AccessCode, CodeDraft } from '../domain/access-code.ts';
import { isChange, type PlannedCode, planCodes } from '../domain/code-plan-policy.ts';
import { readSchedule, SCHEDULE_FORMS } from '../domain/schedule-words.ts';
import type { LockView } from '../panel/lock-view.ts';
import type { PanelCall } from '../panel/panel-client.ts';
import { FinalError } from '../support/errors.ts';
import { oneLine } from '../support/log.ts';
import {
  type CommandContext,
  type CommonFlags,
  type End,
  withAccount,
  withCommonOptions,
} from './account-command.ts';
import { type CodeRow, readCodeFile } from './code-file.ts';
import { followed, statusOf, untilIdle } from './code-following.ts';
import { EXIT_STATUS, type ExitStatus, worst } from './exit-status.ts';
import { sendChange } from './followed-reading.ts';
import { ask } from './hidden-typing.ts';
import { askedLocks } from './lock-names.ts';
import { nameOf } from './lock-words.ts';
import type { Terminal } from './terminal.ts';

interface SyncFlags extends CommonFlags {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly keepOthers?: boolean;
}

interface LockPlan {
  readonly lock: LockView;
  readonly steps: readonly PlannedCode[];
}

const WORDS: Readonly<Record<PlannedCode['kind'], string>> = {
  add: '+ add',
  change: '~ change',
  remove: '- remove',
  unchanged: '= unchanged',
  'read-only': '  read-only',
};

export function codesSyncCommand(terminal: Terminal, end: End): Command {
  return withCommonOptions(new Command('sync'))
    .description('bring the codes of locks to those of a file, after showing what changes')
    .argument(
      '<file>',
      'CSV with the columns lock, name, code, schedule, or a YAML or JSON list with these members',
    )
    .option(
      '--dry-run',
      `show what would change; ends with ${String(EXIT_STATUS.differs)} when something would`,
    )
    .option('--keep-others', 'leave codes that the file does not name')
    .option('--yes', 'do not ask')
    .action(async (file: string, flags: SyncFlags) => {
      end(await withAccount(terminal, flags, async (context) => sync(context, file, flags)));
    });
}

async function sync(context: CommandContext, file: string, flags: SyncFlags): Promise<ExitStatus> {
  const { output, session, terminal } = context;
  const reading = await readCodeFile(file, contentOf(file), terminal.environment);
  if (!reading.ok) {
    throw new FinalError('bad-request', `Nothing was sent. ${reading.faults.join(' ')}`);
  }
  const tool = await session.tool();
  const plans = await plansFor(context, tool, reading.rows, flags.keepOthers ?? false);
  const changes = plans.flatMap(({ steps }) => steps.filter(isChange));
  output.answer(planJson(plans), planLines(plans));
  if (changes.length === 0) {
    output.progress('Nothing to do.');
    return EXIT_STATUS.ok;
  }
  if (flags.dryRun === true) {
    return EXIT_STATUS.differs;
  }
  if (flags.yes !== true) {
    const typed = await ask(terminal, output, `Carry out ${String(changes.length)} changes? Type yes:`);
    if (typed.toLowerCase() !== 'yes') {
      throw new FinalError('bad-request', 'Nothing was sent.');
    }
  }
  return worst(await Promise.all(plans.map(async (plan) => carryOut(context, plan))));
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new FinalError('bad-request', `Nothing was sent: ${file} cannot be read.`, { cause: error });
  }
}

/** All faults of the file are found before anything is sent. */
async function plansFor(
  context: CommandContext,
  tool: AccountTool,
  rows: readonly CodeRow[],
  keepOthers: boolean,
): Promise<readonly LockPlan[]> {
  const plans: LockPlan[] = [];
  for (const [name, ofLock] of Map.groupBy(rows, ({ lock }) => lock)) {
    const [lock] = await askedLocks(tool, [name]);
    if (lock === undefined || plans.some((plan) => plan.lock.id === lock.id)) {
      throw new FinalError(
        'bad-request',
        `Nothing was sent: the file names the lock "${oneLine(name)}" in two ways.`,
      );
    }
    await untilIdle(context, { id: lock.id, name: nameOf(lock) });
    const { codes, timeZone } = await tool.call('codes.list', { lock: lock.id });
    const have: AccessCode[] = [];
    for (const { pinLength: _, ...code } of codes) {
      have.push({ ...code, ...(await tool.call('codes.reveal', { lock: lock.id, code: code.id })) });
    }
    const wanted = ofLock.map((row) => draftOf(row, timeZone));
    plans.push({ lock, steps: planCodes(wanted, have, keepOthers) });
  }
  return plans;
}

function draftOf({ place, name, pin, schedule: words }: CodeRow, zone: string): CodeDraft {
  const schedule = readSchedule(words, zone);
  if (schedule === null) {
    throw new FinalError(
      'bad-request',
      `Nothing was sent. ${place}: the schedule must be ${SCHEDULE_FORMS}.`,
    );
  }
  return { name, pin, schedule };
}

/** One after the other, so that a removal frees its name and digits for the next. Goes on after a failure. */
async function carryOut(context: CommandContext, { lock, steps }: LockPlan): Promise<ExitStatus> {
  const { output, session } = context;
  let status: ExitStatus = EXIT_STATUS.ok;
  for (const step of steps.filter(isChange)) {
    const subject = `${nameOf(lock)}, ${oneLine(nameIn(step))}`;
    try {
      const { call } = await session.reached();
      const answer = await sendChange(subject, async () => ordered(call, lock, step));
      const end = await followed(context, subject, answer);
      output.progress(end.phase === 'done' ? `${subject}: done` : `${subject}: ${end.failure?.words ?? ''}`);
      status = worst([status, statusOf(end)]);
    } catch (error) {
      if (!(error instanceof FinalError)) {
        throw error;
      }
      output.error(error.message);
      status = worst([status, EXIT_STATUS.failed]);
    }
  }
  return status;
}

async function ordered(call: PanelCall, { id: lock }: LockView, step: PlannedCode) {
  switch (step.kind) {
    case 'add':
      return call('codes.add', { lock, draft: step.draft });
    case 'change':
      return call('codes.update', { lock, code: step.code.id, changes: step.changes });
    case 'remove':
    case 'unchanged':
    case 'read-only':
      return call('codes.remove', { lock, code: step.code.id });
  }
}

function nameIn(step: PlannedCode): string {
  return step.kind === 'add' ? step.draft.name : step.code.name;
}

function planLines(plans: readonly LockPlan[]): readonly string[] {
  return plans.flatMap(({ lock, steps }) => [
    `${nameOf(lock)}:`,
    ...steps.map((step) => {
      const what = step.kind === 'change' ? ` (${Object.keys(step.changes).map(memberWord).join(', ')})` : '';
      return `  ${WORDS[step.kind].padEnd(11)}  ${oneLine(nameIn(step))}${what}`;
    }),
  ]);
}

/** Never the digits: only that they differ. */
function memberWord(member: string): string {
  return member === 'pin' ? 'code' : member;
}

function planJson(plans: readonly LockPlan[]) {
  return plans.map(({ lock, steps }) => ({
    lock: lock.id,
    name: lock.description.name,
    steps: steps.map((step) => ({
      step: step.kind,
      name: nameIn(step),
      ...(step.kind === 'change' ? { changes: Object.keys(step.changes).map(memberWord) } : {}),
    })),
  }));
}
