// `latchkey codes confirm`: what is stored may be older than the locks; a person says who may come in all the same.
import type { Command } from 'commander';
import type { AccountTool } from '../../app/tools/account-tool.ts';
import type { GuestView } from '../../panel/operations/guests.ts';
import { FinalError } from '../../support/errors.ts';
import { oneLine } from '../../support/log.ts';
import { guestWhen, locksWords, oldFileWords } from '../../words/guests.ts';
import { shownSchedule } from '../../words/schedules.ts';
import { t } from '../../words/translate.ts';
import type { CommonFlags, End } from '../account/account-command.ts';
import { type Verb, verbs } from '../account/verb.ts';
import { EXIT_STATUS } from '../terminal/exit-status.ts';
import { sendChange } from '../terminal/followed-reading.ts';
import { ask } from '../terminal/hidden-typing.ts';
import { nameOf } from '../terminal/lock-lines.ts';
import { meant } from '../terminal/lock-names.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { guestOf } from './list-codes.ts';

interface ConfirmFlags extends CommonFlags {
  readonly yes?: boolean;
}

export function codesConfirmCommand(terminal: Terminal, end: End): Command {
  return verbs<ConfirmFlags>(terminal, end)(
    'confirm',
    t('after a restore: confirm who may still come in, and list the codes that belong to nobody here'),
    [['[guests...]', t('their names; all of them if left out')]],
    confirm,
  ).option('--yes', t('do not ask'));
}

const confirm: Verb<ConfirmFlags> = async (context, { yes = false }, names) => {
  const { session, output, terminal } = context;
  const tool = await session.tool();
  const { old } = await tool.call('codes.proposals');
  const proposed = (await tool.call('guests.list')).filter(({ isProposed }) => isProposed);
  const chosen = names.length === 0 ? proposed : names.map((name) => theGuest(name, proposed));
  const others = await codesOfNobody(tool);
  if (old !== null) {
    output.progress(t(oldFileWords(old)));
  }
  output.answer({ old, guests: chosen, others }, [...chosen.map(guestLine), ...others.map(otherLine)]);
  if (chosen.length === 0) {
    output.progress(t('Nobody waits to be confirmed.'));
    return EXIT_STATUS.ok;
  }
  if (!yes) {
    const question = t(
      '{count, plural, one {May this one} other {May these #}} still come in? Type {yes}. Remove the others with: {command}',
      { count: chosen.length, yes: 'yes', command: 'latchkey guests remove' },
    );
    if ((await ask(terminal, output, question)).toLowerCase() !== 'yes') {
      throw new FinalError('bad-request', t('Nothing was changed.'));
    }
  }
  const guests = chosen.map(({ id }) => id);
  await sendChange(t('The guests'), async () => tool.call('codes.confirm', { guests }));
  output.progress(
    t('{count, plural, one {Confirmed: # guest.} other {Confirmed: # guests.}}', { count: guests.length }),
  );
  return EXIT_STATUS.ok;
};

function theGuest(name: string, proposed: readonly GuestView[]): GuestView {
  return meant(
    name,
    proposed,
    t('Nobody who waits to be confirmed is called "{name}".', { name: oneLine(name) }),
  );
}

interface OtherCode {
  readonly lock: string;
  readonly name: string;
}

/** Codes on the locks that belong to no stored guest: somebody may have made them, or they were forgotten by the restore. */
async function codesOfNobody(tool: AccountTool): Promise<readonly OtherCode[]> {
  const guests = await tool.call('guests.list');
  const others: OtherCode[] = [];
  for (const lock of await tool.call('locks')) {
    const { codes } = await tool.call('codes.list', { lock: lock.id });
    const ofNobody = codes.filter((code) => guestOf(lock, code, guests) === null);
    others.push(...ofNobody.map(({ name }) => ({ lock: nameOf(lock), name })));
  }
  return others;
}

function guestLine(guest: GuestView): string {
  return oneLine(`${guest.name}: ${guestWhen(guest, shownSchedule)}, ${locksWords(guest)}`);
}

function otherLine({ lock, name }: OtherCode): string {
  const command = `latchkey codes remove "${lock}" "${oneLine(name)}"`;
  return t('{lock}, {name}: belongs to nobody here. Remove it with: {command}', {
    lock,
    name: oneLine(name),
    command,
  });
}
