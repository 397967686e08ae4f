// The short keys of sentences in the translations that the pages load.

import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import german from '../../../languages/de.json' with { type: 'json' };
import { translatedTexts } from '../../../scripts/messages.ts';
import { ENGLISH, setLanguage, t } from '../../../src/words/translate.ts';
import { loadLanguage } from '../../../web/panel/state/language.ts';
import { keyed, sentenceKey } from '../../../web/panel/state/sentence-key.ts';

afterEach(() => setLanguage(ENGLISH));

describe('a translation by short keys', () => {
  it('has each sentence of the pages once, and nothing of the settings form or the log', () => {
    const sentences = translatedTexts(join(import.meta.dirname, '..', '..', '..'));
    const short = keyed(german, sentences);
    expect(Object.keys(short)).toHaveLength(
      Object.keys(german).filter((sentence) => sentences.has(sentence)).length,
    );
    expect(sentences.size).toBeGreaterThan(1_000);
    expect(Object.keys(german).length).toBeGreaterThan(Object.keys(short).length + 100);
  });

  it('is refused where two sentences have one key', () => {
    // Found by search.
    const [one, other] = ['costarring', 'liquid'];
    expect(sentenceKey(one)).toBe(sentenceKey(other));
    expect(() => keyed({}, [one, other])).toThrow('one key');
  });

  it('is what a page says, and a sentence without a translation stays English', async () => {
    const file = async () => ({ default: keyed({ Save: 'Sichern' }, ['Save', 'Cancel']) });
    setLanguage(
      await loadLanguage(['de-AT'], { de: file, es: file, fr: file, it: file, ja: file, nl: file }),
    );
    expect([t('Save'), t('Save'), t('Cancel')]).toEqual(['Sichern', 'Sichern', 'Cancel']);
  });
});
