// Messages to guests as people copy them on pages and on the command line.

import type { GuestLanguage } from '../../domain/codes/guest-language.ts';
import type { Message } from '../../domain/language/message.ts';

export interface GuestMessageView {
  /** It holds the digits: shown only to the person that requested it. */
  readonly text: string;
  readonly language: GuestLanguage;
  /** The doors whose lock does not have the code; the text says so. */
  readonly missing: readonly string[];
  /** The same for the host; null: the code is on every lock. */
  readonly notice: Message | null;
}

/** `language`: for this once; null: the chosen one, else that of the `reader`. Throws final where there is nothing to say. */
export interface MessagesApi {
  ofStay(stay: string, language: GuestLanguage | null, reader: string | null): GuestMessageView;
  ofGuest(guest: string, language: GuestLanguage | null, reader: string | null): GuestMessageView;
}
