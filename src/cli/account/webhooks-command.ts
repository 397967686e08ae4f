// `latchkey webhooks`: shows delivery state and subscriptions, and tests the delivery path.
import { Command } from 'commander';
import { provesDelivery, type SelfTestReport } from '../../domain/webhooks/report.ts';
import type { WebhooksView } from '../../panel/views/webhooks.ts';
import { t } from '../../words/translate.ts';
import { registrationWords } from '../../words/webhooks.ts';
import { EXIT_STATUS, type ExitStatus } from '../terminal/exit-status.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { CommandContext, CommonFlags, End } from './account-command.ts';
import { calling, grouped, verbs } from './verb.ts';
import { findingLines, statusLines, subscriptionLines } from './webhook-lines.ts';

function afterword(): string {
  const words = t(
    '"{register}" and "{test}" need the plugin to run, because the listener is the plugin\'s. {page} says how the address\nis led to it.',
    { register: 'register', test: 'test', page: 'docs/operate/webhooks.md' },
  );
  return `\n${words}`;
}

export function webhooksCommand(terminal: Terminal, end: End): Command {
  const verb = verbs(terminal, end);
  const group = new Command('webhooks')
    .description(t('see, register, remove and test the webhooks of the account'))
    .addHelpText('after', afterword());
  return grouped(group, [
    verb('status', t('tell how events are received'), [], status).option(
      '--address',
      t('the whole public address, with the part that nobody should guess'),
    ),
    verb('list', t('list what the service holds'), [], list),
    verb('register', t('register now, if that is not done'), [], register),
    verb(
      'remove',
      t('end one subscription at the service, by its id as "{command}" prints it', { command: 'list' }),
      ['<id>'],
      remove,
    ),
    verb('test', t('send a test through the public address and say where it gets lost'), [], test),
  ]);
}

const status = calling<'webhooks.status', CommonFlags & { readonly address?: boolean }>('webhooks.status', {
  input: (_, { address = false }) => ({ address }),
  lines: statusLines,
  remark: ({ enabled }, { through }) =>
    through === 'alone' && enabled
      ? t("The plugin isn't running, so no webhooks are received right now.")
      : null,
});

const list = calling('webhooks.list', {
  lines: subscriptionLines,
  remark: ({ length }) => (length === 0 ? t('No webhook addresses are registered for this account.') : null),
});

const register = calling('webhooks.register', {
  lines: (view) => [registrationWords(view)],
  status: ({ registration }) => (registration === 'standing' ? EXIT_STATUS.ok : EXIT_STATUS.failed),
});

const remove = calling('webhooks.remove', {
  input: ([id = '']) => ({ id }),
  lines: () => [t('Removed. The service no longer sends events there.')],
});

async function test({ session, output }: CommandContext): Promise<ExitStatus> {
  const tool = await session.tool();
  output.progress(t('Testing the public address ...'));
  const report = await tool.call('webhooks.test');
  const view = await tool.call('webhooks.status');
  output.answer(report, findingLines(report));
  return judge(report, view, output);
}

/** A working delivery path is of no use until the service has the subscription. */
function judge(report: SelfTestReport, view: WebhooksView, output: CommandContext['output']): ExitStatus {
  if (!provesDelivery(report)) {
    return EXIT_STATUS.failed;
  }
  if (view.registration === 'pending' || view.registration === 'failed') {
    const next = t('Try: {command}', { command: 'npx homebridge-latchkey webhooks register' });
    output.error(`${registrationWords(view)} ${next}`);
    return EXIT_STATUS.failed;
  }
  return report.finding === 'answer-lost' ? EXIT_STATUS.failed : EXIT_STATUS.ok;
}
