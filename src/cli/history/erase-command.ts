// `latchkey history erase`: erases what is kept here of one person or one lock, after saying what goes and what stays.
import type { Command } from 'commander';
import { folded } from '../../domain/language/folded-text.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import type { LockView } from '../../panel/views/lock.ts';
import { oneLine } from '../../support/log.ts';
import type { AccountTool } from '../../tools/account-tool.ts';
import { erasedWords, stayingWords } from '../../words/history.ts';
import { t } from '../../words/translate.ts';
import type { CommonFlags, End } from '../account/account-command.ts';
import { type Verb, verbs } from '../account/verb.ts';
import { EXIT_STATUS } from '../terminal/exit-status.ts';
import { sendChange } from '../terminal/followed-reading.ts';
import { confirm } from '../terminal/hidden-typing.ts';
import { nameOf } from '../terminal/lock-lines.ts';
import { NameError } from '../terminal/lock-names.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface EraseFlags extends CommonFlags {
  readonly yes?: boolean;
  readonly lock?: boolean;
  readonly person?: boolean;
}

export function historyEraseCommand(terminal: Terminal, end: End): Command {
  return verbs<EraseFlags>(terminal, end)(
    'erase',
    t('erase what is kept here of one person, access code or lock'),
    [['<name>', t('the whole name of a person, an access code or a lock, in any case, or the ID of a lock')]],
    run,
  )
    .option('--person', t('the name is that of a person or code, also where a lock has it'))
    .option('--lock', t('the name is that of a lock, also where a person has it'))
    .option('--yes', t('do not ask'));
}

interface Meant {
  readonly what: { readonly lock: LockId | null; readonly person: string | null };
  readonly name: string;
}

const run: Verb<EraseFlags> = async (context, { yes = false, ...kind }, [name = '']) => {
  const { session, output } = context;
  const tool = await session.tool();
  const { what, name: shown } = await meantBy(tool, name, kind);
  const { entries } = await tool.call('history.count', what);
  if (entries === 0) {
    output.answer({ entries }, [t('Nothing is kept here of {name}.', { name: shown })]);
    return EXIT_STATUS.ok;
  }
  if (!yes) {
    output.progress(`${erasedWords(entries, shown)} ${stayingWords()}`);
    await confirm(context, t('Erase them? Type {yes}:', { yes: 'yes' }), t('Nothing was erased.'));
  }
  const erased = await sendChange(shown, async () => tool.call('history.erase', what));
  output.answer(erased, [
    t('Erased: {entries, plural, one {# entry} other {# entries}} of {name}.', {
      entries: erased.entries,
      name: shown,
    }),
  ]);
  output.progress(stayingWords());
  return EXIT_STATUS.ok;
};

/** A whole name: a part of one could erase what nobody meant. */
async function meantBy(tool: AccountTool, name: string, { lock, person }: EraseFlags): Promise<Meant> {
  const locks = await tool.call('locks');
  const isCalled = ({ id, description }: LockView): boolean =>
    id === name || folded(description.name) === folded(name);
  const found = person === true ? undefined : locks.find(isCalled);
  const ofPerson: Meant = { what: { lock: null, person: name }, name: oneLine(name) };
  if (found === undefined) {
    if (lock === true) {
      throw new NameError(t('No lock is called "{name}".', { name: oneLine(name) }));
    }
    return ofPerson;
  }
  const isPerson = lock !== true && (await tool.call('history.count', ofPerson.what)).entries > 0;
  if (isPerson) {
    throw new NameError(
      t('A lock and a person are called "{name}": say {lock} or {person}.', {
        name: oneLine(name),
        lock: '--lock',
        person: '--person',
      }),
    );
  }
  return { what: { lock: found.id, person: null }, name: nameOf(found) };
}
