// How much script the built pages load: for the first page, and for the heaviest one with everything that it needs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGES } from '../../src/words/languages.ts';

/** Of this page at most, compressed by gzip, in kilobytes. */
export const MOST_SCRIPT_KB = 61;

/** Of a translation, in the same kilobytes. */
export const MOST_TRANSLATION_KB = 43;

/** The file of a translation, which only its readers load. */
const TRANSLATION = new RegExp(`^(?:${LANGUAGES.join('|')})-[\\w-]+\\.js$`, 'u');

function isTranslation(name: string): boolean {
  return TRANSLATION.test(name);
}

/** For a reader of English, compressed by gzip, in kilobytes. */
export interface ScriptWeight {
  /** What every page loads. */
  readonly first: number;
  /** The first and all that the heaviest page loads beside it. */
  readonly heaviest: number;
  /** All files. */
  readonly all: number;
  /** What a reader of another language loads beside it, at most. */
  readonly translation: number;
}

/** `folder`: of the built dashboard. */
export function scriptWeight(folder: string): ScriptWeight {
  const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const entries = namesIn(textOf('index.html'), /src="\.\/([\w-]+\.js)"/gu);
  const first = withImports(entries, textOf);
  const later = [...first].flatMap((name) => namesIn(textOf(name), /import\(.\.\/([\w-]+\.js).\)/gu));
  const pages = later.filter((name) => !isTranslation(name));
  const loaded = pages.map((name) => withImports([...first, name], textOf));
  const weigh = (names: Iterable<string>): number =>
    [...names].reduce((sum, name) => sum + readFileSync(join(folder, `${name}.gz`)).length, 0) / 1_000;
  return {
    first: weigh(first),
    heaviest: Math.max(...[first, ...loaded].map(weigh)),
    all: weigh(withImports([...first, ...pages], textOf)),
    translation: Math.max(...later.filter(isTranslation).map((name) => weigh([name]))),
  };
}

/** These files and all that they import at once. */
function withImports(names: readonly string[], textOf: (name: string) => string): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (!found.has(name)) {
      found.add(name);
      open.push(...namesIn(textOf(name), /(?:from|import)\s*"\.\/([\w-]+\.js)"/gu));
    }
  }
  return found;
}

function namesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap(([, name]) => name ?? []);
}
