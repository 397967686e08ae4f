// `latchkey stays`: booking calendars and their stays: lists them, checks a calendar, and takes it up now.
import { Command } from 'commander';
import type { CommandContext, CommonFlags, End } from '../../../cli/account/account-command.ts';
import { grouped, type Verb, verbs } from '../../../cli/account/verb.ts';
import { FOLLOWED_FOR_MS, isOnItsWay, statusOfGuest } from '../../../cli/codes/following.ts';
import { pinsOf } from '../../../cli/codes/list-codes.ts';
import { EXIT_STATUS, type ExitStatus, worst } from '../../../cli/terminal/exit-status.ts';
import { readFollowing, watched } from '../../../cli/terminal/followed-reading.ts';
import { meant, meantCalendar } from '../../../cli/terminal/lock-names.ts';
import { GUEST_LANGUAGES } from '../../../domain/codes/guest-language.ts';
import { folded } from '../../../domain/language/folded-text.ts';
import { message } from '../../../domain/language/message.ts';
import { FinalError } from '../../../support/errors.ts';
import { oneLine } from '../../../support/log.ts';
import type { AccountTool } from '../../../tools/account-tool.ts';
import { stayTitle } from '../../../words/stay-names.ts';
import { readerLanguage, t } from '../../../words/translate.ts';
import type { StaysView, StayView } from '../panel/views.ts';
import { checkLines, stayLines } from './lines.ts';

interface StayFlags extends CommonFlags {
  readonly reveal?: boolean;
  readonly all?: boolean;
  readonly language?: string;
  readonly withdraw?: boolean;
  readonly undo?: boolean;
}

type Run = Verb<StayFlags>;

export function staysCommand(terminal: CommandContext['terminal'], end: End): Command {
  const define = verbs<StayFlags>(terminal, end);
  return grouped(new Command('stays').description(t('booking calendars, and the codes of their guests')), [
    define('list', t('list the calendars and their stays, as they are known'), ['[calendar]'], list)
      .option('--all', t('also stays that are over'))
      .option('--reveal', t('show the digits, too')),
    define(
      'check',
      t('read the calendars and say what would change; nothing is changed'),
      ['[calendar]'],
      check,
    ),
    define(
      'answer',
      t('say whether entries in the words of blocked nights are "bookings" or "blocked"'),
      ['<calendar>', '<answer>'],
      answer,
    ),
    define(
      'message',
      t('print the message to the guest of a stay, with the code, for you to send'),
      ['<stay>'],
      print,
    ).option(
      '--language <code>',
      t('write it in this language: {codes}', { codes: GUEST_LANGUAGES.join(', ') }),
    ),
    define(
      'checkout',
      t('end the code of a guest who has left before the end of the stay'),
      ['<stay>'],
      checkout,
    ).option('--undo', t('the guest is still there: the code works again')),
    define(
      'feed',
      t(
        'make a secret address at which others read the stays of a calendar, without codes; a former one ends',
      ),
      ['<calendar>'],
      feed,
    ).option('--withdraw', t('end the address at once')),
    define('sync', t('read the calendars now, and follow what changes on the locks'), ['[calendar]'], sync),
  ]);
}

const list: Run = async (context, { all = false, reveal = false }, [wanted]) => {
  const tool = await context.session.tool();
  const view = await chosenView(tool, wanted);
  const pins = await pinsOf(
    view.stays.filter(({ code }) => reveal && code === 'hidden'),
    async (stay) => tool.call('stays.reveal', { stay }),
  );
  const stays = view.stays.map((stay) => ({ ...stay, ...codeOf(pins.get(stay.id)) }));
  const now = context.terminal.clock.now();
  context.output.answer({ ...view, stays }, stayLines(view, { now, pins, all }));
  return EXIT_STATUS.ok;
};

const check: Run = async ({ session, output }, _, [wanted]) => {
  const tool = await session.tool();
  const calendar = await chosenCalendar(tool, wanted);
  output.progress(t('Reading'));
  const checks = await tool.call('stays.check', { calendar });
  output.answer(checks, checks.length === 0 ? [t(NO_CALENDARS)] : checks.flatMap(checkLines));
  return checks.some(({ kind }) => kind === 'failed') ? EXIT_STATUS.failed : EXIT_STATUS.ok;
};

const print: Run = async ({ session, terminal, output }, { language }, [wanted = '']) => {
  const chosen = GUEST_LANGUAGES.find((code) => code === language) ?? null;
  if (language !== undefined && chosen === null) {
    throw new FinalError(
      'bad-request',
      t('Choose one of these languages: {codes}.', { codes: GUEST_LANGUAGES.join(', ') }),
    );
  }
  const tool = await session.tool();
  const { stays } = await tool.call('stays.list');
  const { id: stay } = meantStay(wanted, stays.filter(isOpen));
  const said = await tool.call('stays.message', { stay, language: chosen, reader: readerLanguage().code });
  output.answer(said, said.text.split('\n'));
  if (said.notice !== null) {
    terminal.printError(`${oneLine(t(said.notice))}\n`);
  }
  return said.notice === null ? EXIT_STATUS.ok : EXIT_STATUS.failed;
};

function isOpen({ phase, isSkipped }: StayView): boolean {
  return phase !== 'gone' && phase !== 'leaving' && !isSkipped;
}

