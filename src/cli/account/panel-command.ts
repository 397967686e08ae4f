// `latchkey panel`: the address of the dashboard, and a one-time login address.
import type { Command } from 'commander';
import type { PanelPlaceView } from '../../panel/operations/dashboard-api.ts';
import { t } from '../../words/translate.ts';
import { EXIT_STATUS, type ExitStatus } from '../terminal/exit-status.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { CommandContext, CommonFlags, End } from './account-command.ts';
import { verbs } from './verb.ts';

interface PanelFlags extends CommonFlags {
  readonly login?: boolean;
}

const MS_PER_MINUTE = 60_000;

function afterword(): string {
  const words = t(
    'The plugin serves its dashboard when {enabled} is set. It needs a login: {login} prints an address that works once,\nfor five minutes. Anyone who sees that address can use it.',
    { enabled: 'panel.enabled', login: '--login' },
  );
  return `\n${words}`;
}

export function panelCommand(terminal: Terminal, end: End): Command {
  return verbs<PanelFlags>(terminal, end)(
    'panel',
    t('show the address of the dashboard'),
    [],
    async (context, { login = false }) => (login ? printLogin(context) : printPlace(context)),
  )
    .option('--login', t('print a one-time address that logs a browser in'))
    .addHelpText('after', afterword());
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
    t('Open it within {minutes} minutes. It works once, for whoever opens it first.', {
      minutes: String(Math.round(login.expiresInMs / MS_PER_MINUTE)),
    }),
  );
  return EXIT_STATUS.ok;
}

/** Addresses first, so that a script can take the first line; then the remarks. */
function placeLines({ open, urls, trouble }: PanelPlaceView): readonly string[] {
  if (!open) {
    return [`${t('The dashboard is not available.')} ${trouble === null ? '' : t(trouble)}`.trim()];
  }
  return [
    ...urls,
    t('To log in, get a one-time address: {command}', { command: 'npx homebridge-latchkey panel --login' }),
  ];
}
