// Puts sentences into the language of the reader: the English sentence is the key, and is shown where nobody has translated it.
import { IntlMessageFormat } from 'intl-messageformat';
import type { Literal, Message, MessageValue, MessageValues } from '../domain/message.ts';

export interface Language {
  /** Such as "de". */
  readonly code: string;
  /** For dates, numbers and lists, such as "de-AT"; undefined: as the surroundings have it. */
  readonly locale: string | undefined;
  /** English sentences with their translation. */
  readonly messages: Readonly<Record<string, string>>;
}

export const ENGLISH: Language = { code: 'en', locale: undefined, messages: {} };

/** A process speaks one language: a page that of its reader, the log and a command that of their owner. */
let spoken = ENGLISH;
let formats = new Map<string, IntlMessageFormat>();

/** To be called once, before the first sentence. */
export function setLanguage(language: Language): void {
  spoken = language;
  formats = new Map();
}

export function languageCode(): string {
  return spoken.code;
}

/** For `Intl`; undefined: as the surroundings have it. */
export function locale(): string | undefined {
  return spoken.locale;
}

/** The sentence in the language of this process. `text`: an ICU message in English; a message brings its own values. */
export function t<Text extends string>(text: Literal<Text> | Message, values?: MessageValues): string {
  return typeof text === 'string' ? formatted(text, values) : formatted(text.text, text.values);
}

function formatted(english: string, values: MessageValues | undefined): string {
  const translation = translationOf(english);
  if (values === undefined && !translation.includes('{')) {
    return translation;
  }
  return String(formatOf(english, translation, true).format(plain(values)));
}

/** Values that are messages themselves, formatted. */
function plain(values: MessageValues = {}): Readonly<Record<string, string | number>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]: [string, MessageValue]) => [
      name,
      typeof value === 'object' ? t(value) : value,
    ]),
  );
}

/** The same for pages, whose values may be parts of the page; a tag such as `<em>` is a function of what stands in it. */
export function tRich<Text extends string, Part>(
  text: Literal<Text>,
  values: Readonly<Record<string, string | number | Part | ((parts: (string | Part)[]) => Part)>>,
): string | Part | (string | Part)[] {
  return formatOf(text, translationOf(text), false).format<Part>(values);
}

function translationOf(english: string): string {
  return spoken.messages[english] ?? english;
}

function formatOf(english: string, translation: string, ignoreTag: boolean): IntlMessageFormat {
  const key = `${String(ignoreTag)} ${english}`;
  const known = formats.get(key);
  if (known !== undefined) {
    return known;
  }
  const format = new IntlMessageFormat(translation, spoken.code, undefined, { ignoreTag });
  formats.set(key, format);
  return format;
}
