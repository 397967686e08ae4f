// The blocks of code and the commands in the documents, as people copy them.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectText } from './document-block.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** The documents for people, without the lists that are made from the code. */
export const DOCUMENTS: readonly string[] = [
  ...readdirSync(ROOT),
  ...['docs', 'deploy'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  ),
].filter((path) => path.endsWith('.md') && !/^docs\/develop\/decisions\/|^CHANGELOG/.test(path));

export interface CodeBlock {
  /** The document and the line of the block's first line, for titles. */
  readonly place: string;
  readonly document: string;
  /** Empty where the document names none. */
  readonly language: string;
  readonly text: string;
  /** Why no test runs or reads it, from a comment above it: `<!-- not run: ... -->`. */
  readonly notRun: string | null;
}

const FENCED = /^( *)```(\w*)\n(.*?)^ *```$/gmsu;

export function blocksOf(document: string): readonly CodeBlock[] {
  const text = projectText(document);
  return [...text.matchAll(FENCED)].map(({ 1: indent = '', 2: language = '', 3: code = '', index }) => {
    const before = text.slice(0, index);
    return {
      place: `${document}:${before.split('\n').length + 1}`,
      document,
      language,
      text: code.replaceAll(new RegExp(`^${indent}`, 'gmu'), ''),
      notRun: /<!-- not run: ([^\n]+) -->\n+$/u.exec(before)?.[1] ?? null,
    };
  });
}

/** The code within sentences and tables. */
export function spansOf(document: string): readonly string[] {
  const prose = projectText(document).replaceAll(FENCED, '');
  return [...prose.matchAll(/`([^`\n]+)`/gu)].map(([, span = '']) => span);
}

/** The words of a line as a shell takes them apart, without the comment at its end. */
function wordsOf(line: string): readonly string[] {
  const words = [...line.matchAll(/"([^"]*)"|'([^']*)'|(#.*$)|([^\s"'#]\S*)/gmu)];
  return words.flatMap(([, double, single, comment, plain]) =>
    comment === undefined ? [double ?? single ?? plain ?? ''] : [],
  );
}

/** Our program by either of its names, as root or within a container, too. */
const PROGRAM = /^(?:\$ )?(?:sudo )?(?:docker exec .* )?(?:npx )?(?:homebridge-)?latchkey(?: (?<rest>.*))?$/u;

/** The words behind the program `latchkey` in a line; null where the line starts another program. */
export function argumentsOf(line: string): readonly string[] | null {
  const found = PROGRAM.exec(line);
  return found === null ? null : wordsOf(found.groups?.['rest'] ?? '');
}
