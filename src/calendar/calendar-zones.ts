// Time zones of a calendar: its own rules (VTIMEZONE), or the zone of that name.
import ICAL from 'ical.js';
import type { Instant } from '../domain/time/instant.ts';
import { civilOf, instantsOf } from '../domain/time/schedule-time.ts';

/** Instants of a zone's wall clock. `wallMs` is the clock read as if it were UTC. */
export interface Zone {
  instantOf(wallMs: number): Instant;
}

export const UTC: Zone = { instantOf: (wallMs) => wallMs };

/** Rules that change the clocks on certain days of a year. Programs write no others, and finer ones could be endless. */
const PLAIN_RULE =
  /^RRULE:(?=.*FREQ=YEARLY)(?!.*(?:BYSECOND|BYMINUTE|BYHOUR|BYYEARDAY|BYWEEKNO|INTERVAL))[\w=,;:+-]{1,200}$/i;
/** Rules without an end are expanded up to this time. */
const RULES_UNTIL = ';UNTIL=22000101T000000Z';
/** A prefix such as `/vendor.example/20260101_1/` before the name (RFC 5545, 3.2.19). */
const ZONE_NAME = /(?:^|\/)([A-Za-z_+-]+(?:\/[A-Za-z_+-]+){0,2}(?:[+-]\d{1,2})?)$/;

/** The zones of one calendar. Each is worked out when it is first needed. */
export class CalendarZones {
  readonly #blocks = new Map<string, readonly string[]>();
  readonly #known = new Map<string, Zone | null>();

  constructor(blocks: readonly (readonly string[])[]) {
    for (const lines of blocks) {
      const line = lines.find((one) => /^TZID[:;]/i.test(one));
      if (line !== undefined) {
        this.#blocks.set(line.slice(line.indexOf(':') + 1).trim(), lines);
      }
    }
  }

  /** The zone of a name; null for an unknown name, whose times are then read on the clocks of the lock. */
  of(name: string): Zone | null {
    const known = this.#known.get(name);
    if (known !== undefined) {
      return known;
    }
    const lines = this.#blocks.get(name);
    const zone = (lines === undefined ? null : zoneOfRules(lines)) ?? zoneOfName(name);
    this.#known.set(name, zone);
    return zone;
  }
}

/** Null when the rules are incomplete, or of a kind that no zone has. */
function zoneOfRules(lines: readonly string[]): Zone | null {
  const wanted = lines.filter((line) =>
    /^(?:BEGIN|END|TZID|DTSTART|TZOFFSETFROM|TZOFFSETTO|RRULE|RDATE)[:;]/i.test(line),
  );
  const rules = wanted.filter((line) => /^RRULE/i.test(line));
  if (!rules.every((line) => PLAIN_RULE.test(line))) {
    return null;
  }
  try {
    const text = wanted
      .map((line) => (/^RRULE(?!.*UNTIL=)/i.test(line) ? line + RULES_UNTIL : line))
      .join('\r\n');
    const component = ICAL.Component.fromString(text);
    return hasObservance(component) ? zoneOf(new ICAL.Timezone(component)) : null;
  } catch {
    return null;
  }
}

function hasObservance(component: ICAL.Component): boolean {
  return component
    .getAllSubcomponents()
    .some((part) => ['dtstart', 'tzoffsetto', 'tzoffsetfrom'].every((name) => part.hasProperty(name)));
}

function zoneOf(timezone: ICAL.Timezone): Zone {
  return remembering((wallMs) => {
    const { year, month, day, hour, minute } = civilOf(wallMs);
    const offsetSeconds = timezone.utcOffset(
      ICAL.Time.fromData({ year, month, day, hour, minute, second: 0, isDate: false }),
    );
    return wallMs - offsetSeconds * 1_000;
  });
}

function zoneOfName(written: string): Zone | null {
  const [, name] = ZONE_NAME.exec(written) ?? [];
  if (name === undefined) {
    return null;
  }
  try {
    instantsOf(name, civilOf(0));
  } catch {
    return null;
  }
  return remembering((wallMs) => instantsOf(name, civilOf(wallMs)).at + (wallMs % 60_000));
}

/** Caches instants: guests arrive and leave at the same few hours, and a lookup is slow. */
function remembering(instantOf: (wallMs: number) => Instant): Zone {
  const known = new Map<number, Instant>();
  return {
    instantOf: (wallMs) => {
      const at = known.get(wallMs) ?? instantOf(wallMs);
      known.set(wallMs, at);
      return at;
    },
  };
}
