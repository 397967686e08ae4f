// `latchkey goodbye`: ends an account, and names what could not be undone outside of this computer.
import type { Command } from 'commander';
import type { CodeLeft, EndingReport, EndingView } from '../../panel/views/ending.ts';
import { oneLine } from '../../support/log.ts';
import { t } from '../../words/translate.ts';
import { EXIT_STATUS, type ExitStatus } from '../terminal/exit-status.ts';
import { readFollowing, sendChange, watched } from '../terminal/followed-reading.ts';
import { confirm } from '../terminal/hidden-typing.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { CommandContext, CommonFlags, End } from './account-command.ts';
import { verbs } from './verb.ts';

interface GoodbyeFlags extends CommonFlags {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly leaveCodes?: boolean;
}

/** Locks take their codes off within this time, in milliseconds; a lock that is away takes longer (our choice). */
const FOLLOWED_FOR_MS = 120_000;

export function goodbyeCommand(terminal: Terminal, end: End): Command {
  return verbs<GoodbyeFlags>(terminal, end)(
    'goodbye',
    t('end the account: codes off the locks, webhooks, devices at a broker, the sign-in, then its files'),
    [],
    goodbye,
    () => ({ seenThrough: true, afterUnknown: null }),
  )
    .option('--dry-run', t('tell what would be removed, and change nothing'))
    .option('--yes', t('do not ask'))
    .option('--leave-codes', t('end it even while codes are on locks that cannot be reached'));
}

async function goodbye(context: CommandContext, flags: GoodbyeFlags): Promise<ExitStatus> {
  const { session, output } = context;
  const plan = await session.read(async (call) => call('ending.show'));
  if (flags.dryRun === true) {
    output.answer(plan, planLines(plan));
    return EXIT_STATUS.ok;
  }
  if (flags.yes !== true) {
    await asked(context, plan);
  }
  const { account } = plan;
  const tool = await session.tool();
  await sendChange(account, async () => tool.call('ending.begin', { account }));
  const left = await withoutCodes(context, account);
  const leaveCodes = flags.leaveCodes === true;
  if (left.length > 0 && !leaveCodes) {
    output.answer({ ended: false, codes: left }, [
      ...left.map(leftLine),
      t('The account goes on until these codes are off. Run this again later, or with {option}.', {
        option: '--leave-codes',
      }),
    ]);
    return EXIT_STATUS.tryLater;
  }
  const report = await sendChange(account, async () =>
    (await session.tool()).call('ending.finish', { account, leaveCodes }),
  );
  output.answer({ ended: true, ...report }, reportLines(report));
  return isClean(report) ? EXIT_STATUS.ok : EXIT_STATUS.failed;
}

async function asked(context: CommandContext, plan: EndingView): Promise<void> {
  for (const line of planLines(plan)) {
    context.output.progress(line);
  }
  const { account } = plan;
  const question = t('Type the name of the account, {account}, to end it:', { account });
  await confirm(context, question, t('Nothing was changed.'), account);
}

/** The codes that are still on locks, after those that can be reached have taken theirs off. */
async function withoutCodes(context: CommandContext, account: string): Promise<readonly CodeLeft[]> {
  const read = async (): Promise<readonly CodeLeft[]> =>
    (await readFollowing(context.session, account, async (call) => call('ending.show'))).codes;
  return watched(context, read, {
    isOver: (codes) => codes.length === 0,
    line: t('The locks take their codes off …'),
    forMs: FOLLOWED_FOR_MS,
  });
}

function planLines(plan: EndingView): readonly string[] {
  const { codes, calendars, webhooks, broker, isConnected } = plan;
  const written = calendars.filter(({ from }) => from === 'config').map(({ name }) => name);
  return [
    ...codes.map(({ name, locks }) =>
      oneLine(t('Code of {name}: comes off {locks}', { name, locks: locks.join(', ') })),
    ),
    ...calendars.map(({ name }) => oneLine(t('Booking calendar {name}: no longer read', { name }))),
    ...(webhooks ? [t('Webhooks: unregistered at the service')] : []),
    ...(broker === null ? [] : [t('Devices and topics at {broker}: removed', { broker })]),
    ...(isConnected ? [t('Sign-in: given up')] : []),
    t('Files of the account on this computer: deleted, with its history'),
    ...(written.length === 0
      ? []
      : [oneLine(t('Remove from config.json yourself: calendars {names}', { names: written.join(', ') }))]),
  ];
}

function leftLine({ name, locks }: CodeLeft): string {
  return oneLine(t('The code of {name} may still open {locks}.', { name, locks: locks.join(', ') }));
}

function reportLines(report: EndingReport): readonly string[] {
  const { codes, webhooks, broker } = report;
  return [
    ...codes.map(leftLine),
    ...(webhooks
      ? [t('The webhook registration could not be removed. Revoking access in the lock’s app ends it.')]
      : []),
    ...(broker === null
      ? []
      : [t('{broker} did not answer: devices and retained topics are still there.', { broker })]),
    t(
      'The account has ended. Now remove the plugin, or its block from config.json, and revoke access in the lock’s app.',
    ),
  ];
}

function isClean({ codes, webhooks, broker }: EndingReport): boolean {
  return codes.length === 0 && !webhooks && broker === null;
}
