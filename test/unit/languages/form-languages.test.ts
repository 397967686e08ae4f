// The form in another language is the same form: only what a person reads differs.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readLanguages, sentencesOf, translatedForm, writeForms } from '../../../scripts/form-languages.ts';
import { projectText } from '../../support/document-block.ts';

const text = projectText('config.schema.json');
const form: unknown = JSON.parse(text);
const languages = readLanguages('.');

/** The text of JSON with a mark in the place of each of these sentences. */
function withoutSentences(node: unknown, sentences: ReadonlySet<string>): string {
  const readable = /^(?:title|description|headerDisplay|footerDisplay|buttonText|name)$/;
  return JSON.stringify(node, (key, value: unknown) =>
    typeof value === 'string' && readable.test(key) && sentences.has(value) ? '…' : value,
  );
}

describe.each([...languages])('the form in "%s"', (_language, messages) => {
  const translated = translatedForm(form, messages);

  it('has the same keys, choices, defaults, bounds, patterns and conditions, in the same order', () => {
    const [ours, theirs] = [form, translated].map((node) => withoutSentences(node, sentencesOf(node)));
    expect(theirs).toBe(ours);
  });

  it('shows no backticks, which the Homebridge UI would show as they are', () => {
    expect([...sentencesOf(translated)].filter((sentence) => sentence.includes('`'))).toEqual([]);
  });
});

describe('the form in another language', () => {
  it('replaces titles, explanations, choices and buttons, and nothing else that reads the same', () => {
    const german = { Name: 'Benennung', Lock: 'Schloss', 'See `both`.': 'Siehe `both`.' };
    const node = {
      schema: { Name: { title: 'Name', description: 'See both.', default: 'Lock', enum: ['Name'] } },
      layout: [{ key: 'Name', buttonText: 'Lock', titleMap: [{ name: 'Lock', value: 'Lock' }] }, 'Name'],
    };
    expect(translatedForm(node, german)).toEqual({
      schema: { Name: { title: 'Benennung', description: 'Siehe both.', default: 'Lock', enum: ['Name'] } },
      layout: [
        { key: 'Name', buttonText: 'Schloss', titleMap: [{ name: 'Schloss', value: 'Lock' }] },
        'Name',
      ],
    });
  });

  it('stays English where a sentence is missing', () => {
    expect(translatedForm({ title: 'Lock', description: 'A bolt.' }, { Lock: 'Schloss' })).toEqual({
      title: 'Schloss',
      description: 'A bolt.',
    });
  });

  it('lies where package.json sends the Homebridge UI, beside our page', () => {
    const { directories } = z
      .object({ directories: z.object({ schemas: z.string() }) })
      .parse(JSON.parse(projectText('package.json')));
    const { customUiPath } = z.object({ customUiPath: z.string() }).parse(form);
    expect(directories.schemas).toBe(`${customUiPath.replace('./', '')}/public`);
  });

  it('is written for each language, under the name that the UI looks for', () => {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-forms-'));
    try {
      writeForms('.', folder);
      const expected = [...languages.keys()].map((language) => `config.schema.${language}.json`);
      expect(readdirSync(folder).toSorted()).toEqual(expected.toSorted());
      const german: unknown = JSON.parse(readFileSync(join(folder, 'config.schema.de.json'), 'utf8'));
      expect(german).toEqual(translatedForm(form, languages.get('de') ?? {}));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
