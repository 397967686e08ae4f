// The message to a guest in the menu of a row: copied at once, or shown in its sheet.
import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { GuestLanguage } from '../../../src/domain/codes/guest-language.ts';
import type { GuestMessageView } from '../../../src/panel/views/messages.ts';
import { languageCode, t } from '../../../src/words/translate.ts';
import { copyAsked } from '../parts/clipboard.ts';
import type { MenuEntry } from '../parts/row-menu.tsx';
import { type PageAction, useAction } from '../state/page-context.ts';
import { MessageSheet } from './later-forms.ts';

/** Asks the account for the message; `language`: for this once, or null. */
export type AskMessage = (language: GuestLanguage | null, reader: string) => Promise<GuestMessageView>;

export interface MessageCopy {
  readonly copying: PageAction;
  /** What came of it; null: nothing was copied yet. */
  readonly said: ComponentChildren;
  readonly copy: () => Promise<void>;
}

export function useMessageCopy(ask: AskMessage): MessageCopy {
  const copying = useAction();
  const [copied, setCopied] = useState<{ readonly isDone: boolean; readonly notice: string | null } | null>(
    null,
  );
  const copy = async (): Promise<void> => {
    setCopied(null);
    await copying.run(async () => {
      let notice: string | null = null;
      const isDone = await copyAsked(async () => {
        const message = await ask(null, languageCode());
        notice = message.notice === null ? null : t(message.notice);
        return message.text;
      }, document.activeElement);
      setCopied({ isDone, notice });
    });
  };
  const said =
    copied === null ? null : (
      <>
        <p>
          {copied.isDone
            ? t('Message copied.')
            : t('The browser does not allow copying. Open the message and copy it by hand.')}
        </p>
        {copied.notice !== null && <p class="fault">{copied.notice}</p>}
      </>
    );
  return { copying, said, copy };
}

/** `remember`: stores the language that a person chose for this guest. */
export function useGuestMessage(
  name: string,
  ask: AskMessage,
  remember?: (language: GuestLanguage) => Promise<unknown>,
) {
  const { copying, said, copy } = useMessageCopy(ask);
  const [isOpen, setOpen] = useState(false);
  return {
    said,
    failure: copying.failure,
    entries: (entry: MenuEntry): VNode => (
      <>
        {entry(t('Copy message'), () => void copy(), copying.isBusy)}
        {entry(t('Message to the guest'), () => setOpen(true))}
      </>
    ),
    sheet: isOpen && <MessageSheet {...{ name, ask, remember }} onClose={() => setOpen(false)} />,
  };
}
