// Writes a history as a CSV or JSON file, part by part.
import type { HistoryCursor } from '../../domain/history/page.ts';
import { csvLine, harmlessCell } from '../../support/text/csv.ts';
import type { ExportFormat, ExportPart, HistoryLineView, HistoryPageView } from '../views/history.ts';

const COLUMNS = ['time', 'lock', 'event', 'person', 'method', 'until', 'service_word', 'entry_id', 'lock_id'];

/** The part of a file that holds this page; the first part begins the file, and the last ends it. */
export function exportPart(
  { lines, next }: HistoryPageView,
  format: ExportFormat,
  below: HistoryCursor | null,
): ExportPart {
  const text =
    format === 'csv' ? csvPart(lines, below === null) : jsonPart(lines, below === null, next === null);
  return { text, lines: lines.length, next };
}

function csvPart(lines: readonly HistoryLineView[], isFirst: boolean): string {
  const rows = lines.map((line) => cellsOf(line).map(harmlessCell));
  return [...(isFirst ? [COLUMNS] : []), ...rows].map((cells) => `${csvLine(cells)}\n`).join('');
}

function cellsOf(line: HistoryLineView): readonly string[] {
  const { lock, lockName, offsetMinutes } = line;
  if (line.what === 'gap') {
    const [from, to] = [line.from, line.to].map((at) => localIso(at, offsetMinutes));
    return [from ?? '', lockName, 'gap', '', '', to ?? '', '', '', lock];
  }
  const { at, what, by, serviceWord = '', id } = line;
  return [localIso(at, offsetMinutes), lockName, what, by.name ?? '', by.method, '', serviceWord, id, lock];
}

function jsonPart(lines: readonly HistoryLineView[], isFirst: boolean, isLast: boolean): string {
  const values = lines.map((line) => JSON.stringify(valueOf(line)));
  const before = isFirst ? '[\n' : values.length > 0 ? ',\n' : '';
  return `${before}${values.join(',\n')}${isLast ? '\n]\n' : ''}`;
}

/** One line with its times spelled out, as the JSON export and `--json` give it. */
export function valueOf(line: HistoryLineView): Readonly<Record<string, unknown>> {
  const { lock, lockName, offsetMinutes } = line;
  const place = { lock: { id: lock, name: lockName } };
  return line.what === 'gap'
    ? {
        event: 'gap',
        from: localIso(line.from, offsetMinutes),
        to: localIso(line.to, offsetMinutes),
        ...place,
      }
    : {
        time: localIso(line.at, offsetMinutes),
        event: line.what,
        ...(line.serviceWord === undefined ? {} : { serviceWord: line.serviceWord }),
        ...place,
        person: line.by.name,
        method: line.by.method,
        id: line.id,
      };
}

const MINUTE_MS = 60_000;

/** ISO 8601 on the lock's clocks: "2026-04-14T08:15:30.250-04:00". */
function localIso(at: number, offsetMinutes: number): string {
  const size = Math.abs(offsetMinutes);
  const [hours, minutes] = [Math.floor(size / 60), size % 60].map((value) => String(value).padStart(2, '0'));
  const local = new Date(at + offsetMinutes * MINUTE_MS).toISOString().slice(0, -1);
  return `${local}${offsetMinutes < 0 ? '-' : '+'}${hours ?? ''}:${minutes ?? ''}`;
}
