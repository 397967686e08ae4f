// `latchkey panel`: where the pages of the plugin are, and an address to log in by.
import { Command } from 'commander';
import type { PanelPlaceView } from '../panel/dashboard-api.ts';
import {
  type CommandContext,
  type CommonFlags,
  type End,
  withAccount,
  withCommonOptions,
} from './account-command.ts';
import { EXIT_STATUS, type ExitStatus } from './exit-status.ts';
import type { Terminal } from './terminal.ts';

interface PanelFlags extends CommonFlags {
  readonly login?: boolean;
}

const MS_PER_MINUTE = 60_000;

const NO_LOGIN = 'The pages are for this machine alone and need no login.';

const AFTERWORD = `
The plugin serves its pages when panel.enabled is set. For this machine alone they need no login; on the network they do:
the address that --login prints is good once, for five minutes, and for whoever sees it.`;

export function panelCommand(terminal: Terminal, end: End): Command {
  return withCommonOptions(new Command('panel'))
    .description('say where the pages are')
    .option('--login', 'print an address that logs a browser in, once')
    .addHelpText('after', AFTERWORD)
    .action(async (flags: PanelFlags) => {
      end(await withAccount(terminal, flags, flags.login === true ? printLogin : printPlace));
    });
}

async function printPlace({ session, output }: CommandContext): Promise<ExitStatus> {
  const tool = await session.tool();
  const view = await tool.call('panel.show');
  output.answer(view, placeLines(view));
  return view.open ? EXIT_STATUS.ok : EXIT_STATUS.tryLater;
}

async function printLogin({ session, output }: CommandContext): Promise<ExitStatus> {
  const tool = await session.tool();
  const login = await tool.call('panel.login');
  output.answer(login, [login.url]);
  output.progress(
    login.expiresInMs === null
      ? NO_LOGIN
      : `Open it within ${Math.round(login.expiresInMs / MS_PER_MINUTE)} minutes. It is good once, for whoever opens it first.`,
  );
  return EXIT_STATUS.ok;
}

/** The addresses alone, so that a script can take the first line; then what a person should know of them. */
function placeLines({ open, urls, needsLogin, trouble }: PanelPlaceView): readonly string[] {
  if (!open) {
    return [`The pages are not served. ${trouble ?? ''}`.trim()];
  }
  return [
    ...urls,
    needsLogin ? 'A login is needed. Get an address for it with: latchkey panel --login' : NO_LOGIN,
  ];
}
