// `latchkey guests`: people with one code on several locks: list, show, add, update, remove, and decide about a difference.
import { Command } from 'commander';
import type { AccountTool } from '../../app/tools/account-tool.ts';
import type { GuestLocks } from '../../domain/codes/guest.ts';
import { isZoneKnown } from '../../domain/codes/lock-zone.ts';
import type { CodeChanges } from '../../domain/codes/operation.ts';
import { folded } from '../../domain/language/folded-text.ts';
import { message } from '../../domain/language/message.ts';
import type { GuestAnswer, GuestView } from '../../panel/operations/guests.ts';
import type { LockView } from '../../panel/views/lock.ts';
import { FinalError } from '../../support/errors.ts';
import { oneLine } from '../../support/log.ts';
import { t } from '../../words/translate.ts';
import type { CommandContext, CommonFlags, End } from '../account/account-command.ts';
import { grouped, type Verb, verbs } from '../account/verb.ts';
import { EXIT_STATUS, type ExitStatus } from '../terminal/exit-status.ts';
import { sendChange } from '../terminal/followed-reading.ts';
import { askedLocks, meant, meantCalendar } from '../terminal/lock-names.ts';
import { CODE_VARIABLE, scheduleOn, typedPin, valuesOf, withHours, withValues } from './codes-command.ts';
import { guestLines, leftoverLines, settledGuest, statusOfGuest } from './following.ts';

interface GuestFlags extends CommonFlags {
  readonly when?: string;
  readonly on?: readonly string[];
  readonly allLocks?: boolean;
  readonly rename?: string;
  readonly newCode?: boolean;
  readonly reveal?: boolean;
  readonly zone?: string;
  readonly betweenStays?: readonly string[];
  readonly until?: string;
}

type Run = Verb<GuestFlags>;

const SETTLE = message(
  'decide about a code that was changed elsewhere: keep it, or overwrite it with the guest’s; or retry',
);

const ALONE = message(
  'Nothing was changed: "--between-stays" gives the hours and the locks, and "--until" belongs to it.',
);

export function guestsCommand(terminal: CommandContext['terminal'], end: End): Command {
  const betweenStays = [
    '--between-stays <calendar...>',
    t('only from a check-out of these calendars to the next check-in'),
  ] as const;
  const until = ['--until <hour>', t('between stays: at most to this hour, such as 18:00')] as const;
  const define = verbs<GuestFlags>(terminal, end);
  return grouped(new Command('guests').description(t('people with one code on several locks')), [
    define('list', t('list the guests, and how the code stands on each lock'), [], list),
    define('show', t('show one guest'), ['<guest>'], show).option('--reveal', t('show the digits, too')),
    withHours(
      define(
        'add',
        t('add a guest; the digits are asked for, or come from {variable}', { variable: CODE_VARIABLE }),
        ['<name>'],
        add,
      ),
    )
      .option('--on <lock...>', t('only these locks; all, including new ones, if left out'))
      .option(...betweenStays)
      .option(...until),
    withValues(
      withHours(define('update', t('change a guest on every lock'), ['<guest>'], update))
        .option('--on <lock...>', t('only these locks from now on'))
        .option('--all-locks', t('all locks from now on, including new ones'))
        .option(...betweenStays)
        .option(...until),
    ),
    define('remove', t('remove a guest, and the code from every lock'), ['<guest>'], remove),
    define('settle', t(SETTLE), ['<guest>', '<lock>', '<keep|overwrite|retry>'], settle),
  ]);
}

