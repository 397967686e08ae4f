// Asks a portal for a calendar: one deadline for the whole exchange, few redirects, and a short answer when the calendar is unchanged.
import { buildConnector, Client } from 'undici';
import type { Clock } from '../../../support/clock.ts';
import type { AddressPermissions } from '../../../support/server/private-hosts.ts';
import type { CalendarValidators } from '../policy/calendar-ports.ts';
import { readAddress, readRedirect } from './calendar-address.ts';
import { type CalendarAnswer, CalendarExchange } from './calendar-exchange.ts';
import type { CalendarProblem } from './calendar-problems.ts';
import type { CalendarBody } from './calendar-text.ts';
import { guardedLookup, type LookupAll } from './guarded-lookup.ts';

export interface CalendarClientSettings {
  readonly clock: Clock;
  readonly allowed: AddressPermissions;
  /** Looks up names. When left out, the system does. */
  readonly lookUp?: LookupAll;
  /** Opens connections. When left out, they are guarded; tests with portals on this machine pass their own. */
  readonly connect?: buildConnector.connector;
}

export type Fetched =
  | { readonly kind: 'body'; readonly body: CalendarBody; readonly validators: CalendarValidators }
  | { readonly kind: 'unchanged' }
  | {
      readonly kind: 'failed';
      readonly problem: CalendarProblem;
      readonly status?: number;
      readonly retryAfterMs?: number;
    };

/** Deadline of the whole exchange, redirects included (our choice). */
const ANSWERS_WITHIN_MS = 30_000;
const CONNECTS_WITHIN_MS = 15_000;
const MOST_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** A longer validator is not stored: the calendar is then read completely each time. */
const LONGEST_VALIDATOR = 1_000;

export class CalendarClient {
  readonly #settings: CalendarClientSettings;
  readonly #connect: buildConnector.connector;

  constructor(settings: CalendarClientSettings) {
    this.#settings = settings;
    const { allowed, lookUp, connect } = settings;
    this.#connect =
      connect ??
      buildConnector({ allowH2: false, timeout: CONNECTS_WITHIN_MS, lookup: guardedLookup(allowed, lookUp) });
  }

  /** Never rejects. `signal` ends it. */
  async fetch(address: string, validators: CalendarValidators | null, signal: AbortSignal): Promise<Fetched> {
    const { allowed, clock } = this.#settings;
    const late = new AbortController();
    const cancelTimer = clock.after(ANSWERS_WITHIN_MS, () => late.abort());
    try {
      let url = readAddress(address, allowed);
      for (let redirects = 0; ; redirects += 1) {
        if (typeof url === 'string') {
          return { kind: 'failed', problem: url };
        }
        const answer = await this.#ask(url, validators, signal, late.signal);
        if (answer.kind === 'failed' || !REDIRECTS.has(answer.status)) {
          return fetchedOf(answer, validators, redirects > 0, clock.now());
        }
        url =
          redirects === MOST_REDIRECTS
            ? 'redirect-too-often'
            : readRedirect(answer.header('location'), url, allowed);
      }
    } finally {
      cancelTimer();
    }
  }

  async #ask(
    { origin, pathname, search }: URL,
    validators: CalendarValidators | null,
    closing: AbortSignal,
    late: AbortSignal,
  ): Promise<CalendarAnswer> {
    const exchange = new CalendarExchange();
    // The deadline is ours, by the injected clock.
    const client = new Client(origin, {
      connect: this.#connect,
      headersTimeout: 0,
      bodyTimeout: 0,
      allowH2: false,
    });
    const end = (): void => exchange.fail(late.aborted ? 'timed-out' : 'interrupted');
    closing.addEventListener('abort', end, { once: true });
    late.addEventListener('abort', end, { once: true });
    try {
      if (closing.aborted || late.aborted) {
        end();
      } else {
        client.dispatch(
          { method: 'GET', path: pathname + search, headers: headersFor(validators), reset: true },
          exchange,
        );
      }
      return await exchange.answer;
    } finally {
      closing.removeEventListener('abort', end);
      late.removeEventListener('abort', end);
      await client.destroy();
    }
  }
}

/** Compressed answers are not asked for, because they could be bombs (faults#74). One that comes all the same is unpacked. */
function headersFor(validators: CalendarValidators | null): Record<string, string> {
  const { etag = null, lastModified = null } = validators ?? {};
  return {
    accept: 'text/calendar, text/plain;q=0.5, */*;q=0.1',
    'accept-encoding': 'identity',
    'user-agent': 'homebridge-latchkey',
    ...(etag === null ? {} : { 'if-none-match': etag }),
    ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
  };
}

function fetchedOf(
  answer: CalendarAnswer,
  asked: CalendarValidators | null,
  isRedirected: boolean,
  now: number,
): Fetched {
  if (answer.kind === 'failed') {
    const isRefusedByName = answer.problem === 'address-private' && isRedirected;
    return { kind: 'failed', problem: isRefusedByName ? 'redirect-private' : answer.problem };
  }
  const { status, bytes, header } = answer;
  if (status === 304 && asked !== null && (asked.etag !== null || asked.lastModified !== null)) {
    return { kind: 'unchanged' };
  }
  const problem = problemOf(status, bytes);
  if (problem !== null) {
    const retryAfterMs = pauseIn(header('retry-after'), now);
    return {
      kind: 'failed',
      problem,
      ...(status < 300 ? {} : { status }),
      ...(status < 400 || retryAfterMs === null ? {} : { retryAfterMs }),
    };
  }
  const body = { bytes, contentEncoding: header('content-encoding'), contentType: header('content-type') };
  return {
    kind: 'body',
    body,
    validators: { etag: kept(header('etag')), lastModified: kept(header('last-modified')) },
  };
}

/** Longer pauses are a mistake: bookings of a day would be missed. */
const LONGEST_PAUSE_MS = 6 * 3_600_000;

/** Seconds, or a date (RFC 9110, 10.2.3). */
function pauseIn(written: string | undefined, now: number): number | null {
  const text = written?.trim() ?? '';
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, LONGEST_PAUSE_MS) : null;
}

function problemOf(status: number, bytes: Uint8Array): CalendarProblem | null {
  if (status < 300) {
    return bytes.length === 0 ? 'empty' : null;
  }
  if (status === 404 || status === 410) {
    return 'not-found';
  }
  if (status === 429) {
    return 'asks-for-pause';
  }
  return status >= 400 && status < 500 && status !== 408 ? 'refused' : 'failing';
}

const kept = (validator: string | undefined): string | null =>
  validator === undefined || validator.length > LONGEST_VALIDATOR ? null : validator;
