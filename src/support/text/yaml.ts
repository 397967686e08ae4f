// Reads YAML 1.2 within bounds. Faults name the place and never quote the text, which may hold secrets.
import {
  CST,
  type ErrorCode,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  type ParsedNode,
  parseDocument,
  type YAMLMap,
} from 'yaml';

/**
 * How a value without quotes is read. `text`: as it is written, so that 0417 keeps its zero. `typed`: true, false, null and
 * numbers as such.
 */
export type YamlValues = 'text' | 'typed';

export type YamlReading =
  | {
      readonly ok: true;
      readonly value: unknown;
      /** The line, counted from 1, on which a list or an object of `value` begins. */
      readonly lineOf: (part: object) => number;
    }
  /** One sentence each. */
  | { readonly ok: false; readonly faults: readonly string[] };

/** The limit is far above the need: 100 codes on each of 20 locks take 200,000 characters (our choice). */
const MOST_CHARACTERS = 1_000_000;

/** The parser calls itself for each level, and would exhaust the stack (our choice; our own files have 4). */
const MOST_LEVELS = 32;

/** The first faults of a file cause most of the others. */
const MOST_FAULTS = 3;

export function readYaml(text: string, values: YamlValues): YamlReading {
  if (text.length > MOST_CHARACTERS) {
    return { ok: false, faults: ['The file is too large.'] };
  }
  const refused = refusedPart(text);
  if (refused !== null) {
    return { ok: false, faults: [refused] };
  }
  const lines = new LineCounter();
  const document = parseDocument(text, {
    schema: values === 'text' ? 'failsafe' : 'core',
    lineCounter: lines,
    // The parser's own messages quote the text.
    prettyErrors: false,
    stringKeys: true,
    // The reader finds them itself: the parser compares every key with all others.
    uniqueKeys: false,
  });
  if (document.errors.length > 0) {
    const faults = document.errors.map(
      ({ code, pos }) => `${placeIn(lines, pos[0])}: ${WORDS[code] ?? 'this is no valid YAML.'}`,
    );
    return { ok: false, faults: [...new Set(faults)].slice(0, MOST_FAULTS) };
  }
  return new TreeReader(lines).read(document.contents);
}

const CLOSE_IT = 'a quote, a bracket or a comma is missing before this place.';
const INDENT_IT = 'the indentation does not fit the lines above.';

const WORDS: Readonly<Partial<Record<ErrorCode, string>>> = {
  BAD_INDENT: INDENT_IT,
  BLOCK_AS_IMPLICIT_KEY: INDENT_IT,
  TAB_AS_INDENT: 'a tab indents this line. Use spaces.',
  MISSING_CHAR: CLOSE_IT,
  BLOCK_IN_FLOW: CLOSE_IT,
  BAD_SCALAR_START: 'a value cannot begin with this character. Put it in quotes.',
  BAD_DQ_ESCAPE: 'a backslash in double quotes begins no known escape. Use single quotes.',
  MULTIPLE_DOCS: 'a second document begins. A file holds one.',
  NON_STRING_KEY: 'a key must be plain text.',
};

/** The first part that is YAML but refused here, as a sentence; null when there is none. */
function refusedPart(text: string): string | null {
  let line = 1;
  let column = 1;
  let open = 0;
  let onLine = 0;
  let isContent = false;
  for (const token of new Lexer().lex(text)) {
    const type: TokenType = isContent ? null : CST.tokenType(token);
    isContent = type === 'scalar';
    open += OPENS.has(type) ? 1 : 0;
    open -= CLOSES.has(type) && open > 0 ? 1 : 0;
    onLine += COMPACT.has(type) ? 1 : 0;
    const words =
      open + onLine > MOST_LEVELS ? 'lists and objects are nested too deeply.' : REFUSED.get(type);
    if (words !== undefined) {
      return `Line ${String(line)}, column ${String(column)}: ${words}`;
    }
    if (WITHOUT_WIDTH.has(type)) {
      continue;
    }
    const breaks = token.split('\n').length - 1;
    line += breaks;
    column = breaks === 0 ? column + token.length : token.length - token.lastIndexOf('\n');
    onLine = breaks === 0 ? onLine : 0;
  }
  return null;
}

