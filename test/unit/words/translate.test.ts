// Sentences in the language of the reader.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import { afterEach, describe, expect, it } from 'vitest';
import { projectMessages } from '../../../scripts/messages.ts';
import { message } from '../../../src/domain/language/message.ts';
import { chosenLanguage, environmentLanguages } from '../../../src/words/languages.ts';
import { ENGLISH, setLanguage, t, tRich } from '../../../src/words/translate.ts';

const GERMAN = {
  'Retrying in {wait}.': 'Neuer Versuch in {wait}.',
  '{count, plural, one {# lock} other {# locks}}': '{count, plural, one {# Schloss} other {# Schlösser}}',
  locked: 'verriegelt',
  'Press <em>Save</em>.': 'Drücke <em>Sichern</em>.',
};

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'languages');

const LANGUAGES = [
  { code: 'en', messages: {} as Readonly<Record<string, string>> },
  ...readdirSync(FOLDER).map((name) => ({
    code: name.slice(0, 2),
    messages: JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Readonly<Record<string, string>>,
  })),
];

function speakGerman(): void {
  setLanguage({ code: 'de', locale: 'de-AT', messages: GERMAN });
}

afterEach(() => setLanguage(ENGLISH));

describe('a sentence', () => {
  it('is English where nothing was set', () => {
    expect(t('Retrying in {wait}.', { wait: '5 s' })).toBe('Retrying in 5 s.');
    expect(t('{count, plural, one {# lock} other {# locks}}', { count: 1 })).toBe('1 lock');
  });

  it('is that of the language, with values and plurals and sentences as values, or English without a translation', () => {
    speakGerman();
    expect(t('Retrying in {wait}.', { wait: '5 s' })).toBe('Neuer Versuch in 5 s.');
    expect(t('{count, plural, one {# lock} other {# locks}}', { count: 2 })).toBe('2 Schlösser');
    const wait = message('{count, plural, one {# lock} other {# locks}}', { count: 1 });
    expect(t(message('Retrying in {wait}.', { wait }))).toBe('Neuer Versuch in 1 Schloss.');
    expect(t('Not translated: {what}', { what: 'so' })).toBe('Not translated: so');
  });

  it('is said in English where a translation is faulty, or a value was lost on its way', () => {
    const faulty = { 'Retrying in {wait}.': 'Neuer Versuch in {wait.', 'Was {bolt}': 'War {riegel}' };
    setLanguage({ code: 'de', locale: 'de', messages: faulty });
    expect(t('Retrying in {wait}.', { wait: '5 s' })).toBe('Retrying in {wait}.');
    expect(t('Was {bolt}', { bolt: 'locked' })).toBe('Was {bolt}');
    const lost: unknown = null;
    expect(t(message('{lock}: {why}', { lock: 'A', why: lost as string }))).toBe('A: null');
  });

  it('reads as ICU has it, whatever it is made of, in every language', () => {
    const { messages } = projectMessages(join(import.meta.dirname, '..', '..', '..'));
    const texts = new Set(messages.map(({ text }) => text));
    for (const { code, messages: translations } of LANGUAGES) {
      setLanguage({ code, locale: code, messages: translations });
      for (const text of texts) {
        const translation = translations[text] ?? text;
        const format = new IntlMessageFormat(translation, code, undefined, { ignoreTag: true });
        const names = [...translation.matchAll(/\{(\w+)/gu)].map(([, name = '']) => name);
        const values = Object.fromEntries(
          names.map((name, index) => [name, index % 2 === 0 ? 1_234.5 : '<{x}>']),
        );
        expect(t({ text, values })).toBe(String(format.format(values)));
      }
    }
    expect(texts.size).toBeGreaterThan(2_000);
  });

  it('keeps braces and tags in a value as they are', () => {
    expect(t('Retrying in {wait}.', { wait: '{x} <b>' })).toBe('Retrying in {x} <b>.');
  });

  it('puts parts of a page where its tags and values stand', () => {
    speakGerman();
    expect(tRich('Press <em>Save</em>.', { em: (parts: unknown) => ({ em: parts }) })).toEqual([
      'Drücke ',
      { em: ['Sichern'] },
      '.',
    ]);
  });
});

describe('the language', () => {
  it.each([
    [['de-AT', 'en'], 'de', 'de-AT'],
    [['pl', 'fr-CA'], 'fr', 'fr-CA'],
    [['en-GB', 'de'], null, 'en-GB'],
    [['pl'], null, undefined],
    [['auto', '', 'x y'], null, undefined],
    [[], null, undefined],
  ])('is the first of %j that is spoken', (wanted, code, locale) => {
    expect(chosenLanguage(wanted)).toEqual({ code, locale });
  });

  it.each([
    [{ LANG: 'de_AT.UTF-8' }, 'de-AT'],
    [{ LANG: 'de_DE', LC_ALL: 'C' }, 'C'],
    [{ LC_MESSAGES: 'fr_FR@euro', LANG: 'de_DE' }, 'fr-FR'],
    [{}, ''],
  ])('of the environment %j is "%s"', (environment, tag) => {
    expect(environmentLanguages(environment)).toEqual([tag]);
  });
});
