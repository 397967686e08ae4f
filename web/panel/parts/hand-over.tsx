// Hands a text over to another program: copied, or shared where the browser can, with what came of it.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Message } from '../../../src/domain/language/message.ts';
import { t } from '../../../src/words/translate.ts';
import { useAction } from '../state/page-context.ts';
import { copyAsked, shareText } from './clipboard.ts';

interface HandedOver {
  readonly text: string;
  /** What a person has to know of it. */
  readonly notice?: Message | null;
}

/** What is said once it is copied, or where the browser does not allow that. */
export interface CopyWords {
  readonly done: Message;
  readonly byHand: Message;
}

export function useHandOver() {
  const { run, isBusy, failure } = useAction();
  /** Null: nothing was copied yet. */
  const [said, setSaid] = useState<ComponentChildren>(null);
  const copy = async (ask: () => Promise<HandedOver>, { done, byHand }: CopyWords): Promise<void> => {
    setSaid(null);
    await run(async () => {
      const asked = ask();
      const isDone = await copyAsked(async () => (await asked).text, document.activeElement);
      const { notice = null } = await asked;
      setSaid(
        <>
          <p>{t(isDone ? done : byHand)}</p>
          {notice !== null && <p class="fault">{t(notice)}</p>}
        </>,
      );
    });
  };
  const share = async (text: string): Promise<void> => {
    await run(async () => shareText(text));
  };
  return { copy, share, said, isBusy, failure };
}
