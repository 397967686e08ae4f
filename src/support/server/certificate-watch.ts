// Takes a renewed certificate into use without a restart, and warns before the one in use ends.
import {
  type CertificateDates,
  type CertificateOption,
  type CertificateState,
  type CertificateView,
  certificateView,
} from '../../domain/account/certificate-policy.ts';
import type { Message } from '../../domain/language/message.ts';
import { certificateWords, formerStays, renewedWords } from '../../words/certificates.ts';
import { t } from '../../words/translate.ts';
import type { CancelTimer, Clock } from '../clock.ts';
import { wordsOf } from '../errors.ts';
import type { Log } from '../log.ts';
import { type CertificatePair, datesOf } from './certificate.ts';

/** Files are checked every hour, in milliseconds (our choice): a renewal comes days before it is needed. */
const READ_EVERY_MS = 3_600_000;

/** Files that did not change for this long are completely written, in milliseconds (our choice). */
const SETTLED_AFTER_MS = 10_000;

export class CertificateWatch {
  readonly #parts;
  #inUse: CertificatePair;
  #dates: CertificateDates;
  /** A different pair of files that the last check found; null when it was the one in use. */
  #found: CertificatePair | null = null;
  /** The logged reason for which the former stays in use; null without one. */
  #refused: Message | null = null;
  /** The state of the one in use at the last check: each is logged once. */
  #warnedOf: CertificateState = 'good';
  #cancel: CancelTimer;

  /** Throws `bad-configuration` for a pair that cannot be used. */
  constructor(parts: {
    readonly option: CertificateOption;
    readonly clock: Clock;
    readonly log: Log;
    readonly pair: CertificatePair;
    /** Reads the files again. Throws when one of them cannot be read. */
    readonly read: () => CertificatePair;
    /** Takes the files into use. */
    readonly use: (pair: CertificatePair) => void;
  }) {
    this.#parts = parts;
    this.#inUse = parts.pair;
    this.#dates = datesOf(parts.pair, parts.option);
    this.#warn();
    this.#cancel = this.#readAfter(READ_EVERY_MS);
  }

  view(): CertificateView {
    const { option, clock } = this.#parts;
    return { ...certificateView(option, this.#dates, clock.now()), refused: this.#refused };
  }

  dispose(): void {
    this.#cancel();
  }

  #readAfter(delayMs: number): CancelTimer {
    return this.#parts.clock.after(delayMs, () => {
      this.#cancel = this.#readAfter(this.#read());
      this.#warn();
    });
  }

  /** Returns how long until the next look, in milliseconds. */
  #read(): number {
    try {
      return this.#judge(this.#parts.read());
    } catch (error) {
      this.#refuse(wordsOf(error));
      return READ_EVERY_MS;
    }
  }

  #judge(pair: CertificatePair): number {
    const before = this.#found;
    this.#found = isSame(pair, this.#inUse) ? null : pair;
    if (this.#found === null) {
      this.#refused = null;
      return READ_EVERY_MS;
    }
    if (before === null || !isSame(pair, before)) {
      return SETTLED_AFTER_MS;
    }
    this.#renew(pair);
    return READ_EVERY_MS;
  }

  /** One that has ended, or is not valid yet, is worse than any that is in use (faults#182). */
  #renew(pair: CertificatePair): void {
    const { option, clock, use, log } = this.#parts;
    const dates = datesOf(pair, option);
    const view = certificateView(option, dates, clock.now());
    const fault = certificateWords(view);
    if (fault !== null && view.state !== 'ending') {
      this.#refuse(fault.what);
      return;
    }
    use(pair);
    this.#inUse = pair;
    this.#dates = dates;
    this.#found = null;
    this.#refused = null;
    this.#warnedOf = 'good';
    log.info(renewedWords(option));
  }

  /** Logged once for each reason. */
  #refuse(why: Message): void {
    const { option, log } = this.#parts;
    const words = formerStays(option, why);
    const former = this.#refused;
    this.#refused = words;
    if (former === null || t(former) !== t(words)) {
      log.warn(t(words));
    }
  }

  /** Logged once when the one in use begins to end, and once when it has. */
  #warn(): void {
    const view = this.view();
    const fault = certificateWords(view);
    if (view.state !== this.#warnedOf && fault !== null) {
      this.#parts.log.warn(`${t(fault.what)} ${t(fault.remedy)}`);
    }
    this.#warnedOf = view.state;
  }
}

function isSame(a: CertificatePair, b: CertificatePair): boolean {
  return a.cert === b.cert && a.key === b.key;
}
