// Chooses the name and the digits of a stay's code, by the codes of its locks and of the other guests.
import { type CodeSchedule, sameSchedule } from '../../../domain/codes/access-code.ts';
import type { GuestStay, HoursOn } from '../../../domain/codes/guest.ts';
import { freeName } from '../../../domain/codes/names.ts';
import { type Message, message } from '../../../domain/language/message.ts';
import type { LockId } from '../../../domain/locks/lock.ts';
import type { AccessCodes } from '../../../engine/codes/access-codes.ts';
import type { GuestAnswer, Guests, GuestView } from '../../../engine/codes/guests.ts';
import { wordsOf } from '../../../support/errors.ts';
import type { Stay } from '../policy/stay.ts';
import type { StayCalendar } from '../policy/stay-calendar.ts';
import { codesToTry, type LockCodeFacts } from '../policy/stay-code-policy.ts';
import { hoursOnLock } from '../policy/stay-hours.ts';
import { wantedName } from '../policy/stay-name.ts';
import type { CalendarSetup } from '../policy/stay-ports.ts';
import type { StayBook } from './stay-book.ts';

export interface StayCodeChoiceParts {
  readonly codes: Pick<AccessCodes, 'facts'>;
  readonly guests: Pick<Guests, 'add' | 'update'>;
  readonly book: Pick<StayBook, 'spentPins' | 'allPins'>;
  readonly setup: Pick<CalendarSetup, 'calendars'>;
  /** This many digits, each equally likely, from a secure source. */
  readonly randomDigits: (count: number) => string;
}

export interface WantedCode {
  readonly stay: Stay;
  readonly calendar: StayCalendar;
  readonly zone: string;
  readonly locks: readonly LockId[];
}

export interface WantedReserve {
  readonly calendar: StayCalendar;
  readonly locks: readonly LockId[];
  readonly mark: GuestStay;
}

/** `trouble`: why nothing was changed, and what to do. `isFull`: a lock has as many guests as it takes. */
export type ChosenCode =
  | { readonly kind: 'chosen'; readonly pin: string; readonly name: string }
  | { readonly kind: 'trouble'; readonly words: Message; readonly isFull?: boolean };

/** The codes of the locks. `trouble`: why none of the locks can be read at the moment. */
export interface KnownOfLocks {
  readonly locks: readonly LockCodeFacts[];
  /** Names in lower case. */
  readonly names: ReadonlySet<string>;
  readonly trouble: Message | null;
}

interface NewDraft {
  readonly base: string;
  readonly schedule: CodeSchedule;
  readonly hoursOn?: HoursOn;
}

const NO_LENGTH = message(
  'No number of digits fits all locks of the calendar. Choose fewer locks, and give each group a calendar of its own.',
);
const NO_CODE = message(
  'No code was found that differs enough from those on the locks. Remove codes that are not needed.',
);

const NOTHING_KNOWN: LockCodeFacts = {
  codes: [],
  lengths: { anyLength: false, knownLength: null, refusedLengths: [] },
};

export function scheduleOf({ window }: Pick<Stay, 'window'>): CodeSchedule {
  return { kind: 'temporary', from: window.opensAt, until: window.closesAt };
}

/** The hours of the locks of a stay that differ from those of its schedule. */
export function hoursOnLocks({
  stay,
  calendar,
  locks,
}: Pick<WantedCode, 'stay' | 'calendar' | 'locks'>): HoursOn {
  if (calendar.lockHours.length === 0) {
    return {};
  }
  const whole = scheduleOf(stay);
  const all = locks.map((id): readonly [LockId, CodeSchedule] => [
    id,
    { kind: 'temporary', ...hoursOnLock(stay.window, id, calendar) },
  ]);
  return Object.fromEntries(all.filter(([, schedule]) => !sameSchedule(schedule, whole)));
}

export class StayCodeChoice {
  readonly #parts: StayCodeChoiceParts;

  constructor(parts: StayCodeChoiceParts) {
    this.#parts = parts;
  }

