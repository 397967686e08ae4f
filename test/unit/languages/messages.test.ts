// The sentences of the source: each can be found, and takes the values that it is given.
import { describe, expect, it } from 'vitest';
import { messagesIn, projectMessages, translatedTexts } from '../../../scripts/messages.ts';
import { icuArguments } from './icu-arguments.ts';

/** Values and tags that a page adds by itself. */
const OWN_TAGS = new Set(['b:tag', 'bdi:tag', 'code:tag', 'em:tag', 'strong:tag']);

function namesIn(text: string): readonly string[] {
  const found = icuArguments(text).filter((name) => !OWN_TAGS.has(name));
  return [...new Set(found.map((name) => name.split(':')[0] ?? ''))].toSorted();
}

const { messages, faults } = projectMessages('.');

describe('the sentences of the source', () => {
  it('are all told to the translators, and none before the language is known', () => {
    expect(faults).toEqual([]);
  });

  it('get the values that they name, and no others', () => {
    const wrong = messages.filter(
      ({ text, values }) => values !== null && namesIn(text).join() !== values.toSorted().join(),
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    ['a word in the page itself', 'const A = () => <p>Save</p>;'],
    ['a label in the page itself', 'const A = () => <Field label="Name" />;'],
    ['a sentence before the language is known', "const SAVE = t('Save');"],
  ])('are refused as %s', (_, source) => {
    expect(messagesIn('a.tsx', source).faults).toHaveLength(1);
  });

  it('are found in calls, choices and tables', () => {
    const source = `
      const TABLE = { a: message('One'), b: message('{x} and {y}', { x: 1, y: 2 }) };
      const A = () => <p title={t(is ? 'Two' : 'Three')}>{tRich('<em>Four</em> {at}', { at })}{t(TABLE.a)}</p>;`;
    expect(messagesIn('a.tsx', source)).toMatchObject({
      messages: [
        { text: 'One', values: [] },
        { text: '{x} and {y}', values: ['x', 'y'] },
        { text: 'Two' },
        { text: 'Three' },
        { text: '<em>Four</em> {at}', values: ['at'] },
      ],
      faults: [],
    });
  });
});

describe('the sentences to translate', () => {
  const texts = translatedTexts('.');

  it.each([
    ['a page', 'Name and options', true],
    ['words that pages load', 'Retrying in {wait}.', true],
    ['the page after signing in', 'Account connected.', true],
    [
      'an error that pages show',
      'There is no such lock. It may have left the account: read the list again.',
      true,
    ],
    ['the log', 'The MQTT broker is back.', false],
    ['the terminal', 'Run with {option} to see the commands.', false],
  ])('are those of readers: of %s, "%s": %s', (_, text, isTranslated) => {
    expect(texts.has(text)).toBe(isTranslated);
  });
});
