// Translates sentences for the reader. An English sentence is the key of its translation; without one it is shown itself.
import { IntlMessageFormat } from 'intl-messageformat';
import type { Literal, Message, MessageValue, MessageValues } from '../domain/language/message.ts';
import { listFormatOf } from './formats.ts';

export interface Language {
  /** Such as "de". */
  readonly code: string;
  /** For dates, numbers and lists, such as "de-AT"; undefined: as the surroundings have it. */
  readonly locale: string | undefined;
  /** English sentences with their translation. */
  readonly messages: Readonly<Record<string, string>>;
  /** What stands in `messages` for an English sentence; the sentence itself when left out. */
  readonly keyOf?: (english: string) => string;
}

export const ENGLISH: Language = { code: 'en', locale: undefined, messages: {} };

/** A page speaks the language of its reader; log and terminal speak English. */
let spoken = ENGLISH;

/** Of the person behind a process: of the page after signing in, and of the message for a guest. */
let reader = ENGLISH;

/** By language and text. */
const formats = new Map<string, IntlMessageFormat>();

/** To be called once, before the first sentence. */
export function setLanguage(language: Language): void {
  spoken = language;
}

export function setReader(language: Language): void {
  reader = language;
}

export function readerLanguage(): Language {
  return reader;
}

export function languageCode(): string {
  return spoken.code;
}

/** Between two facts of a line, in the reader's language. */
export function comma(): string {
  return spoken.code === 'ja' ? '、' : ', ';
}

/** Joins names as the language of the words does, and where it can, as the reader's country does. */
export function listFormat(): Intl.ListFormat {
  const { code, locale: tag = code } = spoken;
  return listFormatOf(tag.split('-')[0] === code ? tag : code);
}

/** For `Intl`; undefined: as the surroundings have it. */
export function locale(): string | undefined {
  return spoken.locale;
}

/** The sentence in the language of this process. `text`: an ICU message in English; a message brings its own values. */
export function t<Text extends string>(text: Literal<Text> | Message, values?: MessageValues): string {
  return typeof text === 'string' ? formatted(text, values) : formatted(text.text, text.values);
}

/** What `make` says, in English: for programs, which compare what they read. */
export function inEnglish<Words>(make: () => Words): Words {
  return inLanguage(ENGLISH, make);
}

/** What `make` says in another language, such as that of a guest. */
export function inLanguage<Words>(language: Language, make: () => Words): Words {
  const own = spoken;
  spoken = language;
  try {
    return make();
  } finally {
    spoken = own;
  }
}

function formatted(english: string, values: MessageValues | undefined): string {
  const translation = translationOf(english);
  if (values === undefined && !translation.includes('{')) {
    return translation;
  }
  try {
    const shownValues = plain(values);
    return PLAIN.test(translation)
      ? filled(translation, shownValues)
      : String(formatOf(translation, true).format(shownValues));
  } catch {
    // A faulty sentence, or a value that was lost on its way, must not hide what is being said.
    return english;
  }
}

/** A sentence that neither chooses nor counts nor quotes. The first use of ICU in a process takes 11 ms and some memory. */
const PLAIN = /^[^{}'#<]*(?:\{\w+\}[^{}'#<]*)*$/u;

/** Throws when a value is missing. */
function filled(sentence: string, values: Readonly<Record<string, string | number>>): string {
  return sentence.replaceAll(/\{(\w+)\}/gu, (_, name: string) => {
    const value = values[name];
    if (value === undefined) {
      throw new Error(`No value: ${name}`);
    }
    return String(value);
  });
}

/** Values that are messages themselves, formatted. */
function plain(values: MessageValues = {}): Readonly<Record<string, string | number>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'number' ? value : shown(value)]),
  );
}

function shown(value: MessageValue): string {
  if (typeof value !== 'object' || value === null) {
    return String(value);
  }
  return 'text' in value ? t(value) : value.map(shown).join(comma());
}

/** The same for pages, whose values may be parts of the page; a tag such as `<em>` is a function of what stands in it. */
export function tRich<Text extends string, Part>(
  text: Literal<Text>,
  values: Readonly<Record<string, string | number | Part | ((parts: (string | Part)[]) => Part)>>,
): string | Part | (string | Part)[] {
  return formatOf(translationOf(text), false).format<Part>(values);
}

function translationOf(english: string): string {
  return spoken.messages[spoken.keyOf?.(english) ?? english] ?? english;
}

function formatOf(text: string, ignoreTag: boolean): IntlMessageFormat {
  const key = `${spoken.code} ${String(ignoreTag)} ${text}`;
  const known = formats.get(key);
  if (known !== undefined) {
    return known;
  }
  const format = new IntlMessageFormat(text, spoken.code, undefined, { ignoreTag });
  formats.set(key, format);
  return format;
}
