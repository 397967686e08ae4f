// What the sheet shows after a code was saved: the digits large, to be told, copied or shared, and a guest's message.
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { message } from '../../../src/domain/language/message.ts';
import type { GuestView } from '../../../src/panel/operations/guests.ts';
import type { GuestMessageView } from '../../../src/panel/views/messages.ts';
import { onLockWords } from '../../../src/words/guests.ts';
import { languageCode, t } from '../../../src/words/translate.ts';
import { canShare } from '../parts/clipboard.ts';
import { type CopyWords, useHandOver } from '../parts/hand-over.tsx';
import { Button, Failure, Status } from '../parts/pieces.tsx';
import { usePageContext } from '../state/page-context.ts';
import { MESSAGE } from './message-copy.tsx';

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
  const { copy, share, said, isBusy, failure } = useHandOver();
  const ask = async (): Promise<GuestMessageView> =>
    call('guests.message', { guest: guest?.id, language: null, reader: languageCode() });
  const place = useRef<HTMLParagraphElement>(null);
  // The button that was pushed is gone.
  useEffect(() => place.current?.focus(), []);
  return (
    <div class="code-form saved-code">
      <p ref={place} tabIndex={-1}>
        {t('Saved. {name} can be told this code:', { name })}
      </p>
      <p class="big-digits">{pin}</p>
      <p class="about">{guest === undefined ? '' : onLockWords(guest)}</p>
      <p class="about">{t('It works at a lock as soon as the list says that the code is there.')}</p>
      <Status>{said}</Status>
      <Failure failure={failure} />
      <div class="pushes">
        {guest !== undefined && (
          <Button kind="main" isBusy={isBusy} onPress={() => void copy(ask, MESSAGE)}>
            {t('Copy message')}
          </Button>
        )}
        <Button isBusy={isBusy} onPress={() => void copy(async () => ({ text: pin }), DIGITS)}>
          {t('Copy digits')}
        </Button>
        {canShare() && (
          <Button isBusy={isBusy} onPress={() => void share(pin)}>
            {t('Share')}
          </Button>
        )}
        <Button onPress={onClose}>{t('Close')}</Button>
      </div>
    </div>
  );
}

const DIGITS: CopyWords = {
  done: message('Digits copied.'),
  byHand: message('The browser does not allow copying.'),
};
