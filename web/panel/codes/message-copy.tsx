// The message to a guest in the menu of a row: copied at once, or shown in its sheet.
import type { GuestLanguage } from '../../../src/domain/codes/guest-language.ts';
import { message } from '../../../src/domain/language/message.ts';
import type { GuestMessageView } from '../../../src/panel/views/messages.ts';
import { languageCode, t } from '../../../src/words/translate.ts';
import { type CopyWords, useHandOver } from '../parts/hand-over.tsx';
import type { MenuEntries } from '../parts/row-menu.tsx';
import { MessageSheet } from './later-forms.ts';

/** Asks the account for the message; `language`: for this once, or null. */
export type AskMessage = (language: GuestLanguage | null, reader: string) => Promise<GuestMessageView>;

export const MESSAGE: CopyWords = {
  done: message('Message copied.'),
  byHand: message('The browser does not allow copying. Open the message and copy it by hand.'),
};

/** `remember`: stores the language that a person chose for this guest. */
export function useGuestMessage(
  name: string,
  ask: AskMessage,
  remember?: (language: GuestLanguage) => Promise<unknown>,
) {
  const { copy, said, isBusy, failure } = useHandOver();
  const entries: MenuEntries = [
    {
      label: t('Copy message'),
      isBusy,
      onPress: () => void copy(async () => ask(null, languageCode()), MESSAGE),
    },
    {
      label: t('Message to the guest'),
      sheet: (onClose) => <MessageSheet {...{ name, ask, remember, onClose }} />,
    },
  ];
  return { said, failure, entries };
}
