// `latchkey webhooks`: shows delivery state and subscriptions, and tests the delivery path.
import { Command } from 'commander';
import { provesDelivery, type SelfTestReport } from '../domain/webhook-report.ts';
import type { WebhooksView } from '../panel/webhook-view.ts';
import {
  type CommandContext,
  type CommonFlags,
  type End,
  withAccount,
  withCommonOptions,
} from './account-command.ts';
import { EXIT_STATUS, type ExitStatus } from './exit-status.ts';
import type { Terminal } from './terminal.ts';
import { findingLines, registrationWords, statusLines, subscriptionLines } from './webhook-words.ts';

interface StatusFlags extends CommonFlags {
  readonly address?: boolean;
}

const AFTERWORD = `
"register" and "test" need the plugin to run, because the listener is the plugin's. docs/webhooks.md says how the address
is led to it.`;

export function webhooksCommand(terminal: Terminal, end: End): Command {
  const subcommand = (
    command: Command,
    run: (context: CommandContext, flags: StatusFlags, ...words: readonly string[]) => Promise<ExitStatus>,
  ): Command =>
    withCommonOptions(command).action(async (...given: readonly unknown[]) => {
      const words = given.filter((word) => typeof word === 'string');
      const flags = command.opts<StatusFlags>();
      end(await withAccount(terminal, flags, async (context) => run(context, flags, ...words)));
    });
  return new Command('webhooks')
    .description('see, register, remove and test the webhooks of the account')
    .addHelpText('after', AFTERWORD)
    .addCommand(
      subcommand(
        new Command('status')
          .description('tell how events are received')
          .option('--address', 'the whole public address, with the part that nobody should guess'),
        printStatus,
      ),
    )
    .addCommand(subcommand(new Command('list').description('list what the service holds'), list))
    .addCommand(
      subcommand(new Command('register').description('register now, if that is not done'), register),
    )
    .addCommand(
      subcommand(
        new Command('remove')
          .description('end one subscription at the service')
          .argument('<id>', 'its id, as "list" prints it'),
        remove,
      ),
    )
    .addCommand(
      subcommand(
        new Command('test').description('send a test through the public address and say where it gets lost'),
        test,
      ),
    );
}

async function printStatus({ session, output, terminal }: CommandContext, { address = false }: StatusFlags) {
  const tool = await session.tool();
  const view = await tool.call('webhooks.status', { address });
  output.answer(view, statusLines(view, terminal.clock.now()));
  if (tool.through === 'alone' && view.enabled) {
    output.progress("The plugin isn't running, so no webhooks are received right now.");
  }
  return EXIT_STATUS.ok;
}

async function list({ session, output }: CommandContext): Promise<ExitStatus> {
  const tool = await session.tool();
  const subscriptions = await tool.call('webhooks.list');
  output.answer(subscriptions, subscriptionLines(subscriptions));
  if (subscriptions.length === 0) {
    output.progress('No webhook addresses are registered for this account.');
  }
  return EXIT_STATUS.ok;
}

async function register({ session, output }: CommandContext): Promise<ExitStatus> {
  const tool = await session.tool();
  const view = await tool.call('webhooks.register');
  output.answer(view, [`Webhooks are ${registrationWords(view)}.`.replace(/\.\.$/u, '.')]);
  return view.registration === 'standing' ? EXIT_STATUS.ok : EXIT_STATUS.failed;
}

async function remove(
  { session, output }: CommandContext,
  _flags: CommonFlags,
  id = '',
): Promise<ExitStatus> {
  const tool = await session.tool();
  const removed = await tool.call('webhooks.remove', { id });
  output.answer(removed, ['Removed. The service no longer sends events there.']);
  return EXIT_STATUS.ok;
}

async function test({ session, output }: CommandContext): Promise<ExitStatus> {
  const tool = await session.tool();
  output.progress('Testing the public address ...');
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
    output.error(
      `But webhooks are ${registrationWords(view)}. Try: npx homebridge-latchkey webhooks register`,
    );
    return EXIT_STATUS.failed;
  }
  return report.finding === 'answer-lost' ? EXIT_STATUS.failed : EXIT_STATUS.ok;
}
