// All stays and the state of their calendars, in memory and on the disk: a change is on the disk before it counts.
import type { UnreadRow } from '../../../domain/codes/ports.ts';
import { message } from '../../../domain/language/message.ts';
import { FinalError, RetryError } from '../../../support/errors.ts';
import { tryDisk } from '../../../support/files/try-disk.ts';
import type { Log } from '../../../support/log.ts';
import { t } from '../../../words/translate.ts';
import { missingIn, NOTHING_BELIEVED } from '../policy/belief-policy.ts';
import type { Booking, Stay } from '../policy/stay.ts';
import { guestVerdict, isSurelyOf } from '../policy/stay-identity.ts';
import type { CalendarRecord, StayStore } from '../policy/stay-ports.ts';

export interface StayBookParts {
  readonly stayStore: StayStore;
  readonly log: Log;
  readonly onChange: () => void;
}

const TROUBLE = message('What is known of a stay could not be stored');

export class StayBook {
  readonly #parts: StayBookParts;
  #isRead = false;
  readonly #stays = new Map<string, Stay>();
  /** All of them in the order of their check-ins; null: to be sorted again. */
  #inOrder: readonly Stay[] | null = null;
  readonly #records = new Map<string, CalendarRecord>();
  #unread: readonly UnreadRow[] = [];
  #unreadRecords: readonly UnreadRow[] = [];
  #isEnding = false;
  readonly #missing = new Map<
    string,
    { readonly watched: CalendarRecord['watched']; readonly keys: ReadonlySet<string> }
  >();

  constructor(parts: StayBookParts) {
    this.#parts = parts;
  }

  /** False: they cannot be read, and nothing is known of them. */
  load(): boolean {
    const { stayStore, log } = this.#parts;
    const read = tryDisk(log, t('The stays could not be read'), () => ({
      stays: stayStore.stays(),
      records: stayStore.calendars(),
      unread: stayStore.unreadStays(),
      unreadRecords: stayStore.unreadCalendars(),
      isEnding: stayStore.isEnding(),
    }));
    this.#isRead = read !== null;
    this.#inOrder = null;
    this.#stays.clear();
    this.#records.clear();
    for (const stay of read?.stays ?? []) {
      this.#stays.set(stay.id, stay);
    }
    for (const record of read?.records ?? []) {
      this.#records.set(record.calendarId, record);
    }
    this.#unread = read?.unread ?? [];
    this.#unreadRecords = read?.unreadRecords ?? [];
    this.#isEnding = read?.isEnding ?? false;
    for (const { id, text } of this.#unreadRecords) {
      this.#records.set(id, rebuilt(id, text, this.ofCalendar(id)));
    }
    return this.#isRead;
  }

  /** Whether rows of stays or of calendars' states cannot be read. */
  get hasUnread(): boolean {
    return this.#unread.length + this.#unreadRecords.length > 0;
  }

  /** The ids of stays that are stored, and cannot be read. */
  get unreadIds(): readonly string[] {
    return this.#unread.map(({ id }) => id);
  }

  isUnread(id: string): boolean {
    return this.#unread.some((row) => row.id === id);
  }

