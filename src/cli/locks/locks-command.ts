// `latchkey locks`: list the locks and how they are.
import type { Command } from 'commander';
import type { StatusView } from '../../panel/operations/panel-api.ts';
import type { LockView } from '../../panel/views/lock.ts';
import { oneLine } from '../../support/log.ts';
import { LINK_WORDS } from '../../words/account.ts';
import { replacedWords } from '../../words/locks.ts';
import { t } from '../../words/translate.ts';
import type { CommonFlags, End } from '../account/account-command.ts';
import { calling, grouped, type Verb, verbs } from '../account/verb.ts';
import { EXIT_STATUS, type ExitStatus } from '../terminal/exit-status.ts';
import { lockLines } from '../terminal/lock-lines.ts';
import { meant, meantLock } from '../terminal/lock-names.ts';
import type { Output, Terminal } from '../terminal/terminal.ts';

export function locksCommand(terminal: Terminal, end: End): Command {
  const define = verbs(terminal, end);
  const list = define('locks', t('list the locks and how they are'), [], listLocks);
  list.option('--ids', t('show the id of each, as options name it'));
  return grouped(list, [
    define(
      'replace',
      t('move guests, stays, calendars and history to the lock that took the place of another'),
      [
        ['<old>', t('the lock that was replaced, or its id')],
        ['<new>', t('the lock in its place')],
      ],
      replaceLock,
    ),
  ]);
}

const listLocks: Verb<CommonFlags & { readonly ids?: boolean }> = async (
  { session, output, terminal },
  { ids: withIds = false },
) => {
  const tool = await session.tool();
  const [status, all] = await Promise.all([tool.call('status'), tool.call('locks')]);
  output.answer(all, lockLines(all, terminal.clock.now(), { withIds }));
  return printProblems(output, status, all);
};

const replaceLock = calling('locks.replace', {
  input: async ([wanted = '', by = ''], _, tool) => {
    const fresh = meantLock(by, await tool.call('locks'));
    const candidates = await tool.call('locks.replaced');
    // A lock of which only the history is kept has no name any more.
    const isKnown = candidates.some(({ name }) => name.toLowerCase().startsWith(wanted.trim().toLowerCase()));
    const none = t('No lock is called "{name}".', { name: oneLine(wanted) });
    return { old: isKnown ? meant(wanted, candidates, none).id : wanted, by: fresh.id };
  },
  lines: (moved) => [replacedWords(moved), ...moved.notes].map((words) => t(words)),
});

/** Prints why a list of locks may be empty or old. Returns 0 when all is well. */
export function printProblems(
  output: Output,
  { link, failing }: StatusView,
  all: readonly LockView[],
): ExitStatus {
  if (link !== 'linked') {
    output.error(
      t('The account is {state}. Connect it with: {command}', {
        state: LINK_WORDS[link],
        command: 'npx homebridge-latchkey link',
      }),
    );
    return EXIT_STATUS.linkNeeded;
  }
  if (failing !== null) {
    output.error(
      t('The service is not responding properly, so this may be out of date: {why} "{command}" says more.', {
        why: oneLine(t(failing.message)),
        command: 'npx homebridge-latchkey doctor',
      }),
    );
    return EXIT_STATUS.tryLater;
  }
  if (all.length === 0) {
    output.progress(t('The account has no locks.'));
  }
  return EXIT_STATUS.ok;
}
