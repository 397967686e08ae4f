// Warns once of a lock whose own clock disagrees with its configured time zone: schedules would open at other times.
import type { LockId } from '../../domain/lock.ts';
import type { ServiceClock } from '../../domain/ports.ts';
import { offsetMinutesAt } from '../../domain/schedule-time.ts';
import { type Log, oneLine } from '../../support/log.ts';
import type { LockStore } from '../state/lock-store.ts';

export interface ZoneCheckParts {
  readonly locks: Pick<LockStore, 'get'>;
  readonly zoneOf: (id: LockId) => string;
  readonly serviceClock: ServiceClock;
  readonly log: Log;
}

/** The service learns of a change of daylight saving up to a day late (our choice). */
const CHANGE_READ_MS = 86_400_000;

export class ZoneCheck {
  readonly #parts: ZoneCheckParts;
  readonly #warned = new Set<LockId>();

  constructor(parts: ZoneCheckParts) {
    this.#parts = parts;
  }

  check(id: LockId): void {
    const { locks, zoneOf, serviceClock, log } = this.#parts;
    const lock = locks.get(id);
    const offset = lock?.device?.offsetMinutes ?? null;
    if (lock === undefined || offset === null || this.#warned.has(id)) {
      return;
    }
    const zone = zoneOf(id);
    const now = serviceClock.now();
    const near = [now, now - CHANGE_READ_MS, now + CHANGE_READ_MS].map((at) => offsetMinutesAt(zone, at));
    if (!near.includes(offset)) {
      this.#warned.add(id);
      log.warn(
        oneLine(
          `${lock.description.name}: its clock is at ${words(offset)}, but the time zone ${zone} is at ${words(near[0] ?? 0)} now. ` +
            'Set the lock’s timeZone option, or schedules of its access codes open at the wrong time.',
        ),
      );
    }
  }
}

function words(offset: number): string {
  const away = Math.abs(offset);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `UTC${offset < 0 ? '-' : '+'}${two(Math.floor(away / 60))}:${two(away % 60)}`;
}
