// The sheet of the message to a guest: seen, shared and in another language.
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { GUEST_LANGUAGES, type GuestLanguage } from '../../../src/domain/codes/guest-language.ts';
import type { GuestMessageView } from '../../../src/panel/views/messages.ts';
import { languageCode, t } from '../../../src/words/translate.ts';
import { Choice, Labelled } from '../../shared/labelled.tsx';
import { canShare, shareText } from '../parts/clipboard.ts';
import { Button, Failure, Notice, Status } from '../parts/pieces.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { useAction } from '../state/page-context.ts';
import { type AskMessage, useMessageCopy } from './message-copy.tsx';

/** As the guest would look for it. */
const LANGUAGE_NAMES: Readonly<Record<GuestLanguage, string>> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  it: 'Italiano',
  ja: '日本語',
  nl: 'Nederlands',
};

/** `remember`: stores the language that a person chose for this guest; absent: it counts for this once. */
export function MessageSheet(props: {
  readonly name: string;
  readonly ask: AskMessage;
  readonly remember: ((language: GuestLanguage) => Promise<unknown>) | undefined;
  readonly onClose: () => void;
}): VNode {
  const { name, ask, remember, onClose } = props;
  const asking = useAction();
  const sharing = useAction();
  const { copying, said, copy } = useMessageCopy(async () => shown ?? ask(null, languageCode()));
  const [shown, setShown] = useState<GuestMessageView | null>(null);
  const look = async (language: GuestLanguage | null): Promise<void> => {
    await asking.run(async () => setShown(await ask(language, languageCode())));
  };
  useEffect(() => void look(null), []);
  const choose = async (language: GuestLanguage): Promise<void> => {
    await look(language);
    await remember?.(language);
  };
  return (
    <Sheet title={t('Message to {name}', { name })} onClose={onClose}>
      <div class="code-form">
        {shown !== null && <Written message={shown} onChoose={(language) => void choose(language)} />}
        <Status>{said}</Status>
        <Failure failure={asking.failure ?? copying.failure ?? sharing.failure} />
        <div class="pushes">
          {shown !== null && (
            <Button kind="main" isBusy={copying.isBusy} onPress={() => void copy()}>
              {t('Copy message')}
            </Button>
          )}
          {shown !== null && canShare() && (
            <Button
              isBusy={sharing.isBusy}
              onPress={() => void sharing.run(async () => shareText(shown.text))}
            >
              {t('Share')}
            </Button>
          )}
          <Button onPress={onClose}>{t('Close')}</Button>
        </div>
      </div>
    </Sheet>
  );
}

function Written(props: {
  readonly message: GuestMessageView;
  readonly onChoose: (language: GuestLanguage) => void;
}): VNode {
  const { text, language, notice } = props.message;
  return (
    <>
      <LanguageChoice
        label={t('Language')}
        chosen={language}
        onChoose={(code) => props.onChoose(code ?? 'en')}
      />
      <TextArea label={t('Message')} value={text} rows={rowsOf(text)} language={language} />
      {notice !== null && (
        <Notice tone="warning">
          <p>{t(notice)}</p>
        </Notice>
      )}
    </>
  );
}

/** What the message says of a lock without the code stands at its end: it is seen without scrolling, on a phone too. */
function rowsOf(text: string): number {
  const lines = text.split('\n').map((line) => Math.ceil(Math.max(widthOf(line), 1) / CHARACTERS_A_LINE));
  return Math.min(
    MOST_ROWS,
    lines.reduce((sum, rows) => sum + rows, 1),
  );
}

/** A character of Japanese is as wide as two letters. */
function widthOf(line: string): number {
  return line.length + (line.match(/[\u2e80-\uffef]/gu)?.length ?? 0);
}

/** Of a phone of 390 pixels. */
const CHARACTERS_A_LINE = 34;
const MOST_ROWS = 18;

/** `unset`: the words of the choice that none is set; absent: one always is. */
export function LanguageChoice(props: {
  readonly label: string;
  readonly unset?: string;
  readonly chosen: GuestLanguage | null;
  readonly onChoose: (language: GuestLanguage | null) => void;
}): VNode {
  const { label, unset, chosen, onChoose } = props;
  const codes: readonly (GuestLanguage | null)[] =
    unset === undefined ? GUEST_LANGUAGES : [null, ...GUEST_LANGUAGES];
  return (
    <Choice
      label={label}
      names={codes.map((code) => (code === null ? (unset ?? '') : LANGUAGE_NAMES[code]))}
      chosen={codes.indexOf(chosen)}
      onChoose={(index) => onChoose(codes[index] ?? null)}
    />
  );
}

/** Several lines; without `onInput` they are only read. */
export function TextArea(props: {
  readonly label: string;
  readonly value: string;
  readonly rows: number;
  readonly help?: string;
  readonly fault?: string | null;
  readonly language?: string;
  readonly onInput?: (text: string) => void;
}): VNode {
  const { label, value, rows, help, fault = null, language, onInput } = props;
  const isRead = onInput === undefined;
  return (
    <Labelled label={label} help={help} fault={fault}>
      {(id) => (
        <textarea
          id={id}
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
