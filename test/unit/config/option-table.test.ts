// One option table: the schema that parses, the form of the Homebridge UI and docs/options.md say the same.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { optionTable } from '../../../src/config/options/option-table.ts';
import { documentBlock, documentText } from '../../support/document-block.ts';
import { type Form, formOf } from './form-writer.ts';
import { agreedFacts, type OptionRow, optionRows, type SchemaNode, schemaNode } from './option-rows.ts';

const table = schemaNode.parse(z.toJSONSchema(optionTable(), { io: 'input' }));
const ours = optionRows(table);

const layoutItem = z.union([
  z.string(),
  z.object({
    key: z.string().optional(),
    type: z.string().optional(),
    title: z.string().optional(),
    get items() {
      return z.array(layoutItem).optional();
    },
  }),
]);
type LayoutItem = z.infer<typeof layoutItem>;

const formText = documentText('config.schema.json', (former) =>
  JSON.stringify(formOf(JSON.parse(former) as Form, table), null, 2),
);

const form = z
  .object({
    pluginAlias: z.string(),
    pluginType: z.string(),
    singular: z.boolean(),
    schema: z.unknown(),
    layout: z.array(layoutItem),
  })
  .parse(JSON.parse(formText));
const theirs = optionRows(form.schema);

/** Every field of the layout: its key and the kind of input that is drawn. */
function fields(items: readonly LayoutItem[]): readonly (readonly [string, string])[] {
  return items.flatMap((item) => {
    if (typeof item === 'string') {
      return [[item, 'default'] as const];
    }
    const own = item.key === undefined ? [] : [[item.key, item.type ?? 'default'] as const];
    return [...own, ...fields(item.items ?? [])];
  });
}

function rowsWhere(holds: (option: SchemaNode) => boolean): readonly OptionRow[] {
  return theirs.filter(({ node }) => holds(node));
}

describe('the option table', () => {
  it('has an explanation for every option', () => {
    expect(ours.length).toBeGreaterThan(50);
    const unexplained = ours.filter(
      ({ path, node }) => !path.endsWith('[]') && node.description === undefined,
    );
    expect(unexplained).toEqual([]);
  });

  it('bounds every number, text and list', () => {
    const unbounded = ours.filter(
      ({ node: { type, maximum, minimum, maxLength, maxItems, enum: values } }) =>
        (type === 'integer' && (maximum === undefined || minimum === undefined)) ||
        (type === 'string' && maxLength === undefined && values === undefined) ||
        (type === 'array' && maxItems === undefined),
    );
    expect(unbounded).toEqual([]);
  });

  it('agrees with the form of the Homebridge UI, which UPDATE_DOCS=1 rewrites, key by key, default by default, bound by bound', () => {
    const byPath = (a: OptionRow, b: OptionRow): number => a.path.localeCompare(b.path);
    expect([...theirs].sort(byPath).map(agreedFacts)).toEqual([...ours].sort(byPath).map(agreedFacts));
  });

  it('agrees with the table in docs/options.md, which UPDATE_DOCS=1 rewrites', () => {
    expect(documentBlock('docs/options.md', 'options', documentedTable())).toBe(documentedTable());
  });
});

describe('the form of the Homebridge UI', () => {
  const drawn = new Map(fields(form.layout));

  it('belongs to the platform, which may be there several times, one account each', () => {
    expect(form).toMatchObject({ pluginAlias: 'Latchkey', pluginType: 'platform', singular: false });
  });

  it('titles every field', () => {
    expect(theirs.filter(({ node }) => node.title === undefined && node.enum === undefined)).toEqual([]);
  });

  it('draws every option exactly once, and nothing else', () => {
    const keys = fields(form.layout).map(([key]) => key);
    // Lists of choices and of rows draw their entries themselves.
    const expected = theirs.map(({ path }) => path).filter((path) => path !== 'alerts.movedBy[]');
    expect([...keys].sort()).toEqual([...expected].sort());
  });

  it('hides secrets while they are typed', () => {
    const secrets = rowsWhere((option) => option.writeOnly === true).map(({ path }) => path);
    expect(secrets).toEqual([
      'partner.credentialsPassword',
      'partner.clientSecret',
      'partner.subscriptionKeys[]',
      'webhooks.enrolment',
      'remotePin',
      'mqtt.password',
      'stays[].address',
    ]);
    expect(new Set(secrets.map((path) => drawn.get(path)))).toEqual(new Set(['password']));
  });

  it('asks for numbers in fields, because an integer with both bounds is drawn as a slider', () => {
    const numbers = rowsWhere((option) => option.type === 'integer').map(({ path }) => drawn.get(path));
    expect(new Set(numbers)).toEqual(new Set(['number']));
  });

  it('lets a lock be left undecided, because an untouched checkbox is saved as "false"', () => {
    const decisions = rowsWhere((option) => option.type === 'boolean').filter(({ path }) =>
      path.startsWith('locks[]'),
    );
    expect(new Set(decisions.map(({ path }) => drawn.get(path)))).toEqual(new Set(['select']));
  });

  it('fills no default into the row of a lock, since what stands there wins over the pages', () => {
    const filled = theirs.filter(
      ({ path, node }) => path.startsWith('locks[]') && node.default !== undefined,
    );
    expect(filled).toEqual([]);
  });
});

/** The documented tables, one for each group of the form; a row for each option that a person writes. */
function documentedTable(): string {
  const rows = new Map(ours.map(({ path, node }) => [path, documentedRow(path, node)] as const));
  const isWritten = (path: string): boolean => !path.endsWith('[]') && path !== 'locks' && path !== 'stays';
  const groups = form.layout.map((item) => ({
    title: typeof item === 'object' && item.type === 'fieldset' ? item.title : undefined,
    paths: fields([item])
      .map(([path]) => path)
      .filter(isWritten),
  }));
  const loose = groups.filter(({ title }) => title === undefined).flatMap(({ paths }) => paths);
  return [{ title: 'At the top', paths: loose }, ...groups.filter(({ title }) => title !== undefined)]
    .map(({ title, paths }) =>
      [`## ${title ?? ''}`, '', '| option | meaning |', '|---|---|']
        .concat(paths.map((path) => rows.get(path) ?? ''))
        .join('\n'),
    )
    .join('\n\n');
}

function documentedRow(path: string, node: SchemaNode): string {
  const values = valuesOf(node);
  return `| \`${path}\`${values === '' ? '' : `<br>${values}`} | ${node.description ?? ''} |`;
}

/** The default is bold; a switch shows its default alone, and a free text nothing. */
function valuesOf(node: SchemaNode): string {
  const { type, enum: values, minimum, maximum, maxItems, items, default: standard } = node;
  const bold = (value: unknown): string => `**\`${JSON.stringify(value)}\`**`;
  if (values !== undefined) {
    return values
      .map((value) => (value === standard ? bold(value) : `\`${String(value)}\``).replaceAll('"', ''))
      .join(', ');
  }
  switch (type) {
    case 'integer':
      return `${minimum} to ${maximum}${standard === undefined ? '' : `, ${bold(standard)}`}`;
    case 'boolean':
      return standard === undefined ? '`true`, `false`' : bold(standard);
    case 'array':
      return `at most ${maxItems}${items?.enum === undefined ? '' : `: ${valuesOf(items)}`}`;
    case 'string':
    case 'object':
      return standard === undefined || standard === '' ? '' : bold(standard);
  }
}
