// `latchkey guests`: people with one code on several locks: list, show, add, update, remove, and decide about a difference.
import { Command } from 'commander';
import type { GuestLocks } from '../../domain/codes/guest.ts';
import { folded } from '../../domain/language/folded-text.ts';
import { message } from '../../domain/language/message.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import type { GuestAnswer, GuestView } from '../../panel/operations/guests.ts';
import type { LockView } from '../../panel/views/lock.ts';
import { FinalError } from '../../support/errors.ts';
import { oneLine } from '../../support/log.ts';
import type { AccountTool } from '../../tools/account-tool.ts';
import { t } from '../../words/translate.ts';
import type { CommandContext, End } from '../account/account-command.ts';
import { grouped, type Verb, verbs } from '../account/verb.ts';
import { EXIT_STATUS, type ExitStatus } from '../terminal/exit-status.ts';
import { sendChange } from '../terminal/followed-reading.ts';
import { askedLocks, meant } from '../terminal/lock-names.ts';
import { CODE_VARIABLE, changesOf, draftOf, withHours, withValues } from './codes-command.ts';
import { guestLines, leftoverLines, refused, sayUnread, settledGuest, statusOfGuest } from './following.ts';
import { type GuestFlags, kindAsked, withKinds } from './guest-kinds.ts';

type Run = Verb<GuestFlags>;

const SETTLE = message(
  'decide about a code that was changed elsewhere: keep it, or overwrite it with the guest’s; or retry',
);

export function guestsCommand(terminal: CommandContext['terminal'], end: End): Command {
  const define = verbs<GuestFlags>(terminal, end);
  return grouped(new Command('guests').description(t('people with one code on several locks')), [
    define('list', t('list the guests, and how the code stands on each lock'), [], list),
    define('show', t('show one guest'), ['<guest>'], show).option('--reveal', t('show the digits, too')),
    withKinds(
      withHours(
        define(
          'add',
          t('add a guest; the digits are asked for, or come from {variable}', { variable: CODE_VARIABLE }),
          ['<name>'],
          add,
        ),
      ).option('--on <lock...>', t('only these locks; all, including new ones, if left out')),
    ),
    withValues(
      withKinds(
        withHours(define('update', t('change a guest on every lock'), ['<guest>'], update))
          .option('--on <lock...>', t('only these locks from now on'))
          .option('--all-locks', t('all locks from now on, including new ones')),
      ),
    ),
    define('remove', t('remove a guest, and the code from every lock'), ['<guest>'], remove),
    define('settle', t(SETTLE), ['<guest>', '<lock>', '<keep|overwrite|retry>'], settle),
  ]);
}

const list: Run = async ({ session, output }) => {
  const tool = await session.tool();
  const status = await compare(tool, output);
  const guests = await tool.call('guests.list');
  await sayUnread(tool, output);
  output.answer(guests, guests.length === 0 ? [t('There are no guests.')] : guests.flatMap(guestLines));
  return status;
};

/** The output shows the present codes of the locks, or a line marks it as older. */
async function compare(tool: AccountTool, output: CommandContext['output']): Promise<ExitStatus> {
  const { isCompared } = await tool.call('guests.look');
  if (!isCompared) {
    output.progress(
      t('The locks could not all be compared within 10 seconds: this may be older. Try again in a minute.'),
    );
  }
  return isCompared ? EXIT_STATUS.ok : EXIT_STATUS.tryLater;
}

const show: Run = async ({ session, output }, { reveal = false }, [wanted = '']) => {
  const tool = await session.tool();
  const status = await compare(tool, output);
  const guest = await theGuest(tool, wanted);
  const pin = reveal ? (await tool.call('guests.reveal', { guest: guest.id })).pin : null;
  const digits = pin === null ? [] : [`  ${t('code: {digits}', { digits: pin })}`];
  output.answer(pin === null ? guest : { ...guest, code: pin }, [...guestLines(guest), ...digits]);
  return status;
};

const add: Run = async (context, flags, [name = '']) => {
  const kind = kindAsked(flags);
  if (kind !== undefined) {
    return follow(context, await kind.add(context, flags, name));
  }
  const tool = await context.session.tool();
  const locks = flags.on === undefined ? 'all' : await idsOf(tool, flags.on);
  const draft = await draftOf(context, { ...flags, name }, await firstOf(tool, locks));
  return follow(
    context,
    await sendChange(oneLine(name), async () => tool.call('guests.add', { draft, locks })),
  );
};

