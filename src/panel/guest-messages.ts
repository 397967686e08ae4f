// Writes the message to a guest in the guest's language. It holds the digits: only the person who asks gets it.
import { GUEST_LANGUAGES, type GuestLanguage } from '../domain/codes/guest-language.ts';
import { type Message, message } from '../domain/language/message.ts';
import type { AccountRuntime } from '../engine/account-runtime.ts';
import type { GuestSource } from '../engine/codes/guest-source.ts';
import type { GuestView } from '../engine/codes/guests.ts';
import { doorsOfGuest, type GuestDoor } from '../engine/codes/standings.ts';
import { FinalError } from '../support/errors.ts';
import { type GuestMessageFacts, guestMessage } from '../words/guest-message.ts';
import { inLanguage, type Language, readerLanguage } from '../words/translate.ts';
import type { GuestMessageView, MessagesApi } from './views/messages.ts';

const OVER = message('The hours of this guest are over: the code opens nothing.');
const NO_LOCK = message('This guest has no code on a lock yet. Write when there is one.');

export class GuestMessages implements MessagesApi {
  readonly #parts;

  constructor(parts: {
    readonly runtime: Pick<AccountRuntime, 'guests' | 'serviceNow'>;
    /** What a message to the guest of a stay says. Throws final for one that is unknown, over or skipped. */
    readonly guestOf: GuestSource['guestOf'];
    /** Throws `not-owner` unless this process owns the account. */
    readonly assertOwned: () => void;
    readonly languageOf: (code: string) => Language;
  }) {
    this.#parts = parts;
  }

  ofStay(id: string, language: GuestLanguage | null, reader: string | null): GuestMessageView {
    const { doors, language: chosen, ...facts } = this.#owned.guestOf(id);
    return this.#written(facts, doors, language ?? chosen, reader);
  }

  ofGuest(id: string, language: GuestLanguage | null, reader: string | null): GuestMessageView {
    const { runtime } = this.#owned;
    const { guests } = runtime;
    const guest = guests.list().find((one) => one.id === id);
    if (guest?.stay !== undefined && guest.stay !== null) {
      return this.ofStay(guest.stay.id, language, reader);
    }
    // Throws where there is no such guest.
    const pin = guests.reveal(id);
    if (guest === undefined || guest.isLeaving) {
      throw new FinalError('refused', NO_LOCK);
    }
    const { name, schedule, timeZone } = guest;
    if (schedule.kind === 'temporary' && schedule.until <= (runtime.serviceNow() ?? 0)) {
      throw new FinalError('refused', OVER);
    }
    const facts = { guest: name, flat: '', when: schedule, timeZone, template: '', pin, ...betweenOf(guest) };
    return this.#written(facts, doorsOfGuest(guest), language, reader);
  }

  get #owned() {
    this.#parts.assertOwned();
    return this.#parts;
  }

  /** `reader`: the language of whoever asks, where none is chosen for the guest. */
  #written(
    facts: Omit<GuestMessageFacts, 'doors' | 'missing'>,
    doors: readonly GuestDoor[],
    chosen: GuestLanguage | null,
    reader: string | null,
  ): GuestMessageView {
    if (doors.length === 0) {
      throw new FinalError('refused', NO_LOCK);
    }
    const wanted = chosen ?? reader ?? readerLanguage().code;
    const language = GUEST_LANGUAGES.find((code) => code === wanted) ?? 'en';
    const missing = doors.filter(({ isReady }) => !isReady).map(({ name }) => name);
    const text = inLanguage(this.#parts.languageOf(language), () =>
      guestMessage({ ...facts, doors: doors.map(({ name }) => name), missing }),
    );
    return { text, language, missing, notice: missing.length === 0 ? null : missingWords(missing) };
  }
}

/** The hours of a guest who comes between stays: each lock has its own. */
function betweenOf({ between, onLocks, hoursOn = {} }: GuestView): Pick<GuestMessageFacts, 'between'> {
  const hours = onLocks.flatMap(({ lockId, lockName, isLeaving }) => {
    const when = hoursOn[lockId];
    return isLeaving || when === undefined ? [] : [{ door: lockName, when }];
  });
  return between === undefined ? {} : { between: hours };
}

function missingWords(missing: readonly string[]): Message {
  return message('The code is not on {doors} yet. The message says so.', { doors: missing });
}
