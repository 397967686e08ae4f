// The history of a lock as people read it: in the lock's time zone, and without names that may be secrets.

import type { HistoryEntry, HistoryLine, HistoryQuestion } from '../../domain/history/history.ts';
import { speakableAccessor } from '../../domain/locks/access.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import type { Historian, HistoryAnswer } from '../../engine/history/history-reader.ts';
import { nearestOffsets, offsetsIn } from '../../support/zone-offset.ts';

export class LockHistoryReader implements Historian {
  readonly #history: Historian;
  readonly #zoneOf: (id: LockId) => string | null;

  /** `zoneOf`: the IANA name of a lock's zone; null where the offset that the service gives is taken. */
  constructor(history: Historian, zoneOf: (id: LockId) => string | null) {
    this.#history = history;
    this.#zoneOf = zoneOf;
  }

  async history(id: LockId, question: HistoryQuestion): Promise<HistoryAnswer> {
    const answer = await this.#history.history(id, question);
    const zone = question.deviceTime ? this.#zoneOf(id) : null;
    const offsetAt = zone === null ? null : offsetsIn(zone);
    // A webhook names no offset: its entry takes that of the nearest entry which the service listed.
    const nearestAt = nearestOffsets(answer.lines.filter((line) => line.what !== 'gap'));
    const offsetOf = (entry: HistoryEntry): number | null =>
      question.deviceTime ? (offsetAt?.(entry.at) ?? entry.offsetMinutes ?? nearestAt(entry.at)) : null;
    const readableLine = (line: HistoryLine): HistoryLine =>
      line.what === 'gap' ? line : readable(line, offsetOf(line));
    return { ...answer, lines: answer.lines.map(readableLine) };
  }
}

function readable(entry: HistoryEntry, offsetMinutes: number | null): HistoryEntry {
  return { ...entry, offsetMinutes, by: speakableAccessor(entry.by) };
}
