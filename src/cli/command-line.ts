// Builds the whole command line, runs it and returns its exit status.
import { Command, CommanderError } from 'commander';
import { packageFacts } from '../installation/package-facts.ts';
import { ENGLISH, setLanguage, t } from '../words/translate.ts';
import { backupCommand } from './account/backup-command.ts';
import { goodbyeCommand } from './account/goodbye-command.ts';
import { linkCommand, unlinkCommand } from './account/link-command.ts';
import { panelCommand } from './account/panel-command.ts';
import { restoreCommand } from './account/restore-command.ts';
import { grouped } from './account/verb.ts';
import { webhooksCommand } from './account/webhooks-command.ts';
import { codesCommand } from './codes/codes-command.ts';
import { guestsCommand } from './codes/guests-command.ts';
import { completionCommand } from './completion-command.ts';
import { doctorCommands } from './doctor/command.ts';
import { withFeatureCommands } from './feature-commands.ts';
import { historyCommand } from './history/command.ts';
import { locksCommand } from './locks/locks-command.ts';
import { moveCommand } from './locks/move-command.ts';
import { watchCommand } from './locks/watch-command.ts';
import { relayCommand } from './serve/relay-command.ts';
import { serveCommand } from './serve/serve-command.ts';
import { errorJson } from './terminal/cli-error.ts';
import { EXIT_STATUS, type ExitStatus } from './terminal/exit-status.ts';
import type { Terminal } from './terminal/terminal.ts';

function afterword(): string {
  const through = t(
    'While the plugin runs, commands go through it; otherwise they open the account themselves.',
  );
  const statuses = t(
    'Ends with 0 when it was done, 1 when it could not be done, 2 when the command line or the configuration was not\nunderstood, 3 when the account has to be connected, 4 when the service should be tried later, 5 when nobody knows whether\nit was done, 6 when "{sync}" found differences, 130 when it was stopped. "{doctor}" ends with 10 for a warning and 11 for a fault.',
    { sync: 'codes sync --dry-run', doctor: 'doctor' },
  );
  return `\n${through}\n\n${statuses}`;
}

function seeHelp(): string {
  return t('Run with {option} to see the commands.', { option: '--help' });
}

/** Runs one command with the arguments after the program's name. Resolves with its exit status. */
export async function runCommandLine(words: readonly string[], terminal: Terminal): Promise<ExitStatus> {
  let status: ExitStatus = EXIT_STATUS.ok;
  const forProgram = words.includes('--json');
  if (forProgram) {
    // Programs read the same in every language.
    setLanguage(ENGLISH);
  }
  const parseErrors = forProgram ? { writeErr() {} } : { writeErr: terminal.printError };
  const program = buildProgram(terminal, parseErrors, (ended) => {
    status = ended;
  });
  try {
    await program.parseAsync(words, { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) {
      // Asking for help is a success; an empty command line is a misuse.
      if (error.exitCode === 0) {
        return EXIT_STATUS.ok;
      }
      if (forProgram) {
        const message = error.message.replace(/^error: /u, '');
        terminal.printError(`${errorJson({ code: 'bad-request', message, next: seeHelp() })}\n`);
      }
      return EXIT_STATUS.misused;
    }
    throw error;
  }
}

/** The commands with their options. `parseErrors` receives commander's messages about arguments that it cannot parse. */
export function buildProgram(
  terminal: Terminal,
  parseErrors: { readonly writeErr: (text: string) => void },
  end: (status: ExitStatus) => void,
): Command {
  const program = new Command('latchkey')
    .description(t('Wi-Fi smart locks behind a partner cloud, from the command line'))
    .version(packageFacts().version)
    .addHelpText('after', afterword());
  const own = [
    linkCommand(terminal, end),
    unlinkCommand(terminal, end),
    locksCommand(terminal, end),
    moveCommand('secured', terminal, end),
    moveCommand('unsecured', terminal, end),
    watchCommand(terminal, end),
    historyCommand(terminal, end),
    codesCommand(terminal, end),
    guestsCommand(terminal, end),
    webhooksCommand(terminal, end),
    panelCommand(terminal, end),
    backupCommand(terminal, end),
    restoreCommand(terminal, end),
    goodbyeCommand(terminal, end),
    ...doctorCommands(terminal, end),
    completionCommand(terminal, () => program, end),
    serveCommand(terminal, end),
    relayCommand(terminal, end),
  ];
  grouped(program, withFeatureCommands(own, terminal, end));
  for (const command of withSubcommands(program)) {
    command
      .exitOverride()
      .showHelpAfterError(seeHelp())
      .configureOutput({ writeOut: terminal.print, ...parseErrors });
  }
  return program;
}

function withSubcommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}