  /** Whether a stay that cannot be read may be of one of these calendars. */
  hasUnreadIn(calendarIds: readonly string[]): boolean {
    return this.#unread.some(({ text }) => {
      const id = CALENDAR_ID.exec(text)?.[1];
      return id === undefined || calendarIds.includes(id);
    });
  }

  /** Whether a stay that cannot be read was made for this booking. */
  isOfUnread({ uid }: Booking): boolean {
    return this.#unread.some(({ text }) => text.includes(JSON.stringify(uid)));
  }

  /** The account ends: no code is made any more, until a person wants one again. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Throws as `save` does. */
  setEnding(isEnding: boolean): void {
    if (isEnding !== this.#isEnding) {
      this.#parts.stayStore.saveEnding(isEnding);
      this.#isEnding = isEnding;
    }
  }

  get isRead(): boolean {
    return this.#isRead;
  }

  get count(): number {
    return this.#stays.size;
  }

  stays(): readonly Stay[] {
    this.#inOrder ??= [...this.#stays.values()].sort((a, b) => a.window.opensAt - b.window.opensAt);
    return this.#inOrder;
  }

  ofCalendar(id: string): readonly Stay[] {
    return [...this.#stays.values()].filter(({ calendarId }) => calendarId === id);
  }

  get(id: string): Stay | undefined {
    return this.#stays.get(id);
  }

  /** The stay that a person means. Throws final (`not-found`). */
  meant(id: string): Stay {
    const stay = this.#stays.get(id);
    if (stay === undefined) {
      throw new FinalError('not-found', message('There is no such stay. Look at the list again.'));
    }
    return stay;
  }

  record(calendarId: string): CalendarRecord {
    return this.#records.get(calendarId) ?? { calendarId, ...NOTHING_KNOWN };
  }

  /** Keys of bookings that the last reading lacks, and that are believed all the same. */
  missing(calendarId: string): ReadonlySet<string> {
    const { watched } = this.record(calendarId);
    const known = this.#missing.get(calendarId);
    if (known !== undefined && known.watched === watched) {
      return known.keys;
    }
    const keys = missingIn(this.record(calendarId));
    this.#missing.set(calendarId, { watched, keys });
    return keys;
  }

  /** Throws retry (`storage-failed`); then nothing has changed. */
  save(stay: Stay): void {
    const before = this.#stays.get(stay.id);
    if (before !== stay && JSON.stringify(before) !== JSON.stringify(stay)) {
      this.#parts.stayStore.saveStay(stay);
      this.#stays.set(stay.id, stay);
      this.#inOrder = null;
      this.#parts.onChange();
    }
  }

  /** The same where a failing disk must not end the pass under way. False: nothing has changed. */
  note(stay: Stay): boolean {
    return this.#tries(() => this.save(stay));
  }

  erase(id: string): void {
    const stay = this.#stays.get(id);
    this.#tries(() => {
      this.#parts.stayStore.eraseStay(id);
      this.#stays.delete(id);
      this.#inOrder = null;
    });
    if (stay?.pin !== undefined && stay.pin !== null) {
      this.spend(stay.calendarId, stay.pin);
    }
  }

  /** The digits are given to no other guest of the calendar. */
  spend(calendarId: string, pin: string): void {
    if (this.#records.has(calendarId)) {
      const record = this.record(calendarId);
      const spent = [...(record.spentPins ?? []).filter((one) => one !== pin), pin];
      this.noteRecord({ ...record, spentPins: spent.slice(-MOST_SPENT) });
    }
  }

  /** The digits of all other guests of these calendars, also of former ones. A guest who comes again may have the same. */
  spentPins({ id, booking, window }: Stay, calendarIds: readonly string[]): ReadonlySet<string> {
    const isOfSame = (other: Stay): boolean =>
      isSurelyOf(other.booking, booking) ||
      (guestVerdict(other.booking, booking, false) === 'same' &&
        other.window.opensAt < window.closesAt &&
        window.opensAt < other.window.closesAt);
    const others = calendarIds
      .flatMap((one) => this.ofCalendar(one))
      .filter((other) => other.id !== id && !isOfSame(other));
    return this.#pinsOf(others, calendarIds);
  }

  /** Those of all guests of these calendars. */
  allPins(calendarIds: readonly string[]): ReadonlySet<string> {
    return this.#pinsOf(
      calendarIds.flatMap((id) => this.ofCalendar(id)),
      calendarIds,
    );
  }

  /** With the digits of stays that are no longer stored. */
  #pinsOf(stays: readonly Stay[], calendarIds: readonly string[]): ReadonlySet<string> {
    const pins = stays.map(({ pin }) => pin).filter((pin) => pin !== null);
    return new Set([...pins, ...calendarIds.flatMap((id) => this.record(id).spentPins ?? [])]);
  }

  /** False: nothing has changed. */
  noteRecord(record: CalendarRecord): boolean {
    return this.#tries(() => this.saveRecord(record));
  }

  /** Throws as `save` does. */
  saveRecord(record: CalendarRecord): void {
    if (!this.#isRead) {
      // It may hold stays that a person has entered.
      throw new RetryError('storage-failed', TROUBLE);
    }
    this.#parts.stayStore.saveCalendar(record);
    this.#records.set(record.calendarId, record);
  }

  /** Keeps the record in memory alone: its next change goes to the disk. */
  remember(record: CalendarRecord): void {
    this.#records.set(record.calendarId, record);
  }

  /** Throws as `save` does. */
  eraseRecord(calendarId: string): void {
    this.#parts.stayStore.eraseCalendar(calendarId);
    this.#records.delete(calendarId);
  }

  /** Throws as `save` does. */
  eraseAll(): void {
    this.#parts.stayStore.eraseUnread();
    this.#unread = [];
    this.#unreadRecords = [];
    this.setEnding(false);
    this.#inOrder = null;
    for (const id of this.#stays.keys()) {
      this.#parts.stayStore.eraseStay(id);
      this.#stays.delete(id);
    }
    for (const id of this.#records.keys()) {
      this.eraseRecord(id);
    }
    this.#parts.onChange();
  }

  #tries(work: () => void): boolean {
    const done = tryDisk(this.#parts.log, t(TROUBLE), () => {
      work();
      return true;
    });
    return done === true;
  }
}

/** Digits of former stays are not given again for about this many stays (our choice). */
const MOST_SPENT = 200;

const NOTHING_KNOWN = {
  ...NOTHING_BELIEVED,
  validators: null,
  addressMark: '',
  wholeAt: null,
  lastGoodAt: null,
  counts: { stays: 0, notStays: 0, leftOut: 0 },
} as const;

const CALENDAR_ID = /"calendarId":"([^"\\]*)"/u;

/** What the stays, and the remains of its row, still say of a calendar: so no booking looks lost, and no digits look unused. */
function rebuilt(calendarId: string, text: string, stays: readonly Stay[]): CalendarRecord {
  const bookings = stays
    .filter(({ isCancelled, endedAt }) => !isCancelled && endedAt === null)
    .map(({ booking }) => booking);
  const byHand = bookings.filter((booking) => booking.isByHand === true);
  const spentPins = /"spentPins":\[([^\]]*)/u.exec(text)?.[1]?.match(/\d{4,}/gu) ?? [];
  return {
    calendarId,
    ...NOTHING_KNOWN,
    bookings: bookings.filter((booking) => booking.isByHand !== true),
    spentPins,
    ...(byHand.length === 0 ? {} : { byHand }),
  };
}
