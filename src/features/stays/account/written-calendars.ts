// The booking calendars of an account, from checked options, and the checks that their options need together.

import { z } from 'zod';
import { faultOfAddress } from '../../../config/options/address.ts';
import type { OptionsOfFeature } from '../../../config/options/feature-config.ts';
import type { Options } from '../../../config/options/option-table.ts';
import { faultOfIssue, optionPath, problem } from '../../../config/options/problem-line.ts';
import { GUEST_LANGUAGES, type GuestLanguage } from '../../../domain/codes/guest-language.ts';
import { type Message, message } from '../../../domain/language/message.ts';
import { lockId } from '../../../domain/locks/lock.ts';
import type { AddressPermissions } from '../../../support/server/private-hosts.ts';
import { type CalendarSettings, type StayCalendar } from '../policy/stay-calendar.ts';
import { NOT_STAYS } from '../policy/stay-entries.ts';
import { hoursOverlap } from '../policy/stay-hours.ts';
import { calendarAddress, calendarName, calendarOptions } from './options.ts';

export interface WrittenCalendar extends StayCalendar {
  /** A secret; null where the vault may hold one. */
  readonly address: string | null;
}

declare module '../../../config/options/feature-config.ts' {
  interface FeatureConfig {
    readonly stays: readonly WrittenCalendar[];
    /** Whether calendars may be read from this computer over http, and from private networks. */
    readonly calendarPermissions: AddressPermissions;
  }
}

export const OF_STAYS: OptionsOfFeature = {
  problems: (options) => stayProblems(options.stays, permissionsOf(options)),
  warnings: ({ stays }) => stayWarnings(stays),
  config: (options) => ({
    stays: toCalendars(options.stays),
    calendarPermissions: permissionsOf(options),
  }),
};

type CalendarOptions = Omit<Options['stays'][number], 'name' | 'address' | 'language'> & {
  readonly language?: GuestLanguage | null | undefined;
};

/** A hotel has a calendar for each of its doors (specified). */
export const MOST_CALENDARS = 200;

export function toCalendars(rows: Options['stays']): readonly WrittenCalendar[] {
  return rows.flatMap(({ name = '', address, ...options }) =>
    isIgnored({ name, locks: options.locks })
      ? []
      : [
          {
            id: idOfWritten(name === '' ? `of ${options.locks.join(' ')}` : name),
            name,
            address: address ?? null,
            ...toSettings(options),
          },
        ],
  );
}

/** A row without a name is called after its own lock; without a lock it is nothing yet. */
function isIgnored({ name = '', locks }: Pick<Options['stays'][number], 'name' | 'locks'>): boolean {
  return name === '' && locks.length === 0;
}

function toSettings({
  locks,
  notStays,
  lockHours,
  language = null,
  ...rest
}: CalendarOptions): Omit<CalendarSettings, 'name'> {
  return {
    ...rest,
    language,
    locks: locks.map(lockId),
    lockHours: ofLocks(lockHours),
    notStays: notStays ?? NOT_STAYS,
  };
}

function ofLocks(hours: CalendarOptions['lockHours']): CalendarSettings['lockHours'] {
  return hours.flatMap(({ lock, ...minutes }) =>
    lock === undefined ? [] : [{ lock: lockId(lock), ...minutes }],
  );
}

/** Calendars of pages have other ids. */
function idOfWritten(name: string): string {
  return `config:${name.toLowerCase()}`;
}

/** The address as it is called: some portals write webcal for https. */
export function calledAddress(address: string): string {
  return address.trim().replace(/^webcals?:/iu, 'https:');
}

/** The message never repeats the address, which is a secret. Unlike other addresses, it may have a query. */
export function faultOfCalendarAddress(address: string, allowed: AddressPermissions): Message | null {
  const url = URL.parse(calledAddress(address));
  if (url === null) {
    return message('is not an address; copy the whole address with which the portal exports the calendar');
  }
  const path = new URL(url.origin === 'null' ? url.href : url.origin);
  path.username = url.username;
  path.password = url.password;
  return faultOfAddress(path.href, allowed);
}

