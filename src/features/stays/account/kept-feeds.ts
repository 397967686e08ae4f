// The secret addresses of feeds: only a digest of each is stored, so that an address can be withdrawn but not read.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Values } from '../../../storage/account/settings.ts';
import type { Clock } from '../../../support/clock.ts';
import { WaitError } from '../../../support/errors.ts';
import { isObject } from '../../../support/text/foreign-json.ts';
import { TokenBucket, type TokenBucketLimits } from '../../../support/token-bucket.ts';
import { isDated } from '../../../words/stay-names.ts';
import type { StayView } from '../panel/views.ts';
import { type Feed, feedText } from '../policy/stay-feed.ts';

/** The key of a stored digest; the calendar's id follows. */
const FEED = 'calendar-feed:';
const SECRET_BYTES = 32;

/** An entry has a length, also of a guest who left at once. */
const MINUTE_MS = 60_000;

/** Enough for readers of every calendar at once (our choice). */
const READINGS: TokenBucketLimits = { burst: 400, everyMs: 250 };

export class KeptFeeds {
  readonly #secrets: Omit<Values, 'all'>;
  readonly #readings: TokenBucket;

  constructor(secrets: Omit<Values, 'all'>, clock: Clock) {
    this.#secrets = secrets;
    this.#readings = new TokenBucket(clock, READINGS);
  }

  has(calendar: string): boolean {
    return this.#secrets.read(FEED + calendar) !== undefined;
  }

  /** A new secret, which ends the former one. It is returned this once. Throws storage errors. */
  make(calendar: string): string {
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    this.#secrets.write(FEED + calendar, { digest: digestOf(secret).toString('base64url') });
    return secret;
  }

  /** Throws storage errors. */
  withdraw(calendar: string): void {
    this.#secrets.erase(FEED + calendar);
  }

  /**
   * The calendar with this secret; undefined: none has it. Every digest is compared, so that the time tells nothing.
   * Throws wait (`rate-limited`) where feeds are read too often.
   */
  of<Calendar extends { readonly id: string }>(
    secret: string,
    calendars: readonly Calendar[],
  ): Calendar | undefined {
    const sent = digestOf(secret);
    const matches = calendars.map(({ id }) => isSame(this.#digestOf(id), sent));
    const found = calendars[matches.indexOf(true)];
    const waitMs = found === undefined ? null : this.#readings.take();
    if (waitMs !== null) {
      throw new WaitError('rate-limited', 'This calendar is read too often.', waitMs);
    }
    return found;
  }

  #digestOf(calendar: string): Buffer {
    const kept = this.#secrets.read(FEED + calendar);
    const digest = isObject(kept) ? kept['digest'] : null;
    return Buffer.from(typeof digest === 'string' ? digest : '', 'base64url');
  }
}

/** `secret`: of the address, so that nobody without it can tell whose entry an id is. */
export function feedOf(
  flat: string,
  stays: readonly StayView[],
  { secret, now }: { readonly secret: string } & Pick<Feed, 'now'>,
): string {
  // As for cleaners: a skipped stay may be a guest with another key, and a guest who was seen counts.
  const shown = stays.filter(({ isCancelled, arrivedAt }) => !isCancelled || arrivedAt !== null);
  return feedText({
    flat,
    now,
    entries: shown.map(({ id, name, arrivalAt, departureAt, checkedOutAt }) => ({
      uid: uidOf(id, secret),
      guest: isDated(name) ? null : name,
      arrivalAt,
      departureAt: Math.min(departureAt, Math.max(checkedOutAt ?? departureAt, arrivalAt + MINUTE_MS)),
    })),
  });
}

/** Of letters alone: no digit of it can be taken for one of a code. */
function uidOf(stay: string, secret: string): string {
  const hex = createHmac('sha256', secret).update(stay).digest('hex');
  const letters = hex.replaceAll(/\d/gu, (digit) => String.fromCodePoint('g'.charCodeAt(0) + Number(digit)));
  return `${letters}@homebridge-latchkey`;
}

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

function isSame(known: Buffer, sent: Buffer): boolean {
  return known.length === sent.length && timingSafeEqual(known, sent);
}
