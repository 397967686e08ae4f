// `latchkey locks` and `latchkey history`: list the locks, and the events of one lock.
import { Command, InvalidArgumentError } from 'commander';
import { MOST_HISTORY_LINES } from '../domain/history.ts';
import type { LockView } from '../panel/lock-view.ts';
import type { StatusView } from '../panel/panel-api.ts';
import { oneLine } from '../support/log.ts';
import {
  type CommandContext,
  type CommonFlags,
  type End,
  withAccount,
  withCommonOptions,
} from './account-command.ts';
import { EXIT_STATUS, type ExitStatus } from './exit-status.ts';
import { askedLocks } from './lock-names.ts';
import { historyLines, LINK_WORDS, lockLines, machineOffset, nameOf } from './lock-words.ts';
import type { Output, Terminal } from './terminal.ts';

interface HistoryFlags extends CommonFlags {
  readonly limit: number;
  readonly deviceTime?: boolean;
}

/** A screenful. */
const DEFAULT_LIMIT = 20;

export function locksCommand(terminal: Terminal, end: End): Command {
  return withCommonOptions(new Command('locks'))
    .description('list the locks and how they are')
    .action(async (flags: CommonFlags) => {
      end(await withAccount(terminal, flags, listLocks));
    });
}

export function historyCommand(terminal: Terminal, end: End): Command {
  return withCommonOptions(new Command('history'))
    .description('tell what happened at a lock, the newest first')
    .argument('<name>', 'the beginning of its name, in any case, or its id')
    .option('--limit <number>', `entries at most, 1 to ${MOST_HISTORY_LINES}`, parseLimit, DEFAULT_LIMIT)
    .option('--device-time', "show the time of the door's own zone instead of this machine's")
    .action(async (name: string, flags: HistoryFlags) => {
      end(await withAccount(terminal, flags, async (context) => printHistory(context, name, flags)));
    });
}

async function listLocks({ session, output, terminal }: CommandContext): Promise<ExitStatus> {
  const tool = await session.tool();
  const [status, all] = await Promise.all([tool.call('status'), tool.call('locks')]);
  output.answer(all, lockLines(all, terminal.clock.now()));
  return printProblems(output, status, all);
}

/** Prints why a list of locks may be empty or old. Returns 0 when all is well. */
export function printProblems(
  output: Output,
  { link, failing }: StatusView,
  all: readonly LockView[],
): ExitStatus {
  if (link !== 'linked') {
    output.error(`The account is ${LINK_WORDS[link]}. Link it with: npx homebridge-latchkey link`);
    return EXIT_STATUS.linkNeeded;
  }
  if (failing !== null) {
    output.error(
      `The service is not responding properly, so this may be out of date: ${oneLine(failing.message)} "npx homebridge-latchkey doctor" says more.`,
    );
    return EXIT_STATUS.tryLater;
  }
  if (all.length === 0) {
    output.progress('The account has no locks.');
  }
  return EXIT_STATUS.ok;
}

async function printHistory(
  { session, output }: CommandContext,
  name: string,
  { limit, deviceTime = false }: HistoryFlags,
): Promise<ExitStatus> {
  const tool = await session.tool();
  const [lock] = await askedLocks(tool, [name]);
  const { lines, unanswered } = await tool.call('history', { lock: lock?.id, limit, deviceTime });
  output.answer(lines, historyLines(lines, machineOffset));
  if (unanswered !== null) {
    output.error(`The latest entries may be missing; this is only what is stored here: ${unanswered}`);
    return EXIT_STATUS.tryLater;
  }
  if (lines.length === 0 && lock !== undefined) {
    output.progress(`No recorded activity for ${nameOf(lock)}.`);
  }
  return EXIT_STATUS.ok;
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (!/^\d+$/u.test(text) || limit < 1 || limit > MOST_HISTORY_LINES) {
    throw new InvalidArgumentError(`A limit is a number from 1 to ${MOST_HISTORY_LINES}.`);
  }
  return limit;
}
