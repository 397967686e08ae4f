// Days and hours on the clocks of a zone, written as `2026-12-12` and `15:00`, and back; what was asked is remembered.
import type { Instant } from './instant.ts';
import { instantsOf, type LocalDateTime, type LocalInstants, localTimeAt } from './schedule-time.ts';

export function localOf(day: string, time: string): LocalDateTime {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return { year, month, day: date, hour, minute };
}

/** Zones are slow to ask, and guests arrive and leave at the same few hours. */
const KEPT = 4_000;
const instants = new Map<string, LocalInstants>();
const locals = new Map<string, LocalDateTime>();

/** When that hour of that day is, on the clocks of the zone; remembered. */
export function foundAt(zone: string, day: string, time: string): LocalInstants {
  return remembered(instants, `${zone} ${day} ${time}`, () => instantsOf(zone, localOf(day, time)));
}

/** `localTimeAt`, remembered. */
export function there(zone: string, at: Instant): LocalDateTime {
  return remembered(locals, `${zone} ${String(at)}`, () => localTimeAt(zone, at));
}

function remembered<T>(known: Map<string, T>, key: string, work: () => T): T {
  const before = known.get(key);
  if (before !== undefined) {
    return before;
  }
  if (known.size >= KEPT) {
    known.clear();
  }
  const result = work();
  known.set(key, result);
  return result;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** Such as `2026-12-12`. */
export function localDay(at: Instant, zone: string): string {
  const { year, month, day } = there(zone, at);
  return `${String(year)}-${two(month)}-${two(day)}`;
}

/** Such as `15:00`. */
export function localHour(at: Instant, zone: string): string {
  const { hour, minute } = there(zone, at);
  return `${two(hour)}:${two(minute)}`;
}
