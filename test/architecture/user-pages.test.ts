// Holds the pages for people at home and for operators to short sentences and plain words, the first also to a length that is read.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectText } from '../support/document-block.ts';

const root = join(import.meta.dirname, '..', '..');

const pagesIn = (shelf: string): readonly string[] =>
  readdirSync(join(root, shelf))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${shelf}/${name}`);

/** The README also has the first steps of a developer. */
const SHORT = [['README.md', 1_000] as const, ...pagesIn('docs').map((page) => [page, 900] as const)];

const OPERATORS = [
  'SECURITY.md',
  'deploy/home-assistant/README.md',
  'deploy/home-assistant/latchkey/DOCS.md',
  ...pagesIn('docs/operate'),
];

const LONGEST_SENTENCE = 25;

/** Words that a reader of plain English stumbles over. */
const DISLIKED =
  /\b(?:holds?|said|one that|without a word|from afar|whoever|nobody|anew|put that right|you find it in the homebridge ui)\b/giu;

/** A page without code, pictures and the table of options that is made from the code. */
function proseOf(page: string): string {
  return projectText(page)
    .replaceAll(/^ *```.*?^ *```/gmsu, '')
    .replaceAll(/<!-- (options|alerts) -->.*?<!-- \/\1 -->/gsu, '')
    .replaceAll(/<[^>]+>/gu, '')
    .replaceAll(/\]\([^)]*\)/gu, ']');
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[A-Za-z0-9`][\w'’`.,/:-]*/gu) ?? [];
}

/** Paragraphs, items of lists and cells of tables end a sentence, too. */
function sentencesOf(text: string): readonly string[] {
  return text
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.)\s)|\n(?=\|)/u)
    .flatMap((part) => (part.trimStart().startsWith('|') ? part.split('|') : [part]))
    .flatMap((part) => part.replaceAll(/\s+/gu, ' ').split(/(?<=[.!?:;])[\s)"*]+(?=[A-Z`["*(])/u));
}

it.each(SHORT)('%s has at most %i words', (page, mostWords) => {
  expect(wordsOf(proseOf(page)).length).toBeLessThanOrEqual(mostWords);
});

it.each([...SHORT.map(([page]) => page), ...OPERATORS])(
  '%s has sentences of at most 25 words, and plain ones',
  (page) => {
    const prose = proseOf(page);
    expect(sentencesOf(prose).filter((sentence) => wordsOf(sentence).length > LONGEST_SENTENCE)).toEqual([]);
    expect(prose.match(DISLIKED) ?? []).toEqual([]);
  },
);
