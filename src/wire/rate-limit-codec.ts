// Reads the wait that the service asks for: from its headers in either form, or from its sentence.

import type { RateFacts } from '../domain/polling/rate-facts.ts';
import type { Instant } from '../domain/time/instant.ts';
import { HEADERS, type Headers } from './endpoints.ts';

/** Smaller numbers cannot be epoch milliseconds of this century, larger ones cannot be epoch seconds. */
const FIRST_EPOCH_MILLISECOND_COUNT = 100_000_000_000;

/** Smaller numbers are no epoch seconds of this century: some services write a wait in their place, which would seem to be over. */
const FIRST_EPOCH_SECOND_COUNT = 1_000_000_000;

/** ISO 8601, or the date of HTTP: `Date` would read much else as some date. */
const DATE_FORM = /^\d{4}-\d{2}-\d{2}T|^[A-Z][a-z]{2}, .+ GMT$/;

/** ISO 8601 without a zone: `Date` would read it in the zone of this machine, and the service writes UTC (specification, same part). */
const WITHOUT_ZONE = /^\d{4}-\d{2}-\d{2}T[\d:.]+$/;

/** A time in whole seconds may lie this far behind the instant that it stands for, in milliseconds. */
const ROUNDING_MS = 1_000;

/**
 * The wait that an answer names, in milliseconds, never negative; null when it names none. `now` is the service's time,
 * because its reset times are. A time that has passed is no wait: two clocks disagree, and the rest counts. Order: seconds in a
 * header, the time of reset, seconds in the sentence (specification, Rate-limit response headers and Rate limit error).
 */
export function decodeWait(headers: Headers, sentence: string, now: Instant): number | null {
  return (
    notPassed(retryAfterMs(headers[HEADERS.retryAfter], now)) ??
    notPassed(retryAfterMs(headers[HEADERS.rateRetryAfter], now)) ??
    notPassed(untilMs(headers[HEADERS.rateLimitReset], now)) ??
    secondsMs(/(?<seconds>\d+)\s*s(?:ec|econds?|ecs)?\b/i.exec(sentence)?.groups?.['seconds'])
  );
}

function notPassed(waitMs: number | null): number | null {
  return waitMs === null || waitMs <= -ROUNDING_MS ? null : Math.max(waitMs, 0);
}

/** The rate window reported by any answer (specification, Rate-limit response headers); null for a missing or implausible member. */
export function decodeRateFacts(headers: Headers): RateFacts {
  return {
    limit: countOf(headers[HEADERS.rateLimit]),
    remaining: countOf(headers[HEADERS.rateLimitRemaining]),
    reset: untilMs(headers[HEADERS.rateLimitReset], 0),
    date: dateMs(headers[HEADERS.date]?.trim() ?? '', 0),
  };
}

function countOf(value: string | undefined): number | null {
  const text = value?.trim() ?? '';
  return /^\d{1,7}$/.test(text) ? Number(text) : null;
}

/** Delta seconds, or a date (RFC 9110, 10.2.3). */
function retryAfterMs(value: string | undefined, now: Instant): number | null {
  const text = value?.trim() ?? '';
  return /^\d+(?:\.\d+)?$/.test(text) ? secondsMs(text) : dateMs(text, now);
}

function untilMs(value: string | undefined, now: Instant): number | null {
  const text = value?.trim() ?? '';
  if (!/^\d+$/.test(text)) {
    return dateMs(text, now);
  }
  const count = Number(text);
  if (count < FIRST_EPOCH_SECOND_COUNT) {
    return null;
  }
  return (count < FIRST_EPOCH_MILLISECOND_COUNT ? count * 1_000 : count) - now;
}

function dateMs(text: string, now: Instant): number | null {
  const zoned = WITHOUT_ZONE.test(text) ? `${text}Z` : text;
  const at = DATE_FORM.test(text) ? new Date(zoned).getTime() : Number.NaN;
  return Number.isFinite(at) ? at - now : null;
}

function secondsMs(text: string | undefined): number | null {
  return text === undefined ? null : Math.ceil(Number(text) * 1_000);
}
