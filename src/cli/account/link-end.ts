// Ends `latchkey link`: lists the account's locks, or asks which of two accounts to keep.

import type { LinkView } from '../../linking/link-api.ts';
import type { LockView } from '../../panel/views/lock.ts';
import { oneLine } from '../../support/log.ts';
import type { AccountTool } from '../../tools/account-tool.ts';
import { t } from '../../words/translate.ts';
import { EXIT_STATUS, type ExitStatus } from '../terminal/exit-status.ts';
import { nameOf } from '../terminal/lock-lines.ts';
import type { CommandContext } from './account-command.ts';

export type Decision = 'keep' | 'undo';

/**
 * Prints the newly linked account. Rejects with the service's error when the locks cannot be listed, after confirming
 * the link.
 */
export async function finished(context: CommandContext, tool: AccountTool): Promise<ExitStatus> {
  const [listing] = await Promise.allSettled([tool.call('refresh')]);
  const { accountChange } = await tool.call('link.show');
  if (accountChange !== null) {
    return askWhose(context, tool, accountChange);
  }
  if (listing.status === 'rejected') {
    printLinked(context, await tool.call('locks'));
    throw listing.reason;
  }
  printLinked(context, listing.value);
  return EXIT_STATUS.ok;
}

function printLinked({ output }: CommandContext, known: readonly LockView[]): void {
  const locks = known.filter(({ presence }) => presence !== 'missing');
  output.answer(
    { link: 'linked', locks: locks.map(({ id, description }) => ({ id, name: description.name })) },
    [
      locks.length === 0
        ? t('Linked. No locks are listed yet.')
        : t('Linked. Locks: {locks}.', { locks: locks.map(nameOf).join(', ') }),
    ],
  );
}

/** Asks only at a terminal; without one, nothing is removed. */
async function askWhose(
  context: CommandContext,
  tool: AccountTool,
  accountChange: NonNullable<LinkView['accountChange']>,
): Promise<ExitStatus> {
  const { output, terminal } = context;
  const { missing, added } = accountChange;
  output.prompt(
    added.length === 0
      ? t('This looks like a different account: it does not list {missing}.', { missing: names(missing) })
      : t('This looks like a different account: it does not list {missing}, but {added}.', {
          missing: names(missing),
          added: names(added),
        }),
  );
  if (!output.json) {
    output.prompt(
      t(
        'Type "{keep}" if this is the account you want: locks that it does not list are then removed. Type "{undo}" to disconnect it: nothing is removed.',
        { keep: 'keep', undo: 'undo' },
      ),
    );
    const answer = (await terminal.readLine(terminal.stopped))?.trim().toLowerCase();
    if (answer === 'keep' || answer === 'undo') {
      return decide(context, tool, answer);
    }
  }
  output.error(
    t('Nothing is removed until you decide, with: {keep}, or: {undo}', {
      keep: 'npx homebridge-latchkey link --confirm keep',
      undo: 'npx homebridge-latchkey link --confirm undo',
    }),
  );
  return EXIT_STATUS.failed;
}

/** Answers the question about a changed account. Rejects with `bad-request` when no question is open. */
export async function decide(
  context: CommandContext,
  tool: AccountTool,
  decision: Decision,
): Promise<ExitStatus> {
  const { state } = await tool.call('link.confirm', { keep: decision === 'keep' });
  if (decision === 'keep') {
    printLinked(context, await tool.call('locks'));
  } else {
    context.output.answer({ link: state }, [
      t('Disconnected. Nothing was removed; now connect the account that has the locks.'),
    ]);
  }
  return EXIT_STATUS.ok;
}

function names(locks: readonly string[]): string {
  return locks.map(oneLine).join(', ');
}