  /** Never rejects: a lock that cannot be read is judged by the others, and by itself later. */
  async known(ids: readonly LockId[]): Promise<KnownOfLocks> {
    const locks: LockCodeFacts[] = [];
    let trouble: Message | null = null;
    for (const id of ids) {
      try {
        locks.push(await this.#parts.codes.facts(id));
      } catch (error) {
        trouble = wordsOf(error);
      }
    }
    const names = locks.flatMap(({ codes }) => codes.map(({ name }) => name.toLowerCase()));
    const isRead = locks.length > 0;
    return {
      locks: isRead ? locks : [NOTHING_KNOWN],
      names: new Set(names),
      trouble: isRead ? null : trouble,
    };
  }

  /** Makes the guest of a stay. Throws as `Guests.add` does. */
  addGuest(wanted: WantedCode, known: KnownOfLocks): ChosenCode {
    const { stay, calendar, locks } = wanted;
    const mark = { id: stay.id, calendar: calendar.name };
    const draft = {
      base: this.nameOf(wanted),
      schedule: scheduleOf(stay),
      hoursOn: hoursOnLocks(wanted),
    };
    return this.#added(draft, this.#pins(wanted, known), { locks, mark }, known);
  }

  /** Makes the guest of a code in reserve: its digits are nobody's. Throws as `Guests.add` does. */
  addReserve({ calendar, locks, mark }: WantedReserve, known: KnownOfLocks): ChosenCode {
    const { randomDigits, book } = this.#parts;
    const pins = codesToTry({
      code: 'random',
      phone4: null,
      former: null,
      spent: book.allPins(this.#beside(calendar)),
      locks: known.locks,
      randomDigits,
    });
    return this.#added({ base: 'Reserve', schedule: { kind: 'always' } }, pins, { locks, mark }, known);
  }

  /** Gives a guest of a stay other digits. Throws as `Guests.update` does. */
  change(wanted: WantedCode, known: KnownOfLocks, guest: StayGuest, present: string): ChosenCode {
    const fresh = { ...wanted, stay: { ...wanted.stay, pin: null } };
    const pins = this.#pins(fresh, known).filter((pin) => pin !== present);
    return this.#firstTaken(pins, (pin) =>
      this.#parts.guests.update(guest.id, { pin }, guest.revision, 'stay'),
    );
  }

  /** The name that a stay should have, before other stays are looked at. */
  nameOf({ stay, calendar, zone }: Pick<WantedCode, 'stay' | 'calendar' | 'zone'>): string {
    return wantedName(stay.booking, stay.window, { names: calendar.names, zone });
  }

  #added(
    { base, schedule, hoursOn = {} }: NewDraft,
    pins: readonly string[],
    { locks, mark }: Pick<WantedReserve, 'locks' | 'mark'>,
    { names }: KnownOfLocks,
  ): ChosenCode {
    const taken = new Set(names);
    let name = freeName(base, taken);
    return this.#firstTaken(pins, (pin) => {
      for (;;) {
        const answer = this.#parts.guests.add({ name, pin, schedule }, locks, { stay: mark, hoursOn });
        if (answer.kind === 'saved' || answer.faults.every(({ field }) => field !== 'name')) {
          return answer;
        }
        taken.add(name.toLowerCase());
        name = freeName(base, taken);
      }
    });
  }

  #pins({ stay, calendar }: WantedCode, known: KnownOfLocks): readonly string[] {
    const { randomDigits, book } = this.#parts;
    const { phone4 } = stay.booking;
    const spent = book.spentPins(stay, this.#beside(calendar));
    const { locks } = known;
    return codesToTry({ code: calendar.code, phone4, former: stay.pin, spent, locks, randomDigits });
  }

  /** The calendar, and those that have a lock in common with it: digits of their guests open the same doors. */
  #beside({ id, locks }: StayCalendar): readonly string[] {
    const others = this.#parts.setup
      .calendars()
      .filter((one) => one.locks.some((lock) => locks.includes(lock)));
    return [...new Set([id, ...others.map((one) => one.id)])];
  }

  #firstTaken(pins: readonly string[], attempt: (pin: string) => GuestAnswer): ChosenCode {
    for (const pin of pins) {
      const answer = attempt(pin);
      if (answer.kind === 'saved') {
        return { kind: 'chosen', pin, name: answer.guest.name };
      }
      const other = answer.faults.find(({ field }) => field !== 'pin');
      if (other !== undefined) {
        return { kind: 'trouble', words: other.words, isFull: other.reason === 'code-not-added' };
      }
    }
    return { kind: 'trouble', words: pins.length === 0 ? NO_LENGTH : NO_CODE };
  }
}

type StayGuest = Pick<GuestView, 'id' | 'revision'>;
