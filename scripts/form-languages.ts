// Writes the settings form in other languages: config.schema.json with its sentences replaced, and nothing else.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../src/support/text/foreign-json.ts';

/** English sentences with their translation. */
export type Messages = Readonly<Record<string, string>>;

/** The members of the form that a person reads. */
const READ = new Set(['title', 'description', 'headerDisplay', 'footerDisplay', 'buttonText']);

/** The form shows no markup, while the option table and the translations mark code by backticks. */
export function unmarked(sentence: string): string {
  return sentence.replaceAll('`', '');
}

/** The translations of each language, by its code. `root`: the folder of the project. */
export function readLanguages(root: string): ReadonlyMap<string, Messages> {
  const folder = join(root, 'languages');
  return new Map(
    readdirSync(folder)
      .toSorted()
      .map((name) => [name.replace('.json', ''), JSON.parse(readFileSync(join(folder, name), 'utf8'))]),
  );
}

/** A copy of the form. A sentence without a translation stays English. */
export function translatedForm(form: unknown, messages: Messages): unknown {
  const shown = new Map(
    Object.entries(messages).map(([english, translation]) => [unmarked(english), unmarked(translation)]),
  );
  return withSentences(form, (sentence) => shown.get(sentence) ?? sentence);
}

/** Every sentence of the form, once. */
export function sentencesOf(form: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  withSentences(form, (sentence) => {
    found.add(sentence);
    return sentence;
  });
  return found;
}

/** Writes the form of each language into a folder, under the name that the Homebridge UI looks for. */
export function writeForms(root: string, folder: string): void {
  const form: unknown = JSON.parse(readFileSync(join(root, 'config.schema.json'), 'utf8'));
  for (const [language, messages] of readLanguages(root)) {
    const path = join(folder, `config.schema.${language}.json`);
    writeFileSync(path, `${JSON.stringify(translatedForm(form, messages))}\n`);
  }
}

/** `isChoice`: the node is one choice of a list, whose name is read, too. */
function withSentences(node: unknown, replace: (sentence: string) => string, isChoice = false): unknown {
  if (Array.isArray(node)) {
    return node.map((child: unknown) => withSentences(child, replace, isChoice));
  }
  if (!isObject(node)) {
    return node;
  }
  const members = Object.entries(node).map(([key, child]) =>
    typeof child === 'string' && (READ.has(key) || (isChoice && key === 'name'))
      ? [key, replace(child)]
      : [key, withSentences(child, replace, key === 'titleMap')],
  );
  return Object.fromEntries(members);
}