const TURNOVER = message(
  'leaves no time between check-out and check-in: the codes of two guests would open at once; change the hours or the minutes',
);

function stayProblems(rows: Options['stays'], allowed: AddressPermissions): readonly Message[] {
  return rows.flatMap((row, index) => {
    const { address } = row;
    const first = rows.findIndex((one) => sameName(one, row));
    const fault = address === undefined ? null : faultOfCalendarAddress(address, allowed);
    const taken =
      first < index ? message('is already in {row}; choose another one', { row: `stays[${first}]` }) : null;
    return isIgnored(row)
      ? []
      : [
          ...at(index, 'name', taken),
          ...at(index, 'address', fault),
          ...at(
            index,
            'checkIn',
            hoursOverlap({ ...row, lockHours: ofLocks(row.lockHours) }) ? TURNOVER : null,
          ),
        ];
  });
}

function stayWarnings(rows: Options['stays']): readonly Message[] {
  return rows.flatMap(({ name, address, locks, lockHours }, index) => {
    const idless = lockHours.findIndex(
      ({ lock, minutesBefore, minutesAfter }) => lock === undefined && minutesBefore + minutesAfter > 0,
    );
    const isLost = name === undefined && address !== undefined && locks.length === 0;
    const nameless = isLost ? message('is missing, so this calendar is ignored; enter one') : null;
    const lockless =
      name !== undefined && locks.length === 0
        ? message('are missing, so no code is made; enter lock IDs')
        : null;
    return [
      ...at(index, 'name', nameless),
      ...at(index, 'locks', lockless),
      ...at(
        index,
        `lockHours[${String(idless)}]`,
        idless === -1 ? null : message('has no id and is ignored; enter the id of its lock'),
      ),
    ];
  });
}

function sameName(a: Options['stays'][number], b: Options['stays'][number]): boolean {
  return a.name === undefined || b.name === undefined
    ? a.name === b.name && a.locks.join(' ') === b.locks.join(' ')
    : a.name.toLowerCase() === b.name.toLowerCase();
}

function at(index: number, member: string, fault: Message | null): readonly Message[] {
  return problem(`stays[${String(index)}].${member}`, fault);
}

const pageCalendar = () =>
  calendarOptions().extend({
    name: calendarName().min(1),
    address: calendarAddress().optional(),
    language: z.enum(GUEST_LANGUAGES).nullable().optional(),
  });

/** The settings that a page entered or stored; faults name the member, and never repeat a value. */
export type CalendarReading =
  | { readonly ok: true; readonly settings: CalendarSettings; readonly address: string | null }
  | { readonly ok: false; readonly faults: readonly (readonly [member: string, fault: Message])[] };

export function readCalendar(values: unknown, allowed: AddressPermissions): CalendarReading {
  const parsed = pageCalendar().safeParse(values);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => [optionPath(issue.path), faultOfIssue(issue)] as const);
    return { ok: false, faults };
  }
  const { name, address, ...options } = parsed.data;
  const fault = address === undefined ? null : faultOfCalendarAddress(address, allowed);
  const faults = [
    ...(fault === null ? [] : [['address', fault] as const]),
    ...(hoursOverlap({ ...options, lockHours: ofLocks(options.lockHours) })
      ? [['checkIn', TURNOVER] as const]
      : []),
    ...(options.locks.length === 0 ? [['locks', message('are missing; choose at least one')] as const] : []),
  ];
  return faults.length > 0
    ? { ok: false, faults }
    : { ok: true, settings: { name, ...toSettings(options) }, address: address ?? null };
}

/** Of a calendar of which nothing was chosen but its locks. */
export function newSettings(): Omit<CalendarSettings, 'name' | 'locks'> {
  const { locks: _locks, ...settings } = toSettings(calendarOptions().parse({}));
  return settings;
}

/** The demo's own service is on this computer. */
function permissionsOf({ partner, demo }: Pick<Options, 'partner' | 'demo'>): AddressPermissions {
  return { insecureLoopback: partner.allowInsecureLoopback || demo, privateHosts: partner.allowPrivateHosts };
}
