// Finds the sentences for people in source files: what `t`, `tRich` and `message` are given, and what stands outside of them.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Node, parseSync, Visitor } from 'oxc-parser';

/** One sentence in the source. */
export interface FoundMessage {
  readonly text: string;
  /** The names of its values; null where they are handed on as a whole. */
  readonly values: readonly string[] | null;
  /** `src/words/locks.ts:12`. */
  readonly place: string;
  /** Marked for a reader that is not known yet, by `message(...)`. */
  readonly isMarked: boolean;
}

export interface FileMessages {
  readonly messages: readonly FoundMessage[];
  /** Sentences that nobody can translate, each with its place. */
  readonly faults: readonly string[];
}

/** Where sentences for people stand. The simulator and its page share nothing with the client, and are English. */
const ROOTS = ['src', 'relay/src', 'web/panel', 'web/shared'];

/** Attributes of pages that a person reads or hears. */
const READ: ReadonlySet<string> = new Set([
  'action',
  'alt',
  'aria-label',
  'help',
  'label',
  'legend',
  'name',
  'of',
  'placeholder',
  'question',
  'title',
]);

const CALLS: ReadonlySet<string> = new Set(['t', 'tRich', 'message']);

/** Every sentence of the project. `root`: its folder. */
export function projectMessages(root: string): FileMessages {
  const found = sourcesIn(root, ROOTS).map((path) =>
    messagesIn(path, readFileSync(join(root, path), 'utf8')),
  );
  return {
    messages: found.flatMap(({ messages }) => messages),
    faults: found.flatMap(({ faults }) => faults),
  };
}

const OF_THE_TERMINAL = /^src\/(cli|features\/[\w-]+\/commands)\//u;

/** What a process writes in its reader's language: the page after signing in, and the message to a guest. */
const WRITTEN_FOR_READERS = ['src/linking/callback-page.ts', 'src/words/guest-message.ts'];

/**
 * What a person may read in another language: sentences of the pages and of what these load, and those marked by `message(...)` in
 * modules that pages show. Log and terminal speak English.
 */
export function translatedTexts(root: string): ReadonlySet<string> {
  const onPages = loadedByPages(root);
  const shown = projectMessages(root).messages.filter(({ place, isMarked }) => {
    const [file = ''] = place.split(':');
    return onPages.has(file) || (isMarked && !OF_THE_TERMINAL.test(file));
  });
  return new Set(shown.map(({ text }) => text));
}

/** The files of pages, and all that they import in turn, but for types. */
function loadedByPages(root: string): ReadonlySet<string> {
  const pages = sourcesIn(root, ['web/panel', 'web/shared']);
  const files = new Set([...pages, ...WRITTEN_FOR_READERS]);
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8');
    for (const [, name = ''] of text.matchAll(
      /^(?:import|export)(?! type)[^;]*? from '(\.[^']+\.tsx?)';/gmu,
    )) {
      files.add(join(dirname(file), name));
    }
    for (const [, name = ''] of text.matchAll(/\bimport\('(\.[^']+\.tsx?)'\)/gu)) {
      files.add(join(dirname(file), name));
    }
  }
  return files;
}

function sourcesIn(root: string, folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(folder, name)),
  );
}

/** The sentences of one file. */
export function messagesIn(path: string, source: string): FileMessages {
  const messages: FoundMessage[] = [];
  const faults: string[] = [];
  let depth = 0;
  const enter = (): void => void (depth += 1);
  const leave = (): void => void (depth -= 1);
  const placeOf = (node: Node): string => `${path}:${String(source.slice(0, node.start).split('\n').length)}`;
  new Visitor({
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
    CallExpression: (call) => {
      const name = call.callee.type === 'Identifier' ? call.callee.name : '';
      if (!CALLS.has(name)) {
        return;
      }
      const place = placeOf(call);
      const [text, values] = call.arguments;
      if (depth === 0 && name !== 'message') {
        faults.push(`${place}: ${name} runs before the language is known`);
      }
      for (const sentence of text === undefined ? [] : literals(text).filter(hasWords)) {
        messages.push({ text: sentence, values: namesOf(values), place, isMarked: name === 'message' });
      }
    },
    JSXAttribute: ({ name, value }) => {
      if (name.type === 'JSXIdentifier' && READ.has(name.name) && value?.type === 'Literal') {
        faults.push(`${placeOf(value)}: ${name.name}="${value.value}" stands in the page itself`);
      }
    },
    JSXText: (node) => {
      if (/\p{L}{2}/u.test(node.value)) {
        faults.push(`${placeOf(node)}: "${node.value.trim()}" stands in the page itself`);
      }
    },
  }).visit(parseSync(path, source).program);
  return { messages, faults };
}

/** Values alone, such as "{lock}: {words}", read the same in every language. */
function hasWords(text: string): boolean {
  return /\p{L}/u.test(text.replaceAll(/\{\w+\}/gu, ''));
}

/** The literal, or each of a choice between some; none of what is written elsewhere. */
function literals(node: Node): readonly string[] {
  if (node.type === 'ConditionalExpression') {
    return [...literals(node.consequent), ...literals(node.alternate)];
  }
  return node.type === 'Literal' && typeof node.value === 'string' ? [node.value] : [];
}

function namesOf(node: Node | undefined): readonly string[] | null {
  if (node === undefined) {
    return [];
  }
  if (node.type !== 'ObjectExpression') {
    return null;
  }
  const names = node.properties.map((property) =>
    property.type === 'Property' && property.key.type === 'Identifier' ? property.key.name : null,
  );
  return names.includes(null) ? null : names.filter((name) => name !== null);
}
