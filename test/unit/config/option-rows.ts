// The option table as rows, from a JSON Schema: the same walk over our own schema and over the form of the Homebridge UI.
import { z } from 'zod';

/** The part of JSON Schema that options are written in. `oneOf` is how the Homebridge UI gives choices a title. */
export const schemaNode = z.object({
  type: z.enum(['string', 'integer', 'boolean', 'array', 'object']),
  title: z.string().optional(),
  description: z.string().optional(),
  writeOnly: z.boolean().optional(),
  default: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  oneOf: z.array(z.object({ title: z.string(), enum: z.tuple([z.unknown()]) })).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  maxLength: z.number().optional(),
  maxItems: z.number().optional(),
  pattern: z.string().optional(),
  get properties() {
    return z.record(z.string(), schemaNode).optional();
  },
  get items() {
    return schemaNode.optional();
  },
});

export type SchemaNode = z.infer<typeof schemaNode>;

export interface OptionRow {
  /** "partner.subscriptionKeys"; entries of a list are "partner.subscriptionKeys[]". */
  readonly path: string;
  readonly node: SchemaNode;
}

/** Every option of a schema, groups left out, in the order of their paths' groups. */
export function optionRows(schema: unknown): readonly OptionRow[] {
  return walk('', schemaNode.parse(schema));
}

function walk(path: string, current: SchemaNode): readonly OptionRow[] {
  const inner = Object.entries(current.properties ?? {}).flatMap(([key, child]) =>
    walk(path === '' ? key : `${path}.${key}`, child),
  );
  const entries = current.items === undefined ? [] : walk(`${path}[]`, current.items);
  return current.type === 'object' ? inner : [{ path, node: current }, ...entries];
}

/** What both sides must agree on. An empty list is no default: a form has nothing to fill in. */
export function agreedFacts({ path, node: option }: OptionRow): Readonly<Record<string, unknown>> {
  const { type, writeOnly, enum: values, oneOf, minimum, maximum, maxLength, maxItems, pattern } = option;
  return {
    path,
    type,
    secret: writeOnly ?? false,
    default: Array.isArray(option.default) ? undefined : option.default,
    choices: type === 'boolean' ? undefined : (values ?? oneOf?.map((choice) => choice.enum[0])),
    description: option.description?.replaceAll('`', ''),
    minimum,
    maximum,
    maxLength,
    maxItems,
    pattern,
  };
}
