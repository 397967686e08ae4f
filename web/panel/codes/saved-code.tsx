// What the sheet shows after a code was saved: the digits large, to be told, copied or shared.
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../../src/words/translate.ts';
import { canShare, copyAsked, shareText } from '../parts/clipboard.ts';
import { Button, Failure, Status } from '../parts/pieces.tsx';
import { useAction } from '../state/page-context.ts';

export function SavedCode(props: {
  readonly name: string;
  readonly pin: string;
  /** A line below the digits; empty: none. */
  readonly about?: string;
  /** Further buttons. */
  readonly children?: ComponentChildren;
  readonly onClose: () => void;
}): VNode {
  const { name, pin, about = '', children, onClose } = props;
  const [said, setSaid] = useState('');
  const working = useAction();
  const place = useRef<HTMLParagraphElement>(null);
  // The button that was pushed is gone.
  useEffect(() => place.current?.focus(), []);
  const copy = async (): Promise<void> => {
    const isDone = await copyAsked(async () => pin, document.activeElement);
    setSaid(isDone ? t('Digits copied.') : t('The browser does not allow copying.'));
  };
  return (
    <div class="code-form saved-code">
      <p ref={place} tabIndex={-1}>
        {t('Saved. {name} can be told this code:', { name })}
      </p>
      <p class="big-digits">{pin}</p>
      {about !== '' && <p class="about">{about}</p>}
      <p class="about">{t('It works at a lock as soon as the list says that the code is there.')}</p>
      <Status>{said}</Status>
      <Failure failure={working.failure} />
      <div class="pushes">
        {children}
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
  );
}
