// `latchkey codes list`: who may open a lock, or each of them, when, and how it stands: listed codes, and guests whose code is not there.
import type { LockCodes } from '../../panel/operations/codes.ts';
import type { GuestView } from '../../panel/operations/guests.ts';
import type { LockView } from '../../panel/views/lock.ts';
import { oneLine } from '../../support/log.ts';
import { shownSchedule } from '../../words/schedules.ts';
import { t } from '../../words/translate.ts';
import type { CommonFlags } from '../account/account-command.ts';
import type { Verb } from '../account/verb.ts';
import { EXIT_STATUS } from '../terminal/exit-status.ts';
import { nameOf } from '../terminal/lock-lines.ts';
import { askedLocks } from '../terminal/lock-names.ts';
import { standingLine } from './following.ts';

export const list: Verb<CommonFlags & { readonly reveal?: boolean }> = async (
  { session, output },
  { reveal = false },
  [wanted],
) => {
  const tool = await session.tool();
  const locks = wanted === undefined ? await tool.call('locks') : await askedLocks(tool, [wanted]);
  const all: unknown[] = [];
  const lines: string[] = [];
  const guests = await tool.call('guests.list');
  for (const lock of locks) {
    const listed = await tool.call('codes.list', { lock: lock.id });
    const pins = await pinsOf(reveal ? listed.codes : [], async (code) =>
      tool.call('codes.reveal', { lock: lock.id, code }),
    );
    const marked = listed.codes.map((code) => ({ ...code, guest: guestOf(lock, code, guests) }));
    const codes = marked.map((code) => (reveal ? { ...code, code: pins.get(code.id) } : code));
    const open = openOn(lock, guests);
    all.push({ lock: lock.id, name: lock.description.name, ...listed, codes, open });
    lines.push(...listLines(lock, { ...listed, codes: marked }, pins), ...open.map(openLine));
  }
  output.answer(all, lines);
  return EXIT_STATUS.ok;
};

/** A guest whose code does not stand on the lock as it is wanted there, or gone. */
interface OpenGuest {
  readonly guest: string;
  readonly standing: string;
}

function openOn({ id }: LockView, guests: readonly GuestView[]): readonly OpenGuest[] {
  return guests.flatMap(({ name, timeZone, onLocks }) =>
    onLocks
      .filter(({ lockId, standing }) => lockId === id && standing.kind !== 'up-to-date')
      .map(({ standing, isLeaving }) => ({
        guest: name,
        standing: standingLine(standing, isLeaving, timeZone),
      })),
  );
}

function openLine({ guest, standing }: OpenGuest): string {
  return `  ${oneLine(guest).padEnd(24)}  ${oneLine(standing)}`;
}

/** `guest`: the name of the code's owner; null: it has none. */
type MarkedCode = LockCodes['codes'][number] & { readonly guest: string | null };

/** Null: it is nobody's. */
export function guestOf(
  lock: LockView,
  { id }: { readonly id: string },
  guests: readonly GuestView[],
): string | null {
  const guest = guests.find(({ onLocks }) =>
    onLocks.some(({ lockId, codeId }) => lockId === lock.id && codeId === id),
  );
  return guest?.name ?? null;
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
  { codes, strays, timeZone }: Omit<LockCodes, 'codes'> & { readonly codes: readonly MarkedCode[] },
  pins: ReadonlyMap<string, string>,
): readonly string[] {
  const rows = codes.map(({ id, name, pinLength, schedule, readOnly, guest }) => {
    const mark = guest === null ? '' : `  (${t('guest {name}', { name: oneLine(guest) })})`;
    const digits = pins.get(id) ?? '•'.repeat(pinLength);
    return `  ${oneLine(name).padEnd(24)}  ${digits.padEnd(8)}  ${shownSchedule(schedule, timeZone)}${readOnly ? `  (${t('read-only')})` : ''}${mark}`;
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
