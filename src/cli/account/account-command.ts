// Shared frame of every command about an account: common options, error output and a clean end.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Message } from '../../domain/language/message.ts';
import type { Account } from '../../installation/installation.ts';
import { assertOurs } from '../../installation/storage-inspection.ts';
import { type Log, silentLog } from '../../support/log.ts';
import { AccountSession } from '../../tools/account-session.ts';
import { sayForService } from '../../words/host.ts';
import { t } from '../../words/translate.ts';
import { cliErrorOf, errorJson, errorLine } from '../terminal/cli-error.ts';
import { EXIT_STATUS, type ExitStatus } from '../terminal/exit-status.ts';
import { Output, type OutputOptions, type Terminal } from '../terminal/terminal.ts';
import { readAccount, type Whereabouts } from './homebridge-config.ts';

export type End = (status: ExitStatus) => void;

export type CommonFlags = Whereabouts & OutputOptions;

export interface CommandOptions {
  /** Log of the modules while the command itself owns the account. */
  readonly logOf?: (output: Output) => Log;
  /** The effect matters more than the output: on a write error the command still finishes, and its exit status stays. */
  readonly seenThrough?: boolean;
  /** The next step when it may have happened: a look at the door if left out; null when the error itself says it. */
  readonly afterUnknown?: Message | null;
  /** Being stopped, as by Ctrl-C, is its normal end. */
  readonly untilStopped?: boolean | undefined;
}

export interface CommandContext {
  readonly session: AccountSession;
  readonly output: Output;
  readonly terminal: Terminal;
}

/** Adds the options that choose the account. `storage`: what the folder is. */
export function withWhereabouts(command: Command, storage: string): Command {
  return command
    .option('--storage <folder>', storage)
    .option(
      '--config <file>',
      t('configuration file; config.json or latchkey.yaml of the storage folder if left out'),
    )
    .option('--account <name>', t('which account, by the beginning of its name, when there are several'));
}

/** Adds the options that choose the account and the form of the output. */
export function withCommonOptions(command: Command): Command {
  const storage = t('storage folder of Homebridge; found by itself in the usual places');
  return withWhereabouts(command, storage)
    .option('--json', t('print values for programs instead of lines for people'))
    .option('--quiet', t('print nothing but what was asked for and what went wrong'));
}

/**
 * Runs `work` with the command line's output options and prints any error. Pending work is abandoned on Ctrl-C. Never
 * rejects.
 */
export async function inWords(
  terminal: Terminal,
  outputOptions: OutputOptions,
  run: (output: Output) => Promise<ExitStatus>,
  { seenThrough = false, untilStopped = false, afterUnknown }: CommandOptions = {},
): Promise<ExitStatus> {
  const { stopped, unwritable } = terminal;
  const output = new Output(terminal, outputOptions);
  const status = await run(output).catch((error: unknown) =>
    stopped.aborted ? EXIT_STATUS.interrupted : reportError(output, error, afterUnknown),
  );
  // A stream reports a failed write only in the next turn.
  await nextTurn();
  if (unwritable.aborted) {
    const unwritten = reportError(output, unwritable.reason);
    if (!seenThrough && (status === EXIT_STATUS.ok || status === EXIT_STATUS.interrupted)) {
      return unwritten;
    }
  }
  return untilStopped && status === EXIT_STATUS.interrupted ? EXIT_STATUS.ok : status;
}

function reportError(output: Output, error: unknown, afterUnknown?: Message | null): ExitStatus {
  const cliError = cliErrorOf(error, afterUnknown);
  output.error(output.json ? errorJson(cliError) : errorLine(cliError));
  return cliError.status;
}

/** Same with the account: opened on first use, always closed. */
export async function withAccount(
  terminal: Terminal,
  flags: CommonFlags,
  run: (context: CommandContext) => Promise<ExitStatus>,
  options: CommandOptions = {},
): Promise<ExitStatus> {
  const { logOf = (output) => output.log(), seenThrough = false } = options;
  const ends = seenThrough ? [terminal.stopped] : [terminal.stopped, terminal.unwritable];
  const work = async (output: Output): Promise<ExitStatus> => {
    const account = await readAccount(flags, terminal);
    return withSession(account, output).catch((error: unknown) => {
      throw account.isService ? sayForService(error) : error;
    });
  };
  const withSession = async (account: Account, output: Output): Promise<ExitStatus> => {
    assertOurs(account);
    const session = new AccountSession({
      config: account.config,
      homebridgeFolder: account.folder,
      clock: terminal.clock,
      log: logOf(output),
      random: terminal.random,
      signal: terminal.stopped,
      emit: (line) => output.progress(line),
    });
    const stopped = whenStopped(AbortSignal.any(ends));
    try {
      return await Promise.race([run({ session, output, terminal }), stopped.status]);
    } finally {
      stopped.forget();
      await session.close();
    }
  };
  return inWords(terminal, flags, work, options);
}

/** For commands with complete output of their own. */
export function noLog(): Log {
  return silentLog;
}

function whenStopped(signal: AbortSignal): { status: Promise<ExitStatus>; forget: () => void } {
  const { promise: status, resolve } = Promise.withResolvers<ExitStatus>();
  const stop = (): void => resolve(EXIT_STATUS.interrupted);
  if (signal.aborted) {
    stop();
  }
  signal.addEventListener('abort', stop, { once: true });
  return {
    status,
    forget: () => signal.removeEventListener('abort', stop),
  };
}
