// Asks for the changes that bring the codes of locks to those of a file, and shows them: every row is judged before anything is sent.
import type { AccountTool } from '../../app/tools/account-tool.ts';
import { ZONE_OPTION_WORDS, zoneFault } from '../../domain/codes/lock-zone.ts';
import { isChange } from '../../domain/codes/plan-order.ts';
import type { WantedCode } from '../../domain/codes/plan-policy.ts';
import { type Message, message } from '../../domain/language/message.ts';
import { withoutCodes } from '../../domain/locks/access.ts';
import type { LockCodes, PlanChoices, PlannedStep } from '../../panel/operations/codes.ts';
import type { LockView } from '../../panel/views/lock.ts';
import { oneLine } from '../../support/log.ts';
import { readSchedule, SCHEDULE_FORMS } from '../../words/schedules.ts';
import { t } from '../../words/translate.ts';
import type { CommandContext } from '../account/account-command.ts';
import { nameOf } from '../terminal/lock-lines.ts';
import { listedLocks, meantLock, NameError, type NameMatch } from '../terminal/lock-names.ts';
import type { CodeRow } from './code-file.ts';
import { untilIdle } from './code-following.ts';

export interface SyncChoices extends PlanChoices {
  readonly match: NameMatch;
}

export interface LockPlan {
  readonly lock: LockView;
  readonly steps: readonly PlannedStep[];
}

/** `faults`: sentences that name the place in the file. With one, nothing is sent. Rejects as the calls of `codes.list` do. */
export async function planFile(
  context: CommandContext,
  rows: readonly CodeRow[],
  choices: SyncChoices,
): Promise<{ readonly plans: readonly LockPlan[]; readonly faults: readonly string[] }> {
  const tool = await context.session.tool();
  const { byLock, faults } = sorted(rows, await listedLocks(tool), choices.match);
  const plans: LockPlan[] = [];
  for (const [lock, ofLock] of byLock) {
    await untilIdle(context, { id: lock.id, name: nameOf(lock) });
    const plan = await planLock(tool, lock, ofLock, choices);
    plans.push({ lock, ...plan });
    faults.push(...plan.faults);
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

async function planLock(
  tool: AccountTool,
  { id: lock }: LockView,
  rows: readonly CodeRow[],
  { keepOthers, includeGuests }: SyncChoices,
): Promise<Omit<LockPlan, 'lock'> & { readonly faults: readonly string[] }> {
  const listed = await tool.call('codes.list', { lock });
  const { serviceNow } = await tool.call('status');
  const { wanted, faults } = read(rows, listed, serviceNow);
  const plan = await tool.call('codes.plan', { lock, wanted, keepOthers, includeGuests });
  return { steps: plan.steps, faults: [...faults, ...plan.faults.map((fault) => t(fault))] };
}

/** A row with a malformed schedule is judged by its other members all the same. */
function read(rows: readonly CodeRow[], listed: LockCodes, now: number) {
  const faults: string[] = [];
  const wanted = rows.map(({ place, name, pin, schedule: words }): WantedCode => {
    const schedule = readSchedule(words, listed.timeZone);
    const fault = schedule === null ? null : zoneFault(schedule, listed, now);
    if (schedule === null) {
      faults.push(t('{place}: the schedule must be {forms}.', { place, forms: SCHEDULE_FORMS }));
    } else if (fault !== null) {
      faults.push(`${place}: ${t(ZONE_OPTION_WORDS)}`);
    }
    return { place, draft: { name, pin, schedule: schedule ?? { kind: 'always' } } };
  });
  return { wanted, faults };
}

const WORDS: Readonly<Record<PlannedStep['kind'], readonly [sign: string, words: Message]>> = {
  add: ['+', message('add')],
  change: ['~', message('change')],
  remove: ['-', message('remove')],
  unchanged: ['=', message('unchanged')],
  'read-only': [' ', message('read-only')],
  guest: [' ', message('guest')],
};

export function nameIn(step: PlannedStep): string {
  return step.kind === 'add' ? step.draft.name : step.code.name;
}

export function planLines(plans: readonly LockPlan[]): readonly string[] {
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

export function planJson(plans: readonly LockPlan[]) {
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

export function changesIn(plans: readonly LockPlan[]): number {
  return plans.flatMap(({ steps }) => steps.filter(isChange)).length;
}
