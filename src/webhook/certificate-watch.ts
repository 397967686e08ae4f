// Takes a renewed certificate into use without a restart, once its files have stopped changing.
import type { CancelTimer, Clock } from '../support/clock.ts';
import { messageOf } from '../support/errors.ts';
import type { Log } from '../support/log.ts';
import { t } from '../words/translate.ts';

export interface CertificatePair {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateWatchParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly pair: CertificatePair;
  /** Reads the files again. Throws when one of them cannot be read. */
  readonly read: () => CertificatePair;
  /** Takes the files into use. Throws when they cannot be used; the former ones stay in use then. */
  readonly use: (pair: CertificatePair) => void;
}

/** Files are checked every hour, in milliseconds (our choice): a renewal comes days before it is needed. */
const LOOKS_EVERY_MS = 3_600_000;

/** Files that did not change for this long are completely written, in milliseconds (our choice). */
const SETTLED_AFTER_MS = 10_000;

export class CertificateWatch {
  readonly #parts: CertificateWatchParts;
  #inUse: CertificatePair;
  /** A different pair of files that the last check found; null when it was the one in use. */
  #found: CertificatePair | null = null;
  /** The logged fault that still lasts; null without one. */
  #trouble: string | null = null;
  #cancel: CancelTimer;

  constructor(parts: CertificateWatchParts) {
    this.#parts = parts;
    this.#inUse = parts.pair;
    this.#cancel = this.#lookAfter(LOOKS_EVERY_MS);
  }

  dispose(): void {
    this.#cancel();
  }

  #lookAfter(delayMs: number): CancelTimer {
    return this.#parts.clock.after(delayMs, () => {
      this.#cancel = this.#lookAfter(this.#look());
    });
  }

  /** Returns how long until the next look, in milliseconds. */
  #look(): number {
    try {
      return this.#judge(this.#parts.read());
    } catch (error) {
      const trouble = messageOf(error);
      if (trouble !== this.#trouble) {
        this.#trouble = trouble;
        this.#parts.log.warn(`${t('The former certificate of webhooks stays in use.')} ${trouble}`);
      }
      return LOOKS_EVERY_MS;
    }
  }

  #judge(pair: CertificatePair): number {
    const before = this.#found;
    this.#found = isSame(pair, this.#inUse) ? null : pair;
    if (this.#found === null) {
      this.#trouble = null;
      return LOOKS_EVERY_MS;
    }
    if (before === null || !isSame(pair, before)) {
      return SETTLED_AFTER_MS;
    }
    this.#parts.use(pair);
    this.#inUse = pair;
    this.#found = null;
    this.#trouble = null;
    this.#parts.log.info(t('The certificate of webhooks was renewed, and is in use from now on.'));
    return LOOKS_EVERY_MS;
  }
}

function isSame(a: CertificatePair, b: CertificatePair): boolean {
  return a.cert === b.cert && a.key === b.key;
}
