// What is wrong with a translation, as far as one can see without knowing the language.
import type { Messages } from '../../../scripts/form-languages.ts';
import { icuArguments } from './icu-arguments.ts';

/** Names of things, which read the same in every language. */
export const NAMES =
  /\b(?:BLE|Home Assistant|Homebridge|HomeKit|IANA|JWKS?|JWS|Matter|MQTT|NFC|OAuth|PEM|PKCE|PKCS|README|REST|RSA-PSS|SHA|TLS|https?)\b/g;

/** Words that some language takes over from English. A sentence is never one. */
const TAKEN_OVER: ReadonlySet<string> = new Set([
  'Broker',
  'Check-in',
  'Check-out',
  'Code',
  'Dashboard',
  'MQTT',
  'Matter',
  'Name',
  'Password',
  'Port',
  'Signature',
  'TLS',
  'Webhooks',
  'Demo',
  'Account',
  'File',
  'Menu',
  'app',
  'offline',
  'Codes',
  'Topics',
  'Version',
  'Was offline',
  'code',
  '{codes, plural, one {# code} other {# codes}}.',
  'Site',
  'Site {id}',
  'Pages',
  'Service',
  '{whose} (inactive)',
  '{count, plural, one {# offline} other {# offline}}',
  'Message',
  'Minutes',
  'Options',
  'English',
  'Deutsch',
  'Español',
  'Français',
  'Italiano',
  '日本語',
  'Nederlands',
]);

/** Languages that write "one" and "two" as digits: there, a number may come in addition. */
const COUNTS_IN_DIGITS: ReadonlySet<string> = new Set(['ja']);

const code = (text: string): readonly string[] => text.match(/`[^`]*`/g) ?? [];
const withoutCode = (text: string): string => text.replace(/`[^`]*`/g, '');
const addresses = (text: string): readonly string[] => text.match(/https?:\/\/[^\s)`]+/g) ?? [];
/** Thousands are grouped in each language's own way. */
const numbers = (text: string): readonly string[] =>
  withoutCode(text)
    .replace(/(?<=\d)[.,\u{A0}\u{202F}](?=\d{3}(?!\d))/gu, '')
    .match(/\d+(?:[.,]\d+)*/g) ?? [];
const names = (text: string): readonly string[] => [...new Set(withoutCode(text).match(NAMES) ?? [])];

/** Each mark of the English sentence that has to come back, by what it is called. */
const MARKS: Readonly<Record<string, (text: string) => readonly string[]>> = {
  code,
  addresses,
  numbers,
  names,
};

/** What is wrong with one translation, by words; empty when nothing is. */
export function messageFaults(language: string, english: string, translation: string): readonly string[] {
  if (translation.trim() === '') {
    return ['empty'];
  }
  const faults = Object.entries(MARKS).flatMap(([what, marksOf]) => {
    const mayBeMore = what === 'numbers' && COUNTS_IN_DIGITS.has(language);
    return sameMarks(marksOf(english), marksOf(translation), mayBeMore) ? [] : [`other ${what}`];
  });
  return [
    ...faults,
    ...(translation === english && !TAKEN_OVER.has(english) ? ['still English'] : []),
    ...(sameArguments(english, translation) ? [] : ['other values']),
    // In ICU, a straight one begins a quotation.
    ...(withoutCode(translation).includes("'") ? ['a straight apostrophe'] : []),
    ...(translation === translation.trim() && !/ {2}/.test(translation) ? [] : ['spare spaces']),
    ...(/[.。]\)?$/.test(english) === /[.。]\)?$/.test(translation) ? [] : ['another end']),
  ];
}

/** Every fault of a language's file, each with its sentence. `sentences`: everything there is to translate. */
export function languageFaults(
  language: string,
  messages: Messages,
  sentences: ReadonlySet<string>,
): readonly string[] {
  return Object.entries(messages).flatMap(([english, translation]) =>
    sentences.has(english)
      ? messageFaults(language, english, translation).map((fault) => `${fault}: ${english}`)
      : [`not used: ${english}`],
  );
}

/** Words of the list above that no language takes over. */
export function needlesslyTakenOver(languages: Iterable<Messages>): readonly string[] {
  const kept = new Set(
    [...languages].flatMap((messages) => [...TAKEN_OVER].filter((word) => messages[word] === word)),
  );
  return [...TAKEN_OVER].filter((word) => !kept.has(word));
}

/** A language may order them otherwise. */
function sameMarks(english: readonly string[], theirs: readonly string[], mayBeMore: boolean): boolean {
  const left = [...theirs];
  const areKept = english.every((mark) => {
    const place = left.indexOf(mark);
    return place !== -1 && left.splice(place, 1).length === 1;
  });
  return areKept && (mayBeMore || left.length === 0);
}

function sameArguments(english: string, translation: string): boolean {
  try {
    const [ours, theirs] = [english, translation].map((text) => icuArguments(withoutCode(text)).join());
    return ours === theirs;
  } catch {
    return false;
  }
}
