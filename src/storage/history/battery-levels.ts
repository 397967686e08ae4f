// Keeps the course of each lock's battery in the account's database: once an hour, where a level has changed.
import { type BatteryLevel, withLevel } from '../../domain/history/battery-course.ts';
import type { Lock, LockId } from '../../domain/locks/lock.ts';
import type { Instant } from '../../domain/time/instant.ts';
import type { CancelTimer, Clock } from '../../support/clock.ts';
import { tryDisk } from '../../support/files/try-disk.ts';
import type { Log } from '../../support/log.ts';
import { memberOf } from '../../support/text/foreign-json.ts';
import { t } from '../../words/translate.ts';
import type { Values } from '../account/settings.ts';

const KEY_PREFIX = 'battery.';

const FIRST_AFTER_MS = 60_000;
const READ_EVERY_MS = 3_600_000;

export class BatteryLevels {
  readonly #parts;
  #callOff: CancelTimer | null = null;
  #isClosed = false;

  constructor(parts: {
    readonly storage: {
      readonly settings: Pick<Values, 'read' | 'write'>;
      /** Whether this process may write the account's data. */
      readonly owner: { readonly isHeld: boolean };
    };
    readonly runtime: { locks(): readonly Pick<Lock, 'id' | 'battery'>[] };
    readonly serviceTime: { now(): Instant };
    readonly clock: Pick<Clock, 'after' | 'commits'>;
    readonly log: Log;
  }) {
    this.#parts = parts;
  }

  /** Looks at the levels from time to time: first when the locks have been listed. */
  start(afterMs = FIRST_AFTER_MS): void {
    this.#callOff?.();
    if (this.#isClosed) {
      return;
    }
    this.#callOff = this.#parts.clock.after(afterMs, () => {
      this.#readLevels();
      this.start(READ_EVERY_MS);
    });
  }

  #readLevels(): void {
    const { storage, runtime, serviceTime, clock } = this.#parts;
    const at = serviceTime.now();
    for (const { id, battery } of storage.owner.isHeld ? runtime.locks() : []) {
      const { percent } = battery;
      if (percent !== null) {
        clock.commits.take(() => this.#note(id, { at, percent }));
      }
    }
  }

  /** The oldest level first. */
  course(id: LockId): readonly BatteryLevel[] {
    const kept = this.#attempt(() => this.#parts.storage.settings.read(KEY_PREFIX + id));
    return Array.isArray(kept) ? kept.filter(isLevel) : [];
  }

  close(): void {
    this.#isClosed = true;
    this.#callOff?.();
  }

  #note(id: LockId, level: BatteryLevel): void {
    const before = this.course(id);
    const after = withLevel(before, level);
    if (after !== before && this.#parts.storage.owner.isHeld) {
      this.#attempt(() => this.#parts.storage.settings.write(KEY_PREFIX + id, after));
    }
  }

  #attempt<T>(work: () => T): T | null {
    return tryDisk(this.#parts.log, t('The course of a battery could not be kept'), work);
  }
}

function isLevel(kept: unknown): kept is BatteryLevel {
  const [at, percent] = [memberOf(kept, 'at'), memberOf(kept, 'percent')];
  return typeof at === 'number' && typeof percent === 'number' && percent >= 0 && percent <= 100;
}
