// A part of a document that is written by the code it describes: compared in every run, rewritten on request.
import { readFileSync, writeFileSync } from 'node:fs';

const ROOT = new URL('../../', import.meta.url);

/** The text of a file of the project, by its path from the root. */
export function projectText(path: string): string {
  return readFileSync(new URL(path, ROOT), 'utf8');
}

/** The whole text of a file. With `UPDATE_DOCS=1`, what `wanted` makes of it is written there first. */
export function documentText(path: string, wanted: (former: string) => string): string {
  const former = projectText(path);
  if (process.env['UPDATE_DOCS'] !== '1') {
    return former;
  }
  const text = wanted(former);
  writeFileSync(new URL(path, ROOT), text);
  return text;
}

/**
 * The text between `<!-- name -->` and `<!-- /name -->`. With `UPDATE_DOCS=1` in the environment, `wanted` (if any)
 * is written there first: the way to bring a document up to date after its test has failed.
 */
export function documentBlock(path: string, name: string, wanted?: string): string {
  const [opening, closing] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const text = projectText(path);
  const [from, to] = [text.indexOf(opening) + opening.length, text.indexOf(closing)];
  if (!text.includes(opening) || to < from) {
    throw new Error(`${path} has no block between ${opening} and ${closing}`);
  }
  if (wanted !== undefined && process.env['UPDATE_DOCS'] === '1') {
    writeFileSync(new URL(path, ROOT), `${text.slice(0, from)}\n\n${wanted}\n\n${text.slice(to)}`);
    return wanted;
  }
  return text.slice(from, to).trim();
}
