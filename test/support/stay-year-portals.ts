// The portals of a year of homes: what they show of its bookings, how they fail, and for how long they want to be left alone.
import type { CalendarEntry } from '../../src/features/stays/policy/calendar-ports.ts';
import { entry, type StayHome } from '../homes/stay-home.ts';
import { asShown, WAVERING } from './portal-habits.ts';
import type { HomeFacts, Truth } from './stay-year-facts.ts';
import { summaryOf } from './stay-year-judge.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
export const STEP_MS = 15 * MINUTE_MS;

const NAMELESS = 'CLOSED - Not available';

export interface StayYearPortalsParts {
  readonly stand: StayHome;
  /** Guests have names, and portals ask for pauses. */
  readonly isRich: boolean;
  readonly random: () => number;
  readonly departureAt: (truth: Truth) => number;
}

export class StayYearPortals {
  readonly #parts: StayYearPortalsParts;

  constructor(parts: StayYearPortalsParts) {
    this.#parts = parts;
  }

  open(home: HomeFacts): void {
    this.#portal(home).show = (entries) => this.#shown(home, entries);
  }

  /** The calendar as it is true now. */
  show(home: HomeFacts): void {
    const since = this.#now - 2 * DAY_MS;
    const entries = home.truths
      .filter((truth) => !truth.isCancelled && this.#parts.departureAt(truth) > since)
      .flatMap((truth) => this.#entriesOf(home, truth));
    this.#portal(home).entries = entries;
    home.former.push({ at: this.#now, entries });
    home.former.splice(0, home.former.length - 20);
  }

  /** Fails, or loses stays; for some hours it may want to be left alone. */
  fail(home: HomeFacts, below: (count: number) => number): 'broken' | 'short' {
    const portal = this.#portal(home);
    portal.fault = (['broken', 'empty', 'half'] as const)[below(3)] ?? null;
    const isPaused = portal.fault === 'broken' && this.#parts.isRich && below(2) === 0;
    portal.retryAfterMs = isPaused ? (1 + below(5)) * HOUR_MS : null;
    home.goodSince = null;
    return portal.fault === 'broken' ? 'broken' : 'short';
  }

  heal(home: HomeFacts): void {
    const portal = this.#portal(home);
    portal.fault = null;
    portal.retryAfterMs = null;
    home.goodSince = Math.max(this.#now, home.pausedUntil);
  }

  isFailing(home: HomeFacts): boolean {
    return this.#portal(home).fault !== null;
  }

  /** Looks after each step whether the portal was asked. True: it was, within the pause that it asked for. */
  wasDisturbed(home: HomeFacts): boolean {
    const { readings, fault, retryAfterMs } = this.#portal(home);
    const wasAsked = readings > home.askedBefore;
    const isDisturbed = wasAsked && this.#now < home.pausedUntil;
    home.askedBefore = readings;
    if (wasAsked && fault === 'broken' && retryAfterMs !== null) {
      // The reading took place within the last step.
      home.pausedUntil = this.#now - STEP_MS + retryAfterMs;
    }
    return isDisturbed;
  }

  #entriesOf({ kind }: HomeFacts, { uid, from, until, splitAt }: Truth): readonly CalendarEntry[] {
    const number = Number(uid.slice(1));
    const phone = `Phone Number (Last 4 Digits): ${String(1_000 + ((number * 37) % 9_000))}`;
    const isNamed = kind !== 'nameless';
    const told = {
      summary: isNamed ? (this.#parts.isRich ? summaryOf({ uid }) : 'Reserved') : NAMELESS,
      description: isNamed && number % 3 !== 0 ? phone : '',
    };
    return splitAt === null
      ? [entry(uid, dated(from), dated(until), told)]
      : [entry(uid, dated(from), dated(splitAt), told), entry(`${uid}b`, dated(splitAt), dated(until), told)];
  }

  #shown(home: HomeFacts, entries: readonly CalendarEntry[]): readonly CalendarEntry[] {
    home.readings += 1;
    if (WAVERING.has(home.habit)) {
      home.waveredAt = this.#now;
    }
    const former = home.former.findLast(({ at }) => at <= this.#now - 3 * HOUR_MS)?.entries ?? entries;
    const reading = { now: this.#now, number: home.readings, former, random: this.#parts.random };
    return asShown(home.habit, entries, reading);
  }

  #portal({ calendar }: HomeFacts): ReturnType<StayHome['portal']> {
    return this.#parts.stand.portal(calendar);
  }

  get #now(): number {
    return this.#parts.stand.clock.now();
  }
}

/** `day`: since the beginning. */
function dated(day: number): string {
  return new Date(Date.UTC(2026, 3, 14 + day)).toISOString().slice(0, 10);
}