const list: Run = async ({ session, output }) => {
  const tool = await session.tool();
  const status = await compare(tool, output);
  const guests = await tool.call('guests.list');
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

const add: Run = async (context, { when, zone, on, betweenStays, until = null }, [name = '']) => {
  const tool = await context.session.tool();
  if (betweenStays !== undefined || until !== null) {
    if (betweenStays === undefined || when !== undefined || on !== undefined) {
      throw new FinalError('bad-request', t(ALONE));
    }
    const calendars = await calendarsCalled(tool, betweenStays, zone);
    const pin = await typedPin(context);
    const change = async () => tool.call('guests.add-between', { name, pin, calendars, until });
    return follow(context, await sendChange(oneLine(name), change));
  }
  const locks = on === undefined ? 'all' : await idsOf(tool, on);
  const schedule = await scheduleFor(tool, locks, when ?? 'always', zone);
  const pin = await typedPin(context);
  return follow(
    context,
    await sendChange(oneLine(name), async () =>
      tool.call('guests.add', { draft: { name, pin, schedule }, locks }),
    ),
  );
};

const update: Run = async (context, flags, [wanted = '']) => {
  const { when, zone, on, allLocks = false, betweenStays, until } = flags;
  const tool = await context.session.tool();
  const guest = await theGuest(tool, wanted);
  const others = await valuesOf(context, flags);
  if (betweenStays !== undefined || until !== undefined) {
    return follow(context, await changeBetween(tool, guest, flags, others));
  }
  const locks = allLocks ? 'all' : on === undefined ? null : await idsOf(tool, on);
  const changes = {
    ...others,
    ...(when === undefined ? {} : { schedule: await scheduleFor(tool, locks ?? guest.locks, when, zone) }),
    ...(locks === null ? {} : { locks }),
  };
  const { id, revision } = guest;
  const change = async () => tool.call('guests.update', { guest: id, changes, revision });
  return follow(context, await sendChange(oneLine(guest.name), change));
};

async function changeBetween(
  tool: AccountTool,
  { id, name, revision, between }: GuestView,
  { when, zone, on, allLocks = false, betweenStays, until }: GuestFlags,
  changes: Pick<CodeChanges, 'name' | 'pin'>,
): Promise<GuestAnswer> {
  if (between === undefined || when !== undefined || on !== undefined || allLocks) {
    throw new FinalError('bad-request', t(ALONE));
  }
  const calendars = await calendarsCalled(tool, betweenStays ?? between.calendars, zone);
  const asked = { guest: id, revision, changes, calendars, until: until ?? between.until };
  return sendChange(oneLine(name), async () => tool.call('guests.change-between', asked));
}

/** The calendars with these names or ids. `zone`: kept for those of their locks whose zone is not known. */
async function calendarsCalled(
  tool: AccountTool,
  names: readonly string[],
  zone: string | undefined,
): Promise<readonly string[]> {
  const { calendars } = await tool.call('stays.list');
  const chosen = names.map(
    (name) => calendars.find(({ id }) => id === name) ?? meantCalendar(name, calendars),
  );
  if (zone !== undefined) {
    const rules = await tool.call('codes.rules');
    const locks = new Set(chosen.flatMap((calendar) => calendar.locks));
    for (const { lockId } of rules.filter((lock) => locks.has(lock.lockId) && !isZoneKnown(lock))) {
      await tool.call('locks.configure', { lock: lockId, settings: { timeZone: zone } });
    }
  }
  return chosen.map(({ id }) => id);
}

const remove: Run = async (context, _, [wanted = '']) => {
  const tool = await context.session.tool();
  const guest = await theGuest(tool, wanted);
  await sendChange(oneLine(guest.name), async () => tool.call('guests.remove', { guest: guest.id }));
  return finish(context, guest);
};

const settle: Run = async (context, _, [wanted = '', lockName = '', choice = '']) => {
  const tool = await context.session.tool();
  const guest = await settledGuest(context, await theGuest(tool, wanted));
  // The lock may also be one that has left the account.
  const known = (guest?.onLocks ?? []).map(({ lockId: id, lockName: name, revision }) => ({
    id,
    name,
    revision,
  }));
  if (guest === null) {
    throw new FinalError('bad-request', t('Nothing was changed: the guest has no code any more.'));
  }
  const none = t('No lock of the guest is called "{name}".', { name: oneLine(lockName) });
  const onLock = meant(lockName, known, none);
  if (!['keep', 'overwrite', 'retry'].includes(choice)) {
    throw new FinalError(
      'bad-request',
      t('Nothing was changed: say {keep}, {overwrite} or {retry}.', {
        keep: 'keep',
        overwrite: 'overwrite',
        retry: 'retry',
      }),
    );
  }
  const { id: lock, revision } = onLock;
  const decision = { guest: guest.id, lock, choice, revision };
  await sendChange(oneLine(guest.name), async () => tool.call('guests.settle', decision));
  return finish(context, guest);
};

async function follow(context: CommandContext, answer: GuestAnswer): Promise<ExitStatus> {
  if (answer.kind === 'invalid') {
    const words = answer.faults.map((fault) => t(fault.words)).join(' ');
    throw new FinalError('bad-request', `${t('Nothing was changed.')} ${words}`);
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

/** Times are those of the first lock. */
async function scheduleFor(tool: AccountTool, locks: GuestLocks, words: string, zone: string | undefined) {
  const all = await tool.call('locks');
  const isMeant = ({ id, description }: LockView): boolean =>
    locks === 'all' ? description.role === 'owner' : locks.includes(id);
  const id = all.find(isMeant)?.id;
  return scheduleOn(tool, id ?? null, words, zone);
}