type TokenType = ReturnType<typeof CST.tokenType>;

const OPENS: ReadonlySet<TokenType> = new Set(['flow-map-start', 'flow-seq-start']);
const CLOSES: ReadonlySet<TokenType> = new Set(['flow-map-end', 'flow-seq-end']);
/** Each may open a level of its own on one line. */
const COMPACT: ReadonlySet<TokenType> = new Set(['seq-item-ind', 'explicit-key-ind']);
/** Marks of the lexer, which are not in the text. */
const WITHOUT_WIDTH: ReadonlySet<TokenType> = new Set(['doc-mode', 'flow-error-end', 'scalar']);

/** A few lines of aliases can stand for a text that no memory holds, and tags can change the type of a value. */
const REFUSED: ReadonlyMap<TokenType, string> = new Map([
  ['anchor', 'anchors (&) are not read. Put the value in quotes if it begins with &.'],
  ['alias', 'aliases (*) are not read. Put the value in quotes if it begins with *.'],
  ['tag', 'tags (!) are not read. Put the value in quotes if it begins with !.'],
  ['directive-line', 'directives (%) are not read.'],
]);

function placeIn(lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset);
  return `Line ${String(line)}, column ${String(col)}`;
}

class TreeReader {
  readonly #lines: LineCounter;
  readonly #faults: string[] = [];
  readonly #lineOf = new WeakMap<object, number>();

  constructor(lines: LineCounter) {
    this.#lines = lines;
  }

  read(contents: ParsedNode | null): YamlReading {
    const value = contents === null ? null : this.#value(contents, []);
    return this.#faults.length === 0
      ? { ok: true, value, lineOf: (part) => this.#lineOf.get(part) ?? 1 }
      : { ok: false, faults: this.#faults.slice(0, MOST_FAULTS) };
  }

  #value(node: Node | null, path: readonly string[]): unknown {
    if (path.length > MOST_LEVELS) {
      this.#fault(node, [], 'lists and objects are nested too deeply.');
      return null;
    }
    if (isMap(node)) {
      return this.#noted(node, this.#object(node, path));
    }
    if (isSeq<Node>(node)) {
      const items = node.items.map((item, index) => this.#value(item, [...path, `[${String(index)}]`]));
      return this.#noted(node, items);
    }
    if (!isScalar(node)) {
      return null;
    }
    // For example 0417, 1e3 or twenty digits: as a number it would be another text.
    if (typeof node.value === 'number' && String(node.value) !== node.source) {
      this.#fault(node, path, 'this is read as a number, and would change. Put it in quotes.');
    }
    return node.value;
  }

  #object({ items }: YAMLMap, path: readonly string[]): object {
    const members = new Map<string, unknown>();
    for (const { key, value } of items) {
      const name = isScalar(key) ? String(key.value) : '';
      if (members.has(name)) {
        this.#fault(isScalar(key) ? key : null, path, 'this key stands there twice. Remove one of them.');
      }
      members.set(name, this.#value(isNode(value) ? value : null, [...path, name]));
    }
    return Object.fromEntries(members);
  }

  #noted(node: Node, value: object): object {
    this.#lineOf.set(value, this.#lines.linePos(node.range?.[0] ?? 0).line);
    return value;
  }

  #fault(node: Node | null, path: readonly string[], words: string): void {
    const field = path.length === 0 ? '' : ` (${path.map(shownStep).join('.').replaceAll('.[', '[')})`;
    this.#faults.push(`${placeIn(this.#lines, node?.range?.[0] ?? 0)}${field}: ${words}`);
  }
}

function isNode(value: unknown): value is Node {
  return isMap(value) || isSeq(value) || isScalar(value);
}

/** A key that is no plain word may be a value at the wrong place. */
function shownStep(step: string): string {
  return /^(?:[A-Za-z]\w{0,39}|\[\d+\])$/u.test(step) ? step : '?';
}
