// Stores what the file says of its own age among the settings.
import { NEVER_USED, type OldFile, type UseOfFile } from '../../domain/codes/file-age.ts';
import type { FileAgeStore } from '../../domain/codes/ports.ts';
import type { Instant } from '../../domain/time/instant.ts';
import { isObject } from '../../support/text/foreign-json.ts';
import { moveMarkIn } from '../account/move-mark.ts';
import type { Values } from '../account/settings.ts';

const USE = 'use-of-file';

export class KeptFileAge implements FileAgeStore {
  readonly #settings: Values;
  readonly #renewedAt: () => Instant | null;

  /** `renewedAt`: when the stored sign-in was renewed. */
  constructor(settings: Values, renewedAt: () => Instant | null) {
    this.#settings = settings;
    this.#renewedAt = renewedAt;
  }

  restored(): OldFile | null {
    const mark = moveMarkIn(this.#settings);
    // With a backup that gave the account up, nothing went on behind it.
    return mark?.kind === 'restored' && !mark.stopped
      ? { because: 'restored', at: mark.at, madeAt: mark.madeAt }
      : null;
  }

  use(): UseOfFile {
    const kept = this.#settings.read(USE);
    if (!isUse(kept) || kept.lastUsedAt === null) {
      return isUse(kept) ? kept : NEVER_USED;
    }
    return { ...kept, lastUsedAt: Math.max(kept.lastUsedAt, this.#renewedAt() ?? 0) };
  }

  saveUse(use: UseOfFile): void {
    this.#settings.write(USE, use);
  }
}

/** Only this class writes it; it leaves that of another version alone. */
function isUse(value: unknown): value is UseOfFile {
  return isObject(value) && Array.isArray(value['unused']) && 'lastUsedAt' in value && 'askedAt' in value;
}
