// Platform blocks with a fault of every kind in every option: a new option of the table joins by itself.
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { optionTable } from '../../src/config/options/option-table.ts';
import { readConfig } from '../../src/config/read-config.ts';
import { t } from '../../src/words/translate.ts';
import { type OptionRow, optionRows, type SchemaNode } from '../unit/config/option-rows.ts';

type Block = Readonly<Record<string, unknown>>;

interface WrongBlock {
  /** The option that is at fault, as a line of the log has to name it. */
  readonly option: string;
  readonly block: Block;
}

/** A block with many faults, each of which has a line of its own. */
export interface FaultyBlock {
  readonly block: Block;
  readonly lines: readonly string[];
}

/** Stands in each value that could be a secret: no line may repeat it. */
export const CANARY = 'canary-2580';

/** Texts that some options cannot take: the wrong kind of address, and secrets in the wrong place. */
const MISPLACED = [
  `http://${CANARY}.example/path`,
  `https://user:${CANARY}@host.example`,
  `-----BEGIN PRIVATE KEY-----${CANARY}`,
];

const rows = optionRows(z.toJSONSchema(optionTable(), { io: 'input' }));

/** Every group of options, and a row of every list of groups: "webhooks.tls", "locks[]". */
const groups = [...new Set(rows.flatMap(({ path }) => parentsOf(path)))].filter((path) =>
  rows.every((row) => row.path !== path),
);

function parentsOf(path: string): readonly string[] {
  const steps = path.replaceAll('[]', '.[]').split('.');
  return steps.slice(1).map((_, index) =>
    steps
      .slice(0, index + 1)
      .join('.')
      .replaceAll('.[]', '[]'),
  );
}

/** Without these, a row is ignored, or an option does not count. */
const NEEDED: readonly (readonly [path: string, block: Block])[] = [
  ['locks[].', { locks: [{ id: 'front' }] }],
  ['stays[].', { stays: [{ name: 'House', locks: ['front'] }] }],
  ['webhooks.enrolment', { webhooks: { enabled: true, via: 'relay' } }],
  ['partner.credentialsUsername', { partner: { credentialsPassword: CANARY } }],
  ['partner.credentialsPassword', { partner: { credentialsUsername: CANARY } }],
];

/** A block in which this option has this value, and nothing else is wrong. */
function blockWith(path: string, value: unknown): Block {
  const steps = path.replaceAll('[]', '.[]').split('.');
  const block = steps.reduceRight<unknown>(
    (inner, step) => (step === '[]' ? [inner] : { [step]: inner }),
    value,
  );
  const needed = NEEDED.filter(([prefix]) => path.startsWith(prefix)).map(([, others]) => others);
  return [...needed, block].reduce<Block>(merged, {});
}

const wrong = (path: string, value: unknown): WrongBlock => ({
  option: path.replaceAll('[]', '[0]'),
  block: blockWith(path, value),
});

/** Values of another type, another choice, and beyond each bound. */
function wrongValues({
  type,
  enum: choices,
  minimum,
  maximum,
  maxLength,
  maxItems,
}: SchemaNode): readonly unknown[] {
  const otherType = { string: 7, integer: 'seven', boolean: 'yes', array: {}, object: 7 }[type];
  return [
    otherType,
    ...(choices === undefined ? [] : [`no choice ${CANARY}`]),
    ...(minimum === undefined ? [] : [minimum - 1, minimum + 0.5]),
    ...(maximum === undefined ? [] : [maximum + 1]),
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
    ...(maxItems === undefined ? [] : [Array.from({ length: maxItems + 1 }, () => CANARY)]),
  ];
}

function wrongTexts({ path, node: { type, enum: choices } }: OptionRow): readonly WrongBlock[] {
  return type === 'string' && choices === undefined
    ? MISPLACED.map((text) => wrong(path, text)).filter(({ block }) => isRefused(block))
    : [];
}

/** Whether an option takes any text is the table's to say: a client ID may be any. */
function isRefused(block: Block): boolean {
  return !readConfig(block).ok;
}

/** One for each kind of wrong value of each option. */
const WRONG_VALUES: readonly WrongBlock[] = [
  ...groups.map((path) => wrong(path, 7)),
  ...rows.flatMap((row) => wrongValues(row.node).map((value) => wrong(row.path, value))),
  ...rows.flatMap(wrongTexts),
  ...['', ...groups.map((path) => `${path}.`)].map((group) => wrong(`${group}noSuchOption`, CANARY)),
];

/** What a person reads of a block: why it does not start, or what is ignored. */
function linesOf(block: Block): readonly string[] {
  const reading = readConfig(block);
  return (reading.ok ? reading.warnings : reading.problems).map((line) => t(line)).toSorted();
}

/** The same faults in as few blocks as show each of them: an option has one value, and one fault may hide another. */
export const FAULTY_BLOCKS: readonly FaultyBlock[] = inFewBlocks();

function inFewBlocks(): readonly FaultyBlock[] {
  const faulty: FaultyBlock[] = [];
  for (const { block } of WRONG_VALUES) {
    const one = { block, lines: linesOf(block) };
    const index = faulty.findIndex((other) => joined(other, one) !== null);
    const whole = joined(faulty[index] ?? one, one);
    if (whole === null || index === -1) {
      faulty.push(one);
    } else {
      faulty[index] = whole;
    }
  }
  return faulty;
}

/** Null where a line of either would be missing. */
function joined(one: FaultyBlock, other: FaultyBlock): FaultyBlock | null {
  const block = merged(one.block, other.block);
  const lines = [...one.lines, ...other.lines].toSorted();
  return isDeepStrictEqual(linesOf(block), lines) ? { block, lines } : null;
}

/** Groups, and the first rows of lists, are laid into each other. */
function merged(one: unknown, other: unknown): Block {
  if (Array.isArray(one) && Array.isArray(other) && isGroup(one[0]) && isGroup(other[0])) {
    return [merged(one[0], other[0])] as unknown as Block;
  }
  if (!isGroup(one) || !isGroup(other)) {
    return other as Block;
  }
  const members: Record<string, unknown> = { ...one };
  for (const [key, value] of Object.entries(other)) {
    members[key] = key in members ? merged(members[key], value) : value;
  }
  return members;
}

function isGroup(value: unknown): value is Block {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
