// `latchkey panel`: the address of the dashboard, and a one-time login address.
import { type Command, Option } from 'commander';
import { message } from '../../domain/language/message.ts';
import type { DashboardPlaceView } from '../../panel/operations/dashboard-api.ts';
import { ROLES } from '../../panel/sessions/role.ts';
import { FinalError } from '../../support/errors.ts';
import { oneLine } from '../../support/log.ts';
import { loginWords } from '../../words/logins.ts';
import { t } from '../../words/translate.ts';
import { EXIT_STATUS, type ExitStatus } from '../terminal/exit-status.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { CommandContext, CommonFlags, End } from './account-command.ts';
import { calling, verbs } from './verb.ts';

interface PanelFlags extends CommonFlags {
  readonly login?: boolean;
  readonly role?: string;
  readonly logins?: boolean;
  readonly endLogin?: string;
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
    async (context, flags, words) => {
      const { login = false, role, logins = false, endLogin } = flags;
      if (logins || endLogin !== undefined) {
        return printLogins(context, endLogin);
      }
      return (login || role !== undefined ? printLogin : printPlace)(context, flags, words);
    },
  )
    .option('--login', t('print a one-time address that logs a browser in'))
    .addOption(
      new Option(
        '--role <role>',
        t('what the login may do: everything, guests and codes only, or only look'),
      ).choices(ROLES),
    )
    .option('--logins', t('list the logins, with their device and last use'))
    .option('--end-login <number>', t('end the login that has this number in the list'))
    .addHelpText('after', afterword());
}

const printPlace = calling('panel.show', {
  lines: placeLines,
  status: ({ open }) => (open ? EXIT_STATUS.ok : EXIT_STATUS.tryLater),
});

const printLogin = calling<'panel.login', PanelFlags>('panel.login', {
  input: (_, { role = 'all' }) => ({ role }),
  lines: ({ url }) => [url],
  remark: ({ expiresInMs }) =>
    t('Open it within {minutes} minutes. It works once, for whoever opens it first.', {
      minutes: String(Math.round(expiresInMs / MS_PER_MINUTE)),
    }),
});

async function printLogins({ session, output }: CommandContext, ended?: string): Promise<ExitStatus> {
  const tool = await session.tool();
  const before = await tool.call('panel.logins');
  if (ended !== undefined) {
    const id = before[Number(ended) - 1]?.id;
    if (id === undefined) {
      throw new FinalError('not-found', message('No login has this number. Look at the list again.'));
    }
    await tool.call('panel.end-login', { id });
  }
  const logins = ended === undefined ? before : await tool.call('panel.logins');
  const lines = logins.map((login, index) => `${String(index + 1)}  ${oneLine(loginWords(login))}`);
  output.answer(logins, lines.length === 0 ? [t('No browser is logged in.')] : lines);
  return EXIT_STATUS.ok;
}

/** Addresses first, so that a script can take the first line; then the remarks. */
function placeLines({ open, urls, trouble }: DashboardPlaceView): readonly string[] {
  if (!open) {
    return [`${t('The dashboard is not available.')} ${trouble === null ? '' : t(trouble)}`.trim()];
  }
  return [
    ...urls,
    t('To log in, get a one-time address: {command}', { command: 'npx homebridge-latchkey panel --login' }),
  ];
}
