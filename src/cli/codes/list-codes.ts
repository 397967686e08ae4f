// `latchkey codes list` and `codes confirm`: who may open a lock, or each of them, when, and how it stands; after a restore a person says who may come in all the same.

import type { Command } from 'commander';
import type { LockCodes } from '../../panel/operations/codes.ts';
import type { GuestView } from '../../panel/operations/guests.ts';
import type { LockView } from '../../panel/views/lock.ts';
import { oneLine } from '../../support/log.ts';
import type { AccountTool } from '../../tools/account-tool.ts';
import { guestWhen, locksWords, oldFileWords } from '../../words/guests.ts';
import { shownSchedule } from '../../words/schedules.ts';
import { t } from '../../words/translate.ts';
import type { CommonFlags, End } from '../account/account-command.ts';
import { type Verb, verbs } from '../account/verb.ts';
import { EXIT_STATUS } from '../terminal/exit-status.ts';
import { sendChange } from '../terminal/followed-reading.ts';
import { confirm } from '../terminal/hidden-typing.ts';
import { nameOf } from '../terminal/lock-lines.ts';
import { askedLocks, listedLocks, meant } from '../terminal/lock-names.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { sayUnread, standingLine } from './following.ts';

export const list: Verb<CommonFlags & { readonly reveal?: boolean }> = async (
  { session, output },
  { reveal = false },
  [wanted],
) => {
  const tool = await session.tool();
  const locks = wanted === undefined ? await listedLocks(tool) : await askedLocks(tool, [wanted]);
  const all: unknown[] = [];
  const lines: string[] = [];
  const guests = await tool.call('guests.list');
  for (const lock of locks) {
    const listed = await tool.call('codes.list', { lock: lock.id });
    const shown = listed.codes.filter(({ pinLength }) => reveal && pinLength > 0);
    const pins = await pinsOf(shown, async (code) => tool.call('codes.reveal', { lock: lock.id, code }));
    const codes = listed.codes.map((code) => (reveal ? { ...code, code: pins.get(code.id) } : code));
    const open = openOn(lock, guests);
    all.push({ lock: lock.id, name: lock.description.name, ...listed, codes, open });
    lines.push(
      ...listLines(lock, listed, pins),
      ...open.map(({ guest, standing }) => row(guest, oneLine(standing))),
    );
  }
  await sayUnread(tool, output);
  output.answer(all, lines);
  return EXIT_STATUS.ok;
};

/** Guests whose code does not stand on the lock as it is wanted there, or gone. */
function openOn({ id }: LockView, guests: readonly GuestView[]) {
  return guests.flatMap(({ name: guest, timeZone, onLocks }) =>
    onLocks
      .filter(({ lockId, standing }) => lockId === id && standing.kind !== 'up-to-date')
      .map(({ standing, isLeaving }) => ({ guest, standing: standingLine(standing, isLeaving, timeZone) })),
  );
}

/** A line of the list: a name in its column, and what is said of it. */
function row(name: string, words: string): string {
  return `  ${oneLine(name).padEnd(24)}  ${words}`;
}

/** The digits of each of them, by its id, one call after the other. */
export async function pinsOf(
  all: readonly { readonly id: string }[],
  reveal: (id: string) => Promise<{ readonly pin: string }>,
): Promise<ReadonlyMap<string, string>> {
  const pins = new Map<string, string>();
  for (const { id } of all) {
    pins.set(id, (await reveal(id)).pin);
  }
  return pins;
}

function listLines(
  lock: LockView,
  { codes, strays, timeZone }: LockCodes,
  pins: ReadonlyMap<string, string>,
): readonly string[] {
  const rows = codes.map(({ id, name, pinLength, schedule, readOnly, guest }) => {
    const mark = guest === null ? '' : `  (${t('guest {name}', { name: oneLine(guest) })})`;
    const digits = pins.get(id) ?? (pinLength === 0 ? t('hidden') : '•'.repeat(pinLength));
    const kept = readOnly ? `  (${t('read-only')})` : '';
    return row(name, `${digits.padEnd(8)}  ${shownSchedule(schedule, timeZone)}${kept}${mark}`);
  });
  const odd = strays.map(
    ({ codeId, only }) =>
      `  ${t(
        only === 'list'
          ? '{id}: only the list has this code; remove it by its id'
          : '{id}: only the lock has this code; remove it by its id',
        { id: oneLine(codeId) },
      )}`,
  );
  const count = t('{count, plural, one {# code} other {# codes}}', { count: codes.length });
  return [`${nameOf(lock)}: ${count}`, ...rows, ...odd];
}

interface ConfirmFlags extends CommonFlags {
  readonly yes?: boolean;
}

export function codesConfirmCommand(terminal: Terminal, end: End): Command {
  return verbs<ConfirmFlags>(terminal, end)(
    'confirm',
    t('after a restore: confirm who may still come in, and list the codes that belong to nobody here'),
    [['[guests...]', t('their names; all of them if left out')]],
    confirmGuests,
  ).option('--yes', t('do not ask'));
}

const confirmGuests: Verb<ConfirmFlags> = async (context, { yes = false }, names) => {
  const { session, output } = context;
  const tool = await session.tool();
  const { old } = await tool.call('codes.proposals');
  const proposed = (await tool.call('guests.list')).filter(({ isProposed }) => isProposed);
  const meantGuest = (name: string): GuestView =>
    meant(name, proposed, t('Nobody who waits to be confirmed is called "{name}".', { name: oneLine(name) }));
  const chosen = names.length === 0 ? proposed : names.map(meantGuest);
  const others = await codesOfNobody(tool);
  if (old !== null) {
    output.progress(t(oldFileWords(old)));
  }
  output.answer({ old, guests: chosen, others }, [
    ...chosen.map((guest) =>
      oneLine(`${guest.name}: ${guestWhen(guest, shownSchedule)}, ${locksWords(guest)}`),
    ),
    ...others.map(({ lock, name }) =>
      t('{lock}, {name}: belongs to nobody here. Remove it with: {command}', {
        lock,
        name: oneLine(name),
        command: `latchkey codes remove "${lock}" "${oneLine(name)}"`,
      }),
    ),
  ]);
  if (chosen.length === 0) {
    output.progress(t('Nobody waits to be confirmed.'));
    return EXIT_STATUS.ok;
  }
  if (!yes) {
    const question = t(
      '{count, plural, one {May this one} other {May these #}} still come in? Type {yes}. Remove the others with: {command}',
      { count: chosen.length, yes: 'yes', command: 'latchkey guests remove' },
    );
    await confirm(context, question, t('Nothing was changed.'));
  }
  const guests = chosen.map(({ id }) => id);
  await sendChange(t('The guests'), async () => tool.call('codes.confirm', { guests }));
  output.progress(
    t('{count, plural, one {Confirmed: # guest.} other {Confirmed: # guests.}}', { count: guests.length }),
  );
  return EXIT_STATUS.ok;
};

/** Codes on the locks that belong to no stored guest: somebody may have made them, or they were forgotten by the restore. */
async function codesOfNobody(tool: AccountTool) {
  const others: { readonly lock: string; readonly name: string }[] = [];
  for (const lock of await tool.call('locks')) {
    const { codes } = await tool.call('codes.list', { lock: lock.id });
    const ofNobody = codes.filter(({ guest }) => guest === null);
    others.push(...ofNobody.map(({ name }) => ({ lock: nameOf(lock), name })));
  }
  return others;
}
