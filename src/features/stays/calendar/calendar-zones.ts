// Time zones of a calendar: the zone of that name where the system knows one, else the calendar's own rules (VTIMEZONE).
import ICAL from 'ical.js';
import type { Instant } from '../../../domain/time/instant.ts';
import { civilOf, instantsOf } from '../../../domain/time/schedule-time.ts';
import { zoneOfWindows } from './windows-zones.ts';

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
const MEMBERS = /^(?:BEGIN|END|TZID|DTSTART|TZOFFSETFROM|TZOFFSETTO|RRULE|RDATE)[:;]/i;
/** A list of dates in one line is as many lines: the parser reads the first of each (RFC 5545, 3.8.5.2). */
const MOST_DATES = 2_000;
/** Rules whose last change of the clocks lies so far back are outdated: they would be an hour off. */
const OUTDATED_MS = 400 * 86_400_000;
/** A prefix such as `/vendor.example/20260101_1/` before the name (RFC 5545, 3.2.19). */
const ZONE_NAME = /(?:^|\/)([A-Za-z_+-]+(?:\/[A-Za-z_+-]+){0,2}(?:[+-]\d{1,2}|\d[A-Z]{3})?)$/;
/** An offset as a name, such as `GMT+0100`, `UTC-05:30` or `+02:00`. Names of the form `Etc/GMT-1` count the other way. */
const OFFSET_NAME = /^\(?(?:GMT|UTC)?\s*([+-])(\d{1,2}):?(\d\d)?\)?$/i;
/** The system takes these for zones of other parts of the world than most who write them: "BST" for that of Dhaka. */
const MEANS_SEVERAL =
  /^(?:ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|MIT|NET|NST|PLT|PNT|PRT|SST|VST)$/i;

/** The zones of one calendar. Each is worked out when it is first needed. */
export class CalendarZones {
  readonly #blocks = new Map<string, readonly string[]>();
  readonly #known = new Map<string, Zone | null>();
  /** Names that were asked for, and that nothing explains. */
  readonly unknown = new Set<string>();

  constructor(blocks: readonly (readonly string[])[]) {
    for (const lines of blocks) {
      const name = valueIn(lines, /^TZID[:;]/i);
      if (name !== null) {
        this.#blocks.set(name, lines);
      }
    }
  }

  /** The zone of a name; null for one that nothing explains. */
  of(name: string): Zone | null {
    const known = this.#known.get(name);
    if (known !== undefined) {
      return known;
    }
    const lines = this.#blocks.get(name) ?? [];
    // The system's zones follow the laws; the rules in a file are often poor, or of another year.
    const zone =
      zoneOfName(name) ??
      zoneOfName(valueIn(lines, /^X-LIC-LOCATION[:;]/i) ?? '') ??
      (lines.length === 0 ? null : zoneOfRules(lines)) ??
      zoneOfOffset(name);
    this.#known.set(name, zone);
    if (zone === null) {
      this.unknown.add(name);
    }
    return zone;
  }
}

function valueIn(lines: readonly string[], name: RegExp): string | null {
  const line = lines.find((one) => name.test(one));
  return line === undefined
    ? null
    : line
        .slice(line.indexOf(':') + 1)
        .trim()
        .replace(/^"(.*)"$/u, '$1');
}

/** Null when the rules are incomplete, outdated, or of a kind that no zone has. */
function zoneOfRules(lines: readonly string[]): Zone | null {
  const wanted = lines
    .map((line) => line.trim())
    .filter((line) => MEMBERS.test(line))
    .map((line) => (/^RRULE/i.test(line) ? line.replace(/;INTERVAL=1(?=;|$)|INTERVAL=1;/i, '') : line));
  const rules = wanted.filter((line) => /^RRULE/i.test(line));
  if (!rules.every((line) => PLAIN_RULE.test(line))) {
    return null;
  }
  try {
    const text = wanted
      .flatMap(singleDates)
      .map((line) => (/^RRULE(?!.*UNTIL=)/i.test(line) ? line + RULES_UNTIL : line))
      .slice(0, MOST_DATES)
      .join('\r\n');
    const component = ICAL.Component.fromString(text);
    return hasObservance(component) ? zoneOf(new ICAL.Timezone(component), lastChangeIn(component)) : null;
  } catch {
    return null;
  }
}

function singleDates(line: string): readonly string[] {
  if (!/^RDATE/i.test(line)) {
    return [line];
  }
  const colon = line.indexOf(':');
  return line
    .slice(colon + 1)
    .split(',')
    .map((date) => `${line.slice(0, colon + 1)}${date.trim()}`);
}

function hasObservance(component: ICAL.Component): boolean {
  return component
    .getAllSubcomponents()
    .some((part) => ['dtstart', 'tzoffsetto', 'tzoffsetfrom'].every((name) => part.hasProperty(name)));
}

/** The wall clock of the last change that the rules know; Infinity where they go on, or where the clocks are never changed. */
function lastChangeIn(component: ICAL.Component): number {
  const parts = component.getAllSubcomponents();
  const offsets = new Set(parts.map((part) => String(part.getFirstPropertyValue('tzoffsetto'))));
  const goesOn = parts.some((part) => part.hasProperty('rrule'));
  if (goesOn || offsets.size < 2) {
    return Infinity;
  }
  const changes = parts.flatMap((part) =>
    ['dtstart', 'rdate'].flatMap((name) =>
      part.getAllProperties(name).map((property) => wallOf(property.getFirstValue())),
    ),
  );
  return Math.max(...changes);
}

function wallOf(time: unknown): number {
  return time instanceof ICAL.Time
    ? Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute, time.second)
    : -Infinity;
}

function zoneOf(timezone: ICAL.Timezone, lastChange: number): Zone {
  return remembering((wallMs) => {
    if (wallMs - lastChange > OUTDATED_MS) {
      throw new RangeError('Rules that have ended');
    }
    const { year, month, day, hour, minute } = civilOf(wallMs);
    const offsetSeconds = timezone.utcOffset(
      ICAL.Time.fromData({ year, month, day, hour, minute, second: 0, isDate: false }),
    );
    return wallMs - offsetSeconds * 1_000;
  });
}

function zoneOfName(written: string): Zone | null {
  const found = zoneOfWindows(written) ?? ZONE_NAME.exec(written)?.[1];
  if (found === undefined || OFFSET_NAME.test(written) || MEANS_SEVERAL.test(found)) {
    return null;
  }
  // A part of the prefix may look like the first part of a name: `/vendor.example/Tzfile/Europe/Paris`.
  const name = [found, found.replace(/^[^/]+\/(?=.*\/)/u, '')].find(isKnown);
  if (name === undefined) {
    return null;
  }
  return remembering((wallMs) => instantsOf(name, civilOf(wallMs)).at + (wallMs % 60_000));
}

function isKnown(name: string): boolean {
  try {
    instantsOf(name, civilOf(0));
    return true;
  } catch {
    return false;
  }
}

function zoneOfOffset(written: string): Zone | null {
  const [, sign, hours, minutes = '0'] = OFFSET_NAME.exec(written) ?? [];
  if (sign === undefined || Number(hours) > 14 || Number(minutes) > 59) {
    return null;
  }
  const aheadMs = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
  return { instantOf: (wallMs) => wallMs - aheadMs };
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