/** Whole or from its beginning: the name on the lock, the name for a reader, or the words of the booking; else the id. */
function meantStay(wanted: string, stays: readonly StayView[]): StayView {
  const none = t('No stay is called "{name}".', { name: oneLine(wanted) });
  const typed = asTyped(wanted);
  const namesOf = ({ name, calendarName, booking }: StayView): readonly string[] =>
    [name, stayTitle(name, calendarName), booking].map(asTyped);
  const exact = stays.filter((stay) => namesOf(stay).includes(typed));
  const begun = stays.filter((stay) => namesOf(stay).some((name) => name.startsWith(typed)));
  const [only, another] = exact.length > 0 || typed === '' ? exact : begun;
  return only !== undefined && another === undefined ? only : meant(wanted, stays, none);
}

/** A list shows "Nov 29 – Dec 2", and a keyboard has no such dash. */
const asTyped = (name: string): string =>
  folded(name)
    .trim()
    .replaceAll(/\s*[–-]\s*/gu, '-');

const answer: Run = async (context, _, [wanted, said]) => {
  const { session, terminal, output } = context;
  if (said !== 'bookings' && said !== 'blocked') {
    throw new FinalError('bad-request', t('Answer "bookings" or "blocked".'));
  }
  const tool = await session.tool();
  const calendar = await chosenCalendar(tool, wanted);
  if (calendar === null) {
    throw new FinalError('bad-request', t(NO_CALENDARS));
  }
  output.progress(t('Reading'));
  const view = ofCalendar(await tool.call('stays.answer', { calendar, are: said }), calendar);
  output.answer(view, stayLines(view, { now: terminal.clock.now(), pins: new Map(), all: false }));
  return EXIT_STATUS.ok;
};

const checkout: Run = async (context, { undo = false }, [wanted = '']) => {
  const tool = await context.session.tool();
  const { stays } = await tool.call('stays.list');
  const staying = stays.filter((stay) => isOpen(stay) || (undo && stay.checkedOutAt !== null));
  const { id } = meantStay(wanted, staying);
  await tool.call('stays.checkout', { stay: id, out: !undo });
  const view = await settledStays(context);
  const left = { ...view, stays: view.stays.filter((stay) => stay.id === id) };
  const [stay] = left.stays;
  const calendars = view.calendars.filter((one) => one.id === stay?.calendarId);
  const now = context.terminal.clock.now();
  context.output.answer(left, stayLines({ ...left, calendars }, { now, pins: new Map(), all: true }));
  return stay === undefined ? EXIT_STATUS.failed : statusOfStay(stay);
};

const feed: Run = async ({ session, output }, { withdraw = false }, [wanted = '']) => {
  const tool = await session.tool();
  const calendar = await chosenCalendar(tool, wanted);
  if (withdraw) {
    output.answer(await tool.call('stays.withdraw-feed', { calendar }), [t('The address is withdrawn.')]);
    return EXIT_STATUS.ok;
  }
  const made = await tool.call('stays.make-feed', { calendar });
  output.answer(made, made.addresses);
  return EXIT_STATUS.ok;
};

const sync: Run = async (context, _, [wanted]) => {
  const { session, terminal, output } = context;
  const tool = await session.tool();
  const calendar = await chosenCalendar(tool, wanted);
  if ((await tool.call('stays.list')).calendars.length === 0) {
    throw new FinalError('bad-request', t(NO_CALENDARS));
  }
  output.progress(t('Reading'));
  await tool.call('stays.read', { calendar });
  const view = ofCalendar(await settledStays(context), calendar);
  const lines = stayLines(view, { now: terminal.clock.now(), pins: new Map(), all: false });
  output.answer(view, lines);
  const hasTrouble = view.calendars.some(({ trouble }) => trouble !== null);
  return worst([
    hasTrouble ? EXIT_STATUS.failed : EXIT_STATUS.ok,
    ...view.stays.map((stay) => statusOfStay(stay)),
  ]);
};

const NO_CALENDARS = message(
  'There are no booking calendars. Add one on the Stays page, or as "{option}" in config.json.',
  { option: 'stays' },
);

/** The stays once no lock is under way, or as they stand after three minutes. */
async function settledStays(context: CommandContext): Promise<StaysView> {
  const read = async (): Promise<StaysView> =>
    readFollowing(context.session, t('The stays'), async (call) => call('stays.list'));
  return watched(context, read, {
    isOver: ({ stays }) => !stays.some(isUnderWay),
    line: t('The locks are working'),
    forMs: FOLLOWED_FOR_MS,
  });
}

/** `preparing` without an obstacle: its guest is about to be made. */
function isUnderWay({ phase, onLocks, obstacles }: StayView): boolean {
  const isAboutToBe = phase === 'preparing' && onLocks.length === 0 && obstacles.length === 0;
  return isAboutToBe || onLocks.some(isOnItsWay);
}

function statusOfStay(stay: StayView): ExitStatus {
  const isLeft = stay.phase === 'preparing' && stay.onLocks.length === 0;
  return isLeft ? EXIT_STATUS.failed : statusOfGuest(stay);
}

async function chosenView(tool: AccountTool, wanted: string | undefined): Promise<StaysView> {
  return ofCalendar(await tool.call('stays.list'), await chosenCalendar(tool, wanted));
}

async function chosenCalendar(tool: AccountTool, wanted: string | undefined): Promise<string | null> {
  if (wanted === undefined) {
    return null;
  }
  const { calendars } = await tool.call('stays.list');
  return meantCalendar(wanted, calendars).id;
}

function ofCalendar(view: StaysView, calendar: string | null): StaysView {
  return {
    ...view,
    calendars: view.calendars.filter(({ id }) => calendar === null || id === calendar),
    stays: view.stays.filter(({ calendarId }) => calendar === null || calendarId === calendar),
  };
}

function codeOf(pin: string | undefined): { readonly code?: string } {
  return pin === undefined ? {} : { code: pin };
}
