// Holds the pages for people at home to a length that is read, to short sentences, and to plain words.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectText } from '../support/document-block.ts';

const root = join(import.meta.dirname, '..', '..');

/** The first shelf; the other two are for operators and developers. */
const pages = readdirSync(join(root, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => [`docs/${name}`, 900] as const);

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

// The README also has the first steps of a developer.
it.each([['README.md', 1_000] as const, ...pages])(
  '%s has at most %i words, sentences of at most 25, and plain words',
  (page, mostWords) => {
    const prose = proseOf(page);
    expect(wordsOf(prose).length).toBeLessThanOrEqual(mostWords);
    expect(sentencesOf(prose).filter((sentence) => wordsOf(sentence).length > LONGEST_SENTENCE)).toEqual([]);
    expect(prose.match(DISLIKED) ?? []).toEqual([]);
  },
);
