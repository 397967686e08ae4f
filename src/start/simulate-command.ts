// `latchkey simulate`: its options, and errors for invalid combinations.
import { Command } from 'commander';
import type { ExitStatus } from '../cli/terminal/exit-status.ts';
import { parsePort } from '../cli/terminal/port-argument.ts';
import { t } from '../words/translate.ts';

interface SimulateFlags {
  readonly port?: number;
  readonly scenario?: string;
  readonly seed?: string;
  readonly autoApprove?: string;
  readonly replay?: string;
  readonly untilInputEnds?: boolean;
  readonly json?: boolean;
}

const AFTERWORD = `
At a terminal it prints what to open and what to enter, a value a line. To a pipe, or with --json, it prints one line of
JSON: the addresses, the partner clients with their secrets and keys, the users, the booking calendars, and the
public key that webhooks are signed with. All of it is simulated. Runs until Ctrl-C or SIGTERM, on this machine alone.

Exits with 0 when it was stopped, 1 when it could not start or a replay went otherwise, 2 when the command line was not understood.`;

export function simulateCommand(end: (status: ExitStatus) => void): Command {
  return new Command('simulate')
    .description(t('run the simulated service, with doors to turn by hand'))
    .option('--port <number>', 'port to listen on; a free one if left out', parsePort)
    .option('--scenario <file>', 'a scenario file, or the name of one that comes along')
    .option('--seed <text>', 'settles every id, token and chance')
    .option('--replay <log>', 'live a recorded log through again, tell what was answered otherwise, and end')
    .option('--auto-approve <user>', 'give consent in the name of this user, without a page')
    .option(
      '--until-input-ends',
      'end as well when standard input ends, as when another program that started this one is gone',
    )
    .option('--json', 'print one line of JSON at a terminal, too')
    .addHelpText('after', AFTERWORD)
    .action(async (flags: SimulateFlags) => {
      // Loaded on demand, so that other commands start quickly.
      const { replayLog, simulate } = await import('../../simulator/src/simulate.ts');
      end(flags.replay === undefined ? await simulate(flags) : await replayLog(flags.replay));
    });
}
