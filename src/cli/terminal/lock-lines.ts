// Lays out locks, changes and instants for a terminal; foreign text cannot carry an escape sequence.
import { folded } from '../../domain/language/folded-text.ts';
import type { Accessor } from '../../domain/locks/access.ts';
import type { BoltPosition } from '../../domain/locks/bolt.ts';
import type { Instant } from '../../domain/time/instant.ts';
import type { LockView } from '../../panel/views/lock.ts';
import { oneLine } from '../../support/log.ts';
import * as locks from '../../words/locks.ts';
import { BOLT_WORDS, batteryWords, boltNews, PRESENCE_WORDS, presenceNews } from '../../words/locks.ts';
import { agoWords } from '../../words/times.ts';
import { t } from '../../words/translate.ts';

export function nameOf(lock: LockView): string {
  return oneLine(locks.nameOf(lock));
}

function movingWords(target: BoltPosition): string {
  return t(target === 'secured' ? 'locking' : 'unlocking');
}

/** The bolt's state, with a running command or the reason why the state is unknown. */
export function stateWords({ bolt, target, presence }: LockView): string {
  const moving = target !== null && target !== bolt ? `, ${movingWords(target)}` : '';
  const note = presence === 'reachable' ? '' : `, ${t(PRESENCE_WORDS[presence])}`;
  return `${t(BOLT_WORDS[bolt])}${moving}${note}`;
}

function batteryCell({ battery }: LockView): string {
  const words = batteryWords(battery);
  return words === '' ? '' : t('battery {charge}', { charge: words });
}

/** With the id of each where it is asked for, and of those whose name another one has. */
export function lockLines(
  all: readonly LockView[],
  now: Instant,
  { withIds = false }: { readonly withIds?: boolean } = {},
): readonly string[] {
  const byName = Map.groupBy(all, (lock) => folded(nameOf(lock)));
  const twins = new Set([...byName.values()].filter(({ length }) => length > 1).flat());
  return columns(
    all.map((lock) => [
      nameOf(lock),
      stateWords(lock),
      lock.confirmedAt === null
        ? t('no update since startup')
        : t('updated {ago}', { ago: agoWords(now - lock.confirmedAt) }),
      batteryCell(lock),
      lock.lastMove === null ? '' : oneLine(boltNews(lock.lastMove.to, lock.lastMove.by)),
      withIds || twins.has(lock) ? oneLine(lock.id) : '',
    ]),
  );
}

/** Visible differences between two views of one lock, one line each; empty when there are none. */
export function changeLines(before: LockView, after: LockView): readonly string[] {
  const lines = [
    after.bolt === before.bolt ? '' : boltNews(after.bolt, newMover(before, after)),
    targetChange(before, after),
    after.presence === before.presence ? '' : presenceNews(after.presence, before.presence),
    after.battery.grade === before.battery.grade ? '' : batteryCell(after),
  ];
  return lines.filter((line) => line !== '').map((line) => `${nameOf(after)}: ${oneLine(line)}`);
}

/** Who made the last move, if the move is new. */
function newMover(before: LockView, { bolt, lastMove }: LockView): Accessor | null {
  return lastMove !== null && lastMove.to === bolt && lastMove.at !== before.lastMove?.at
    ? lastMove.by
    : null;
}

function targetChange({ target: before }: LockView, { target: after, bolt }: LockView): string {
  if (after === before) {
    return '';
  }
  if (after === null) {
    return before === null || before === bolt
      ? ''
      : t(before === 'secured' ? 'couldn’t lock' : 'couldn’t unlock');
  }
  return after === bolt ? '' : movingWords(after);
}

/** An instant in a zone this many minutes ahead of UTC: "2026-04-14 08:15:30 -04:00". */
export function localTime(at: Instant, offsetMinutes: number): string {
  const local = new Date(at + offsetMinutes * 60_000).toISOString();
  const size = Math.abs(offsetMinutes);
  const pad = (value: number): string => String(value).padStart(2, '0');
  const offset = `${offsetMinutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
  return `${local.slice(0, 10)} ${local.slice(11, 19)} ${offset}`;
}

/** Aligns texts in columns, without spaces at the end of a line. */
export function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
