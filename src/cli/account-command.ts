// What every command about an account has in common: its options, its failures in words, and an end that is clean.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Command } from 'commander';
import { AccountSession } from '../app/account-session.ts';
import { assertOurs } from '../app/storage-inspection.ts';
import { type Log, silentLog } from '../support/log.ts';
import { cliErrorOf, errorJson, errorLine } from './cli-error.ts';
import { EXIT_STATUS, type ExitStatus } from './exit-status.ts';
import { readAccount, type Whereabouts } from './homebridge-config.ts';
import { Output, type OutputOptions, type Terminal } from './terminal.ts';

/** Takes the exit status of a command. */
export type End = (status: ExitStatus) => void;

export type CommonFlags = Whereabouts & OutputOptions;

/** How a command differs from others. */
export interface CommandOptions {
  /** Where the modules log while the command owns the account itself. */
  readonly logOf?: (output: Output) => Log;
  /** What it does counts, not what it prints: where that cannot be written it is seen through, and its status stays. */
  readonly seenThrough?: boolean;
}

/** What a command works with. */
export interface CommandContext {
  readonly session: AccountSession;
  readonly output: Output;
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
 * Runs something with the output options of the command line. What it throws is reported in words; what is still under
 * way when the person stops it is left alone. Never rejects.
 */
export async function inWords(
  terminal: Terminal,
  outputOptions: OutputOptions,
  run: (output: Output) => Promise<ExitStatus>,
  { seenThrough = false }: CommandOptions = {},
): Promise<ExitStatus> {
  const { stopped, unwritable } = terminal;
  const output = new Output(terminal, outputOptions);
  const status = await run(output).catch((error: unknown) =>
    stopped.aborted ? EXIT_STATUS.interrupted : reportError(output, error),
  );
  // Only in the next turn a stream tells that it could not be written.
  await nextTurn();
  if (!unwritable.aborted) {
    return status;
  }
  const unwritten = reportError(output, unwritable.reason);
  return !seenThrough && (status === EXIT_STATUS.ok || status === EXIT_STATUS.interrupted)
    ? unwritten
    : status;
}

function reportError(output: Output, error: unknown): ExitStatus {
  const cliError = cliErrorOf(error);
  output.error(output.json ? errorJson(cliError) : errorLine(cliError));
  return cliError.status;
}

/** The same with the account: opened when it is first wanted, closed whatever happens. */
export async function withAccount(
  terminal: Terminal,
  flags: CommonFlags,
  run: (context: CommandContext) => Promise<ExitStatus>,
  options: CommandOptions = {},
): Promise<ExitStatus> {
  const { logOf = (output) => output.log(), seenThrough = false } = options;
  const ends = seenThrough ? [terminal.stopped] : [terminal.stopped, terminal.unwritable];
  const work = async (output: Output): Promise<ExitStatus> => {
    const account = readAccount(flags, terminal);
    assertOurs(account);
    const session = new AccountSession({
      config: account.config,
      homebridgeFolder: account.folder,
      clock: terminal.clock,
      log: logOf(output),
      random: terminal.random,
      signal: terminal.stopped,
      emit: (line) => {
        output.progress(line);
      },
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

/** For commands whose own answers say everything that the modules would log. */
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
