// Finds the sentences for people in source files: what `t`, `tRich` and `message` are given, and what stands outside of them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Node, parseSync, Visitor } from 'oxc-parser';

/** One sentence in the source. */
export interface FoundMessage {
  readonly text: string;
  /** The names of its values; null where they are handed on as a whole. */
  readonly values: readonly string[] | null;
  /** `src/words/locks.ts:12`. */
  readonly place: string;
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
  const files = ROOTS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(folder, name)),
  );
  const found = files.map((path) => messagesIn(path, readFileSync(join(root, path), 'utf8')));
  return {
    messages: found.flatMap(({ messages }) => messages),
    faults: found.flatMap(({ faults }) => faults),
  };
}

/** What a page may show: everything but the words of the command line. */
export function pageSentences(root: string): ReadonlySet<string> {
  const onPages = projectMessages(root).messages.filter(({ place }) => !place.startsWith('src/cli/'));
  return new Set(onPages.map(({ text }) => text));
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
        messages.push({ text: sentence, values: namesOf(values), place });
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