const update: Run = async (context, flags, [wanted = '']) => {
  const { on, allLocks = false } = flags;
  const tool = await context.session.tool();
  const guest = await theGuest(tool, wanted);
  const kind = kindAsked(flags);
  if (kind !== undefined) {
    const { when: _ofCalendars, ...others } = flags;
    return follow(context, await kind.change(context, flags, guest, await changesOf(context, others, null)));
  }
  const locks = allLocks ? 'all' : on === undefined ? null : await idsOf(tool, on);
  // Only hours need the clocks of a lock.
  const zoned = flags.when === undefined ? null : await firstOf(tool, locks ?? guest.locks);
  const changes = {
    ...(await changesOf(context, flags, zoned)),
    ...(locks === null ? {} : { locks }),
  };
  const { id, revision } = guest;
  const change = async () => tool.call('guests.update', { guest: id, changes, revision });
  return follow(context, await sendChange(oneLine(guest.name), change));
};

const remove: Run = async (context, _, [wanted = '']) => {
  const tool = await context.session.tool();
  const guest = await theGuest(tool, wanted);
  await sendChange(oneLine(guest.name), async () => tool.call('guests.remove', { guest: guest.id }));
  return finish(context, guest);
};

const settle: Run = async (context, _, [wanted = '', lockName = '', choice = '']) => {
  const tool = await context.session.tool();
  const guest = await settledGuest(context, await theGuest(tool, wanted));
  if (guest === null) {
    throw new FinalError('bad-request', t('Nothing was changed: the guest has no code any more.'));
  }
  // The lock may also be one that has left the account.
  const known = guest.onLocks.map((on) => ({ id: on.lockId, name: on.lockName, revision: on.revision }));
  const none = t('No lock of the guest is called "{name}".', { name: oneLine(lockName) });
  const { id: lock, revision } = meant(lockName, known, none);
  if (!['keep', 'overwrite', 'retry'].includes(choice)) {
    throw new FinalError('bad-request', t('Nothing was changed: say keep, overwrite or retry.'));
  }
  const decision = { guest: guest.id, lock, choice, revision };
  await sendChange(oneLine(guest.name), async () => tool.call('guests.settle', decision));
  return finish(context, guest);
};

async function follow(context: CommandContext, answer: GuestAnswer): Promise<ExitStatus> {
  if (answer.kind === 'invalid') {
    throw refused(t('Nothing was changed.'), answer.faults);
  }
  return finish(context, answer.guest);
}

/** Waits until every lock has been compared, and says how it stands. */
async function finish(context: CommandContext, guest: GuestView): Promise<ExitStatus> {
  const end = await settledGuest(context, guest);
  const gone = { id: guest.id, removed: true };
  context.output.answer(
    end ?? gone,
    end === null ? [`${guest.name}: ${t('removed')}`] : [...leftoverLines(end), ...guestLines(end)],
  );
  return statusOfGuest(end);
}

async function theGuest(tool: AccountTool, wanted: string): Promise<GuestView> {
  const none = t('No guest is called "{name}".', { name: oneLine(wanted) });
  const guests = await tool.call('guests.list');
  const isSame = (name: string): boolean => folded(name) === folded(wanted);
  const onLock = guests.find(({ nameOnLock }) => isSame(nameOnLock));
  // A terminal may have no keys for what the guest is called.
  return onLock !== undefined && !guests.some(({ name }) => isSame(name))
    ? onLock
    : meant(wanted, guests, none);
}

async function idsOf(tool: AccountTool, names: readonly string[]): Promise<Exclude<GuestLocks, 'all'>> {
  return (await askedLocks(tool, names)).map(({ id }) => id);
}

/** The first of these locks, whose times count; null: there is none. */
async function firstOf(tool: AccountTool, locks: GuestLocks): Promise<LockId | null> {
  const all = await tool.call('locks');
  const isMeant = ({ id, description }: LockView): boolean =>
    locks === 'all' ? description.role === 'owner' : locks.includes(id);
  return all.find(isMeant)?.id ?? null;
}
