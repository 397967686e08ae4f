// The command line as a whole: its commands, and what a run of it ends with.
import { Command, CommanderError } from 'commander';
import { EXIT_STATUS, type ExitStatus } from './exit-status.ts';
import { simulateCommand } from './simulate-command.ts';

/** Where the command line speaks. */
export interface Voice {
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

/** Runs one command with the words that follow the program's name. Resolves with the status to end with. */
export async function runCommandLine(words: readonly string[], voice: Voice): Promise<ExitStatus> {
  let status: ExitStatus = EXIT_STATUS.ok;
  const program = new Command('latchkey')
    .description('Wi-Fi smart locks behind a partner cloud, from the command line')
    .addCommand(
      simulateCommand((ended) => {
        status = ended;
      }),
    );
  for (const command of [program, ...program.commands]) {
    command
      .exitOverride()
      .showHelpAfterError('See --help for what can be said.')
      .configureOutput({ writeOut: voice.print, writeErr: voice.printError });
  }
  try {
    await program.parseAsync(words, { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) {
      // Asking for help is no mistake; asking for nothing is.
      return error.exitCode === 0 ? EXIT_STATUS.ok : EXIT_STATUS.misused;
    }
    throw error;
  }
}
