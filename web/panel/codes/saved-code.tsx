// What the sheet shows after a code was saved: the digits large, to be told, copied or shared, and a guest's message.
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { GuestView } from '../../../src/panel/operations/guests.ts';
import { onLockWords } from '../../../src/words/guests.ts';
import { t } from '../../../src/words/translate.ts';
import { canShare, copyAsked, shareText } from '../parts/clipboard.ts';
import { Button, Failure, Status } from '../parts/pieces.tsx';
import { useAction, usePageContext } from '../state/page-context.ts';
import { useMessageCopy } from './message-copy.tsx';

interface Saved {
  readonly name: string;
  readonly pin: string;
  /** Undefined: the code of one lock, and of no guest. */
  readonly guest: Pick<GuestView, 'id' | 'name' | 'nameOnLock'> | undefined;
}

/** Digits that were typed are shown once more; without, the form is closed. */
export function useSavedCode(onClose: () => void) {
  const [saved, setSaved] = useState<Saved | null>(null);
  const finish = (name: string, pin: string, guest?: Saved['guest']): void =>
    pin === '' ? onClose() : setSaved({ name, pin, guest });
  return { saved, finish };
}

export function SavedCode(props: Saved & { readonly onClose: () => void }): VNode {
  const { name, pin, guest, onClose } = props;
  const { call } = usePageContext();
  const [said, setSaid] = useState('');
  const working = useAction();
  const message = useMessageCopy(async (language, reader) =>
    call('guests.message', { guest: guest?.id, language, reader }),
  );
  const place = useRef<HTMLParagraphElement>(null);
  // The button that was pushed is gone.
  useEffect(() => place.current?.focus(), []);
  const copy = async (): Promise<void> => {
    const isDone = await copyAsked(async () => pin, document.activeElement);
    setSaid(isDone ? t('Digits copied.') : t('The browser does not allow copying.'));
  };
  return (
    <>
      <div class="code-form saved-code">
        <p ref={place} tabIndex={-1}>
          {t('Saved. {name} can be told this code:', { name })}
        </p>
        <p class="big-digits">{pin}</p>
        <p class="about">{guest === undefined ? '' : onLockWords(guest)}</p>
        <p class="about">{t('It works at a lock as soon as the list says that the code is there.')}</p>
        <Status>{said}</Status>
        <Failure failure={working.failure} />
        <div class="pushes">
          {guest !== undefined && (
            <Button kind="main" isBusy={message.copying.isBusy} onPress={() => void message.copy()}>
              {t('Copy message')}
            </Button>
          )}
          <Button isBusy={working.isBusy} onPress={() => void working.run(copy)}>
            {t('Copy digits')}
          </Button>
          {canShare() && (
            <Button isBusy={working.isBusy} onPress={() => void working.run(async () => shareText(pin))}>
              {t('Share')}
            </Button>
          )}
          <Button onPress={onClose}>{t('Close')}</Button>
        </div>
      </div>
      <Status>{message.said}</Status>
      <Failure failure={message.copying.failure} />
    </>
  );
}
