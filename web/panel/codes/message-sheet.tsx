// The sheet of the message to a guest: seen, shared and in another language.
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { GUEST_LANGUAGES, type GuestLanguage } from '../../../src/domain/codes/guest-language.ts';
import type { GuestMessageView } from '../../../src/panel/views/messages.ts';
import { capital } from '../../../src/words/sentence.ts';
import { languageCode, t } from '../../../src/words/translate.ts';
import { Choice, Labelled } from '../../shared/labelled.tsx';
import { canShare } from '../parts/clipboard.ts';
import { useHandOver } from '../parts/hand-over.tsx';
import { Button, Failure, Notice, Status } from '../parts/pieces.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { useAction } from '../state/page-context.ts';
import { type AskMessage, MESSAGE } from './message-copy.tsx';

/** `remember`: stores the language that a person chose for this guest; absent: it counts for this once. */
export function MessageSheet(props: {
  readonly name: string;
  readonly ask: AskMessage;
  readonly remember: ((language: GuestLanguage) => Promise<unknown>) | undefined;
  readonly onClose: () => void;
}): VNode {
  const { name, ask, remember, onClose } = props;
  const asking = useAction();
  const hand = useHandOver();
  const [shown, setShown] = useState<GuestMessageView | null>(null);
  const notice = shown?.notice ?? null;
  const readIn = async (language: GuestLanguage | null): Promise<void> => {
    await asking.run(async () => setShown(await ask(language, languageCode())));
  };
  useEffect(() => void readIn(null), []);
  const choose = async (language: GuestLanguage): Promise<void> => {
    await readIn(language);
    await remember?.(language);
  };
  return (
    <Sheet title={t('Message to {name}', { name })} onClose={onClose}>
      <div class="code-form">
        {shown !== null && (
          <>
            <LanguageChoice
              label={t('Language')}
              chosen={shown.language}
              onChoose={(language) => void choose(language ?? 'en')}
            />
            <TextArea label={t('Message')} value={shown.text} language={shown.language} />
          </>
        )}
        {notice !== null && (
          <Notice tone="warning">
            <p>{t(notice)}</p>
          </Notice>
        )}
        <Status>{hand.said}</Status>
        <Failure failure={asking.failure ?? hand.failure} />
        <div class="pushes">
          {shown !== null && (
            <Button
              kind="main"
              isBusy={hand.isBusy}
              onPress={() => void hand.copy(async () => shown, MESSAGE)}
            >
              {t('Copy message')}
            </Button>
          )}
          {shown !== null && canShare() && (
            <Button isBusy={hand.isBusy} onPress={() => void hand.share(shown.text)}>
              {t('Share')}
            </Button>
          )}
          <Button onPress={onClose}>{t('Close')}</Button>
        </div>
      </div>
    </Sheet>
  );
}

/** `unset`: the words of the choice that none is set; absent: one always is. */
export function LanguageChoice(props: {
  readonly label: string;
  readonly unset?: string;
  readonly chosen: GuestLanguage | null;
  readonly onChoose: (language: GuestLanguage | null) => void;
}): VNode {
  const { label, unset, chosen, onChoose } = props;
  const codes = [...(unset === undefined ? [] : [null]), ...GUEST_LANGUAGES];
  return (
    <Choice
      label={label}
      names={codes.map((code) => (code === null ? (unset ?? '') : ownName(code)))}
      chosen={codes.indexOf(chosen)}
      onChoose={(index) => onChoose(codes[index] ?? null)}
    />
  );
}

/** What a language is called in it, as the guest would look for it. */
function ownName(code: GuestLanguage): string {
  return capital(new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? code);
}

const MOST_ROWS = 18;

/** Several lines; without `onInput` they are only read. `rows` left out: as many as the text has, seen without scrolling. */
export function TextArea(props: {
  readonly label: string;
  readonly value: string;
  readonly rows?: number;
  readonly help?: string;
  readonly fault?: string | null;
  readonly language?: string;
  readonly onInput?: (text: string) => void;
}): VNode {
  const { label, value, rows, help, fault = null, language, onInput } = props;
  const isRead = onInput === undefined;
  const area = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const shown = area.current;
    if (rows === undefined && shown !== null) {
      shown.rows = 1;
      while (shown.rows < MOST_ROWS && shown.scrollHeight > shown.clientHeight) {
        shown.rows += 1;
      }
    }
  }, [value]);
  return (
    <Labelled label={label} help={help} fault={fault}>
      {(id) => (
        <textarea
          id={id}
          ref={area}
          rows={rows}
          value={value}
          readOnly={isRead}
          dir="auto"
          aria-invalid={fault !== null}
          aria-describedby={`${id}-about`}
          {...(language === undefined ? {} : { lang: language })}
          onFocus={({ currentTarget }) => isRead && currentTarget.select()}
          onInput={({ currentTarget }) => onInput?.(currentTarget.value)}
        />
      )}
    </Labelled>
  );
}
