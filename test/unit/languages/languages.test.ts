// The gate of the translations: used, sorted, and with everything in them that is no language.
import { describe, expect, it } from 'vitest';
import { readLanguages, sentencesOf, translatedForm } from '../../../scripts/form-languages.ts';
import { missingSentences, tidied, translatedSentences } from '../../../scripts/translations.ts';
import { projectText } from '../../support/document-block.ts';
import { languageFaults, messageFaults, needlesslyTakenOver } from './message-faults.ts';
import { pseudo } from './pseudo-language.ts';

const form: unknown = JSON.parse(projectText('config.schema.json'));
const languages = readLanguages('.');
const sentences = translatedSentences('.');

describe.each([...languages])('the translation into "%s"', (language, messages) => {
  it('keeps code, addresses, numbers and names, and has nothing unused, empty or English', () => {
    expect(languageFaults(language, messages, sentences)).toEqual([]);
  });

  it('is sorted, and has each sentence once', () => {
    const sorted = Object.fromEntries(Object.entries(messages).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    expect(projectText(`languages/${language}.json`)).toBe(`${JSON.stringify(sorted, null, 2)}\n`);
  });
});

describe('the gate of translations', () => {
  it('has more than two hundred sentences before it, in six languages', () => {
    expect(sentences.size).toBeGreaterThan(200);
    expect([...languages.keys()].toSorted()).toEqual(['de', 'es', 'fr', 'it', 'ja', 'nl']);
  });

  it('allows no word to stay English that no language takes over', () => {
    expect(needlesslyTakenOver(languages.values())).toEqual([]);
  });

  it.each([
    ['empty', 'Lock', ' '],
    ['still English', 'Add a lock', 'Add a lock'],
    ['other code', 'Default: `false`.', 'Standard: `falsch`.'],
    ['other code', 'Default: `false`.', 'Standard: false.'],
    ['other code', 'See `both`.', 'Siehe `both` und `both`.'],
    ['other addresses', 'See https://a.example/b.', 'Siehe https://a.example/c.'],
    ['other numbers', '4 to 8 digits', '4 bis 6 Ziffern'],
    ['other numbers', 'Some digits', 'Etwa 4 Ziffern'],
    ['other names', 'HomeKit and Matter', 'HomeKit'],
    ['other names', 'HomeKit only', 'Nur HomeKit und Matter'],
    ['other values', '{count} locks', '{anzahl} Schlösser'],
    ['other values', '{count} locks', '{count Schlösser'],
    ['other values', '{count, plural, one {# lock} other {# locks}}', '{count, plural, one {# Schloss}}'],
    ['a straight apostrophe', 'The account', "L'account"],
    ['spare spaces', 'Lock', 'Schloss '],
    ['another end', 'Low at this percentage.', 'Schwach ab diesem Wert'],
  ])('sees %s: "%s" as "%s"', (fault, english, translation) => {
    expect(messageFaults('de', english, translation)).toEqual([fault]);
  });

  it.each([
    ['ja', 'One lock', '1台のロック'],
    [
      'de',
      '{count, plural, one {# lock} other {# locks}}',
      '{count, plural, other {# Schlösser} one {# Schloss}}',
    ],
    ['de', '`{random2}` or {name, select, other {none}}', '{name, select, other {keines}} oder `{random2}`'],
  ])('lets a language "%s" have its own way: "%s" as "%s"', (language, english, translation) => {
    expect(messageFaults(language, english, translation)).toEqual([]);
  });

  it('sees a sentence that is not used, and one that is missing', () => {
    const known = new Set(['Lock', 'Unlock']);
    expect(languageFaults('de', { Lock: 'Schloss', Look: 'Blick' }, known)).toEqual(['not used: Look']);
    expect(missingSentences({ Lock: 'Schloss' }, known)).toEqual(['Unlock']);
    expect(tidied({ Unlock: 'Öffnen', Look: 'Blick', Lock: 'Schloss' }, known)).toBe(
      '{\n  "Lock": "Schloss",\n  "Unlock": "Öffnen"\n}\n',
    );
  });
});

describe('the pseudo-language of tests', () => {
  const messages = Object.fromEntries([...sentences].map((sentence) => [sentence, pseudo(sentence)]));

  it('keeps what every translation has to keep', () => {
    const faults = languageFaults('pseudo', messages, sentences);
    // Its brackets close behind the full stop.
    expect(faults.filter((fault) => !fault.startsWith('another end'))).toEqual([]);
  });

  it('is at least two fifths longer than English, and marked on both sides', () => {
    const shown = (text: string): number => text.replace(/<\/?\w+>|[{}]/g, '').length;
    const whole = [...sentences].filter((sentence) => !/, (?:plural|select),/.test(sentence));
    expect(whole.filter((sentence) => shown(pseudo(sentence)) < shown(sentence) * 1.4)).toEqual([]);
    expect(pseudo('Add a lock')).toBe('⟦Ådd á löçk ~~~~⟧');
  });

  it.each([
    ['Press <em>Save</em> at {time}.', '⟦Prëšš <em>Šávë</em> át {time}. ~~~~~~~~⟧'],
    [
      '{count, plural, one {# lock} other {# locks}} offline',
      '⟦{count, plural, one {# löçk ~~} other {# löçkš ~~~}} öfflïñë ~~~~⟧',
    ],
    [
      '{who, select, me {{count, plural, =0 {No lock} other {# locks}}} other {All by {who}}}',
      '⟦{who, select, me {{count, plural, =0 {Ñö löçk ~~~} other {# löçkš ~~~}}} other {Åll bý {who} ~~~~}}⟧',
    ],
    ['Set `{a: 1}` to <ID>', '⟦Šët `{a: 1}` tö <ÎD> ~~~~~~~~⟧'],
  ])('keeps tags, values, choices and code: %s', (english, expected) => {
    expect(pseudo(english)).toBe(expected);
  });

  it('leaves no sentence of the form unmarked', () => {
    const shown = [...sentencesOf(translatedForm(form, messages))];
    expect(shown.filter((sentence) => !sentence.startsWith('⟦'))).toEqual([]);
  });
});
