// `npm run messages`: lists what is not translated yet; with `-- --tidy` removes what is unused and sorts each language.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { optionTable } from '../src/config/options/option-table.ts';
import { addFeatures } from '../src/features/index.ts';
import { type Messages, readLanguages, sentencesOf, unmarked } from './form-languages.ts';
import { translatedTexts } from './messages.ts';

addFeatures();

/** Every sentence that can be translated: of the form, with code marked as the option table marks it, and of the source. */
export function translatedSentences(root: string): ReadonlySet<string> {
  const form: unknown = JSON.parse(readFileSync(join(root, 'config.schema.json'), 'utf8'));
  const marked = new Map(
    [...sentencesOf(z.toJSONSchema(optionTable(), { io: 'input' }))].map((text) => [unmarked(text), text]),
  );
  return new Set([
    ...[...sentencesOf(form)].map((sentence) => marked.get(sentence) ?? sentence),
    ...translatedTexts(root),
  ]);
}

export function missingSentences(messages: Messages, sentences: ReadonlySet<string>): readonly string[] {
  return [...sentences].filter((sentence) => messages[sentence] === undefined);
}

/** The text of a language's file: the sentences in use, in order. */
export function tidied(messages: Messages, sentences: ReadonlySet<string>): string {
  const used = Object.entries(messages).filter(([sentence]) => sentences.has(sentence));
  return `${JSON.stringify(Object.fromEntries(used.toSorted(([a], [b]) => (a < b ? -1 : 1))), null, 2)}\n`;
}

if (import.meta.main) {
  const sentences = translatedSentences('.');
  for (const [language, messages] of readLanguages('.')) {
    if (process.argv.includes('--tidy')) {
      writeFileSync(join('languages', `${language}.json`), tidied(messages, sentences));
    }
    const missing = missingSentences(messages, sentences);
    console.log(`${language}: ${String(missing.length)} not translated`);
    for (const sentence of missing) {
      console.log(`  ${sentence}`);
    }
  }
}
