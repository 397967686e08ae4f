// The booking calendars of an account: those of config.json and those of pages, and their addresses, which are secrets.
import { createHash } from 'node:crypto';
import type { Config } from '../../../config/config.ts';
import { type Message, message } from '../../../domain/language/message.ts';
import { type LockId, lockId } from '../../../domain/locks/lock.ts';
import type { KnownLockStore } from '../../../domain/ports.ts';
import { unreadUnder, type Values } from '../../../storage/account/settings.ts';
import { FinalError } from '../../../support/errors.ts';
import { atFirstUse } from '../../../support/first-use.ts';
import { isObject } from '../../../support/text/foreign-json.ts';
import type { CalendarChange, StayFault } from '../panel/views.ts';
import {
  BY_HAND,
  type CalendarSettings,
  isByHand,
  ownLock,
  type StayCalendar,
} from '../policy/stay-calendar.ts';
import type { CalendarAddress, CalendarSetup } from '../policy/stay-ports.ts';
import {
  type CalendarReading,
  calledAddress,
  faultOfCalendarAddress,
  MOST_CALENDARS,
  newSettings,
  readCalendar,
} from './written-calendars.ts';

/** Key prefixes of the stored calendars of pages; the calendar's id follows. */
const SETTINGS = 'calendar:';
const ADDRESS = 'calendar-address:';
const REPLACED = 'replaced-lock:';
/** The highest number of a calendar that was removed, by how its id begins. */
const REMOVED = 'removed-calendars:';

/** What the ids of calendars with a portal begin with. */
const BY_PAGE = 'page:';

/** As the page calls its fields. */
const LABELS = {
  name: message('Name'),
  address: message('Address of the calendar'),
  locks: message('Locks'),
  checkIn: message('Check-in'),
  checkOut: message('Check-out'),
  minutesBefore: message('Code works early (minutes)'),
  minutesAfter: message('Code works late (minutes)'),
  lockHours: message('Hours of single locks'),
  bookingHours: message('Take the hours from the booking’s text'),
  code: message('Codes'),
  names: message('Names of stays'),
  notStays: message('Entries that are no stays'),
  daysAhead: message('Add codes ahead (days)'),
  endEarly: message('Let the calendar end a stay early'),
  endWhenLeft: message('End the code when the guest has left'),
  message: message('Message to the guest'),
  language: message('Language of the message'),
  reserve: message('Keep a code in reserve'),
} as const satisfies Partial<Record<StayFault['field'], Message>>;

/** As a new calendar has it. */
const newOne = atFirstUse((): Omit<StayCalendar, 'id' | 'name' | 'locks'> => newSettings());

const WRITTEN = message('This calendar is set in config.json; change it there.');

export class KeptCalendars implements CalendarSetup {
  readonly #parts;
  /** Calendars of config.json, without their addresses: a list of calendars must not contain a secret. */
  readonly #written: readonly StayCalendar[];
  #kept: readonly StayCalendar[] = [];
  #replaced: ReadonlyMap<LockId, LockId> = new Map();
  #unread: readonly string[] = [];

  /** Throws storage errors. */
  constructor(parts: {
    readonly config: Pick<Config, 'stays' | 'calendarPermissions'>;
    readonly settings: Values;
    readonly secrets: Values;
    /** The locks as they were last listed. */
    readonly knownLocks: Pick<KnownLockStore, 'find'>;
  }) {
    this.#parts = parts;
    this.#written = parts.config.stays.map(({ address: _secret, ...calendar }) => calendar);
    this.reload();
  }

