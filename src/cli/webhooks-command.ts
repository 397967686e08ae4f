// `latchkey webhooks`: how events of the service are received, what is registered, and where a test of the way gets lost.
import { Command } from 'commander';
import { provesTheWay, type SelfTestReport } from '../domain/webhook-report.ts';
import type { WebhooksView } from '../panel/webhook-view.ts';
import { atDesk, type CommonFlags, type Desk, type End, withCommonOptions } from './account-command.ts';
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
    run: (desk: Desk, flags: StatusFlags, ...words: readonly string[]) => Promise<ExitStatus>,
  ): Command =>
    withCommonOptions(command).action(async (...given: readonly unknown[]) => {
      const words = given.filter((word) => typeof word === 'string');
      const flags = command.opts<StatusFlags>();
      end(await atDesk(terminal, flags, async (desk) => run(desk, flags, ...words)));
    });
  return new Command('webhooks')
    .description('see, register, remove and test the webhooks of the account')
    .addHelpText('after', AFTERWORD)
    .addCommand(
      subcommand(
        new Command('status')
          .description('tell how events are received')
          .option('--address', 'the whole public address, with the part that nobody should guess'),
        tellStatus,
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

async function tellStatus({ session, speech, terminal }: Desk, { address = false }: StatusFlags) {
  const tool = await session.tool();
  const view = await tool.call('webhooks.status', { address });
  speech.answer(view, statusLines(view, terminal.clock.now()));
  if (tool.through === 'alone' && view.enabled) {
    speech.progress('The plugin does not run, so nothing is received at the moment.');
  }
  return EXIT_STATUS.ok;
}

async function list({ session, speech }: Desk): Promise<ExitStatus> {
  const tool = await session.tool();
  const subscriptions = await tool.call('webhooks.list');
  speech.answer(subscriptions, subscriptionLines(subscriptions));
  if (subscriptions.length === 0) {
    speech.progress('The service tells its events to nobody for this account.');
  }
  return EXIT_STATUS.ok;
}

async function register({ session, speech }: Desk): Promise<ExitStatus> {
  const tool = await session.tool();
  const view = await tool.call('webhooks.register');
  speech.answer(view, [`Webhooks are ${registrationWords(view)}.`.replace(/\.\.$/u, '.')]);
  return view.registration === 'standing' ? EXIT_STATUS.ok : EXIT_STATUS.failed;
}

async function remove({ session, speech }: Desk, _flags: CommonFlags, id = ''): Promise<ExitStatus> {
  const tool = await session.tool();
  const removed = await tool.call('webhooks.remove', { id });
  speech.answer(removed, ['Removed: the service tells its events there no longer.']);
  return EXIT_STATUS.ok;
}

async function test({ session, speech }: Desk): Promise<ExitStatus> {
  const tool = await session.tool();
  speech.progress('Sending a test through the public address.');
  const report = await tool.call('webhooks.test');
  const view = await tool.call('webhooks.status');
  speech.answer(report, findingLines(report));
  return judge(report, view, speech);
}

/** An open way is of no use while the service does not know of it. */
function judge(report: SelfTestReport, view: WebhooksView, speech: Desk['speech']): ExitStatus {
  if (!provesTheWay(report)) {
    return EXIT_STATUS.failed;
  }
  if (view.registration === 'pending' || view.registration === 'failed') {
    speech.complain(`But webhooks are ${registrationWords(view)}. Try: latchkey webhooks register`);
    return EXIT_STATUS.failed;
  }
  return report.finding === 'answer-lost' ? EXIT_STATUS.failed : EXIT_STATUS.ok;
}
