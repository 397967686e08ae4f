// Keeps the course of each lock's battery in the account's database: once an hour, where a level has changed.
import { z } from 'zod';
import { type BatteryLevel, withLevel } from '../../domain/history/battery-course.ts';
import type { Lock, LockId } from '../../domain/locks/lock.ts';
import type { Instant } from '../../domain/time/instant.ts';
import type { Values } from '../../storage/account/settings.ts';
import type { CancelTimer, Clock } from '../../support/clock.ts';
import { tryDisk } from '../../support/files/try-disk.ts';
import type { Log } from '../../support/log.ts';
import { t } from '../../words/translate.ts';

export interface BatteryLevelParts {
  readonly settings: Pick<Values, 'read' | 'write'>;
  readonly locks: () => readonly Pick<Lock, 'id' | 'battery'>[];
  /** The service's time. */
  readonly now: () => Instant;
  /** This process may write the account's data. */
  readonly isOwned: () => boolean;
  readonly clock: Pick<Clock, 'after' | 'commits'>;
  readonly log: Log;
}

const KEY_PREFIX = 'battery.';

const FIRST_AFTER_MS = 60_000;
const LOOK_EVERY_MS = 3_600_000;

const courseForm = z.array(z.object({ at: z.number(), percent: z.number().min(0).max(100) })).max(1_000);

export class BatteryLevels {
  readonly #parts: BatteryLevelParts;
  #callOff: CancelTimer | null = null;

  constructor(parts: BatteryLevelParts) {
    this.#parts = parts;
  }

  /** Looks at the levels from time to time: first when the locks have been listed. */
  start(afterMs = FIRST_AFTER_MS): void {
    this.#callOff?.();
    this.#callOff = this.#parts.clock.after(afterMs, () => {
      this.#look();
      this.start(LOOK_EVERY_MS);
    });
  }

  #look(): void {
    const { locks, now, isOwned, clock } = this.#parts;
    const at = now();
    for (const { id, battery } of isOwned() ? locks() : []) {
      const { percent } = battery;
      if (percent !== null) {
        clock.commits.take(() => this.#note(id, { at, percent }));
      }
    }
  }

  /** The oldest level first. */
  course(id: LockId): readonly BatteryLevel[] {
    const kept = this.#attempt(() => this.#parts.settings.read(KEY_PREFIX + id));
    return courseForm.safeParse(kept).data ?? [];
  }

  close(): void {
    this.#callOff?.();
  }

  #note(id: LockId, level: BatteryLevel): void {
    const before = this.course(id);
    const after = withLevel(before, level);
    if (after !== before && this.#parts.isOwned()) {
      this.#attempt(() => this.#parts.settings.write(KEY_PREFIX + id, after));
    }
  }

  #attempt<T>(work: () => T): T | null {
    return tryDisk(this.#parts.log, t('The course of a battery could not be kept'), work);
  }
}