  /** Reads what another process stored while it owned the account. Throws storage errors. */
  reload(): void {
    const { settings, config } = this.#parts;
    this.#replaced = new Map(
      [...settings.all()].flatMap(([key, value]) =>
        key.startsWith(REPLACED) && isObject(value) && typeof value['by'] === 'string'
          ? [[lockId(key.slice(REPLACED.length)), lockId(value['by'])] as const]
          : [],
      ),
    );
    this.#kept = [...settings.all()].flatMap(([key, value]) => {
      const read = key.startsWith(SETTINGS) ? readCalendar(value, config.calendarPermissions) : null;
      return read?.ok === true ? [{ id: key.slice(SETTINGS.length), ...read.settings }] : [];
    });
    const isSound = (value: unknown): boolean => readCalendar(value, config.calendarPermissions).ok;
    const tables = { table: 'setting', settings, secrets: this.#parts.secrets } as const;
    this.#unread = unreadUnder({ [SETTINGS]: isSound }, tables).map(({ id }) => id);
  }

  /** Calendars of pages whose settings are stored, and cannot be read. */
  unread(): readonly string[] {
    return this.#unread;
  }

  calendars(): readonly StayCalendar[] {
    return [...this.#written.map((one) => this.#named(this.#onNewLocks(one))), ...this.#kept];
  }

  /** A new lock has the place of an old one, also in calendars of config.json. Returns how many it concerns. Throws storage errors. */
  replaceLock(old: LockId, by: LockId): number {
    const { settings } = this.#parts;
    const concerned = this.calendars().filter(({ locks }) => locks.includes(old));
    // What was replaced by the old one has the new one now, or its own place again.
    for (const [first, second] of this.#replaced) {
      if (second === old && first === by) {
        settings.erase(REPLACED + first);
      } else if (second === old) {
        settings.write(REPLACED + first, { by });
      }
    }
    settings.write(REPLACED + old, { by });
    for (const { id, ...calendar } of concerned.filter((one) => !this.isWritten(one.id))) {
      settings.write(
        SETTINGS + id,
        onNewLocks(calendar, (lock) => (lock === old ? by : lock)),
      );
    }
    this.reload();
    return concerned.length;
  }

  /** What config.json says of a lock that was replaced counts for the new one. */
  #onNewLocks(calendar: StayCalendar): StayCalendar {
    return onNewLocks(calendar, (id) => this.#replaced.get(id) ?? id);
  }

  /** A calendar of config.json without a name is called after its own lock. */
  #named(calendar: StayCalendar): StayCalendar {
    if (calendar.name !== '') {
      return calendar;
    }
    const others = [...this.#written, ...this.#kept].filter(({ id }) => id !== calendar.id);
    const own =
      ownLock(
        calendar.locks,
        others.map(({ locks }) => locks),
      ) ?? calendar.locks[0];
    const name = own === undefined ? '' : (this.#parts.knownLocks.find(own)?.description.name ?? own);
    return { ...calendar, name };
  }

  isWritten(id: string): boolean {
    return this.#written.some((one) => one.id === id);
  }

  addressOf(id: string): CalendarAddress | null {
    const address = this.#writtenAddress(id) ?? this.#keptAddress(id);
    return address === null
      ? null
      : {
          address: calledAddress(address),
          mark: createHash('sha256').update(address).digest('base64url'),
        };
  }

  addressFrom(id: string): 'config' | 'page' | null {
    if (this.#writtenAddress(id) !== null) {
      return 'config';
    }
    return this.#keptAddress(id) === null ? null : 'page';
  }

  /** A calendar of these locks for stays that are entered by hand. It is not kept yet. */
  byHand(locks: readonly LockId[]): StayCalendar {
    this.#assertRoom();
    const id = this.#nextId(BY_HAND);
    const { name } = this.#named({ ...newOne(), id, name: '', locks });
    return { ...newOne(), id, locks, name: this.#freeName(name) };
  }

  /** Throws storage errors. */
  saveByHand({ id, ...settings }: StayCalendar): void {
    this.#parts.settings.write(SETTINGS + id, settings);
    this.reload();
  }

  #freeName(wanted: string): string {
    const taken = new Set(this.calendars().map(({ name }) => name.toLowerCase()));
    const base = (wanted.trim() || 'Stays').slice(0, 36);
    let number = 1;
    const numbered = (): string => (number === 1 ? base : `${base} ${String(number)}`);
    while (taken.has(numbered().toLowerCase())) {
      number += 1;
    }
    return numbered();
  }

  /** An id that no calendar ever had: a guest of a former one may still be there, and keeps the code of that home. */
  #nextId(prefix: string): string {
    const numbers = [...this.#kept.map(({ id }) => id), ...this.#unread].map((id) => numberOf(id, prefix));
    return prefix + String(Math.max(this.#lastRemoved(prefix), ...numbers) + 1);
  }

  #lastRemoved(prefix: string): number {
    const last = this.#parts.settings.read(REMOVED + prefix);
    return typeof last === 'number' ? last : 0;
  }

  #assertRoom(): void {
    if (this.calendars().length >= MOST_CALENDARS) {
      throw new FinalError(
        'bad-request',
        message('There are {most} calendars. Remove one first.', { most: MOST_CALENDARS }),
      );
    }
  }

  /** Returns the faults; if there are any, nothing was changed. Throws storage errors, and `bad-request`. */
  add(change: CalendarChange): readonly StayFault[] {
    this.#assertRoom();
    return this.#save(this.#nextId(BY_PAGE), change);
  }

  change(id: string, change: CalendarChange): readonly StayFault[] {
    const { address, ...others } = change;
    if (this.isWritten(id)) {
      if (this.#writtenAddress(id) !== null || address === undefined || Object.keys(others).length > 0) {
        throw new FinalError('bad-request', WRITTEN);
      }
      return this.#saveAddress(id, address);
    }
    const { id: _id, ...before } = this.found(id);
    return this.#save(id, { ...before, ...change });
  }

  remove(id: string): void {
    if (this.isWritten(id)) {
      throw new FinalError('bad-request', WRITTEN);
    }
    this.found(id);
    const prefix = isByHand({ id }) ? BY_HAND : BY_PAGE;
    const last = Math.max(this.#lastRemoved(prefix), numberOf(id, prefix));
    this.#parts.settings.write(REMOVED + prefix, last);
    this.#parts.settings.erase(SETTINGS + id);
    this.#parts.secrets.erase(ADDRESS + id);
    this.reload();
  }

  /** Throws final for an unknown one. */
  found(id: string): StayCalendar {
    const calendar = this.calendars().find((one) => one.id === id);
    if (calendar === undefined) {
      throw new FinalError('not-found', message('There is no such calendar. Look at the list again.'));
    }
    return calendar;
  }

  #save(id: string, values: CalendarChange): readonly StayFault[] {
    const read = readCalendar(values, this.#parts.config.calendarPermissions);
    const name = values.name?.trim().toLowerCase();
    const isTaken = this.calendars().some((one) => one.id !== id && one.name.toLowerCase() === name);
    const faults: readonly StayFault[] = [
      ...faultsOf(read),
      ...(isTaken ? [{ field: 'name', words: message('Another calendar has this name.') } as const] : []),
    ];
    if (!read.ok || faults.length > 0) {
      return faults;
    }
    // The address is stored first: an address without settings is ignored, but settings without an address cannot be used.
    if (read.address !== null) {
      this.#parts.secrets.write(ADDRESS + id, { address: read.address });
    }
    this.#parts.settings.write(SETTINGS + id, read.settings);
    this.reload();
    return [];
  }

  #saveAddress(id: string, address: string): readonly StayFault[] {
    this.found(id);
    const fault = faultOfCalendarAddress(address, this.#parts.config.calendarPermissions);
    if (fault !== null) {
      return [faultIn('address', fault)];
    }
    this.#parts.secrets.write(ADDRESS + id, { address });
    return [];
  }

  #writtenAddress(id: string): string | null {
    return this.#parts.config.stays.find((one) => one.id === id)?.address ?? null;
  }

  #keptAddress(id: string): string | null {
    const kept = this.#parts.secrets.read(ADDRESS + id);
    return isObject(kept) && typeof kept['address'] === 'string' ? kept['address'] : null;
  }
}

function numberOf(id: string, prefix: string): number {
  return id.startsWith(prefix) ? Number(id.slice(prefix.length)) || 0 : 0;
}

function onNewLocks<Settings extends Omit<CalendarSettings, 'name'>>(
  settings: Settings,
  place: (id: LockId) => LockId,
): Settings {
  return {
    ...settings,
    locks: [...new Set(settings.locks.map(place))],
    lockHours: settings.lockHours.map((hours) => ({ ...hours, lock: place(hours.lock) })),
  };
}

function faultsOf(read: CalendarReading): readonly StayFault[] {
  return read.ok ? [] : read.faults.map(([member, fault]) => faultIn(member, fault));
}

/** The first part of the path names the field of a list. */
function faultIn(member: string, fault: Message): StayFault {
  const [name = ''] = member.split(/[.[]/u);
  const field = isLabelled(name) ? name : 'name';
  return { field, words: message('{label}: {fault}.', { label: LABELS[field], fault }) };
}

function isLabelled(name: string): name is keyof typeof LABELS {
  return Object.hasOwn(LABELS, name);
}
