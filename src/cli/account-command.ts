// What every command about an account has in common: its options, its failures in words, and an end that is clean.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Command } from 'commander';
import { AccountSession } from '../app/account-session.ts';
import { assertOurs } from '../app/storage-inspection.ts';
import { type Log, silentLog } from '../support/log.ts';
import { complaintJson, complaintLine, complaintOf } from './complaint.ts';
import { EXIT_STATUS, type ExitStatus } from './exit-status.ts';
import { readAccount, type Whereabouts } from './homebridge-config.ts';
import { type Manner, Speech, type Terminal } from './terminal.ts';

/** How a run of the command line is told how a command ended. */
export type End = (status: ExitStatus) => void;

export type CommonFlags = Whereabouts & Manner;

/** How a command differs from others. */
export interface Conduct {
  /** Where the rooms log while the command owns the account itself. */
  readonly logOf?: (speech: Speech) => Log;
  /** What it does counts, not what it prints: where that cannot be written it is seen through, and its status stays. */
  readonly seenThrough?: boolean;
}

/** What a command works with. */
export interface Desk {
  readonly session: AccountSession;
  readonly speech: Speech;
  readonly terminal: Terminal;
}

/** A command with the options that say which account is meant, and how to speak. */
export function withCommonOptions(command: Command): Command {
  return command
    .option('--storage <folder>', 'storage folder of Homebridge; found by itself in the usual places')
    .option('--config <file>', 'configuration file; config.json of the storage folder if left out')
    .option('--account <name>', 'which account, by the beginning of its name, when there are several')
    .option('--json', 'print values for programs instead of lines for people')
    .option('--quiet', 'print nothing but what was asked for and what went wrong');
}

/**
 * Runs something in the manner that was asked for. Whatever it throws is said in words, and whatever is still under
 * way when the person stops it is left in peace. Never rejects.
 */
export async function inWords(
  terminal: Terminal,
  manner: Manner,
  run: (speech: Speech) => Promise<ExitStatus>,
  { seenThrough = false }: Conduct = {},
): Promise<ExitStatus> {
  const { stopped, unwritable } = terminal;
  const speech = new Speech(terminal, manner);
  const status = await run(speech).catch((error: unknown) =>
    stopped.aborted ? EXIT_STATUS.interrupted : complain(speech, error),
  );
  // Only in the next turn a stream tells that it could not be written.
  await nextTurn();
  if (!unwritable.aborted) {
    return status;
  }
  const unwritten = complain(speech, unwritable.reason);
  return !seenThrough && (status === EXIT_STATUS.ok || status === EXIT_STATUS.interrupted)
    ? unwritten
    : status;
}

function complain(speech: Speech, error: unknown): ExitStatus {
  const complaint = complaintOf(error);
  speech.complain(speech.json ? complaintJson(complaint) : complaintLine(complaint));
  return complaint.status;
}

/** The same with the account: opened when it is first wanted, closed whatever happens. */
export async function atDesk(
  terminal: Terminal,
  flags: CommonFlags,
  run: (desk: Desk) => Promise<ExitStatus>,
  conduct: Conduct = {},
): Promise<ExitStatus> {
  const { logOf = (speech) => speech.log(), seenThrough = false } = conduct;
  const ends = seenThrough ? [terminal.stopped] : [terminal.stopped, terminal.unwritable];
  const work = async (speech: Speech): Promise<ExitStatus> => {
    const account = readAccount(flags, terminal);
    assertOurs(account);
    const session = new AccountSession({
      config: account.config,
      homebridgeFolder: account.folder,
      clock: terminal.clock,
      log: logOf(speech),
      chance: terminal.chance,
      signal: terminal.stopped,
      tell: (line) => {
        speech.progress(line);
      },
    });
    const stopped = whenStopped(AbortSignal.any(ends));
    try {
      return await Promise.race([run({ session, speech, terminal }), stopped.status]);
    } finally {
      stopped.forget();
      await session.close();
    }
  };
  return inWords(terminal, flags, work, conduct);
}

/** For commands whose own answers say everything that the rooms would log. */
export function noLog(): Log {
  return silentLog;
}

function whenStopped(signal: AbortSignal): { status: Promise<ExitStatus>; forget: () => void } {
  const { promise: status, resolve } = Promise.withResolvers<ExitStatus>();
  const stop = (): void => {
    resolve(EXIT_STATUS.interrupted);
  };
  if (signal.aborted) {
    stop();
  }
  signal.addEventListener('abort', stop, { once: true });
  return {
    status,
    forget: () => {
      signal.removeEventListener('abort', stop);
    },
  };
}
