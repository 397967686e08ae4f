// The time zone of each lock; warns once of a lock whose clock disagrees with its option, because schedules would open at other times.
import { type CodeSchedule, sameSchedule } from '../../domain/codes/access-code.ts';
import type { CodeFault } from '../../domain/codes/access-code-policy.ts';
import { type LockZone, zoneFault, zoneOfLock } from '../../domain/codes/lock-zone.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import type { ServiceClock } from '../../domain/ports.ts';
import { mayBeAt, offsetMinutesAt, offsetZone, zoneName } from '../../domain/time/schedule-time.ts';
import { type Log, oneLine } from '../../support/log.ts';
import { t } from '../../words/translate.ts';
import type { LockStore } from '../locks/lock-store.ts';

export interface LockZonesParts {
  readonly locks: Pick<LockStore, 'get'>;
  /** The zone of the lock's option; null where it has none. */
  readonly writtenZone: (id: LockId) => string | null;
  /** The zone of this machine. Asked for when it is needed: V8 reads its data on time zones for the answer. */
  readonly machineZone: () => string;
  readonly serviceClock: ServiceClock;
  readonly log: Log;
}

export class LockZones {
  readonly #parts: LockZonesParts;
  readonly #warned = new Set<LockId>();

  constructor(parts: LockZonesParts) {
    this.#parts = parts;
  }

  of(id: LockId): LockZone {
    const { locks, writtenZone, machineZone, serviceClock } = this.#parts;
    const offsetMinutes = locks.get(id)?.device?.offsetMinutes ?? null;
    return zoneOfLock({
      written: writtenZone(id),
      offsetMinutes,
      machineZone: machineZone(),
      now: serviceClock.now(),
    });
  }

  /** The lock will say its offset with the first list, and nothing else says its zone. */
  isAwaited(id: LockId): boolean {
    const lock = this.#parts.locks.get(id);
    return lock?.device === null && lock.presence !== 'missing' && this.#parts.writtenZone(id) === null;
  }

  /** Why dates that were meant on the clocks of this lock cannot be placed; `before`: those that were accepted. */
  faults(id: LockId, schedule: CodeSchedule, before?: CodeSchedule): readonly CodeFault[] {
    this.check(id);
    const isKept = before !== undefined && sameSchedule(schedule, before);
    const fault = isKept ? null : zoneFault(schedule, this.of(id), this.#parts.serviceClock.now());
    return fault === null ? [] : [fault];
  }

  check(id: LockId): void {
    const { locks, writtenZone, serviceClock, log } = this.#parts;
    const lock = locks.get(id);
    const offset = lock?.device?.offsetMinutes ?? null;
    const zone = writtenZone(id);
    const now = serviceClock.now();
    if (lock === undefined || offset === null || zone === null || this.#warned.has(id)) {
      return;
    }
    if (!mayBeAt(zone, offset, now)) {
      const [own, written] = [offset, offsetMinutesAt(zone, now)].map((minutes) =>
        zoneName(offsetZone(minutes)),
      );
      this.#warned.add(id);
      log.warn(
        t(
          '{name}: its clock is at {own}, but its {option} option {zone} is at {written} now. Correct the option, or schedules of its access codes open at the wrong time.',
          {
            name: oneLine(lock.description.name),
            own: own ?? '',
            option: 'timeZone',
            zone,
            written: written ?? '',
          },
        ),
      );
    }
  }
}
