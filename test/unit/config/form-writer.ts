// Brings the form of the Homebridge UI up to the option table: bounds, defaults and explanations, fields that are new or gone, and
// every field of a lock. Titles, and the places of all other fields, stay as they were written.
import { LOCK_SETTINGS } from '../../../src/domain/locks/settings.ts';
import { optionRows, type SchemaNode } from './option-rows.ts';

type Members = Readonly<Record<string, unknown>>;

export interface Form {
  readonly schema: Members;
  readonly layout: readonly unknown[];
}

/** `ours`: the JSON Schema of the option table. */
export function formOf<Whole extends Form>(former: Whole, ours: SchemaNode): Whole {
  const paths = new Set(optionRows(ours).map(({ path }) => path));
  const before = new Set(optionRows(former.schema).map(({ path }) => path));
  const added = [...paths].filter((path) => !before.has(path) && !/\[\]/.test(path));
  return {
    ...former,
    schema: node(former.schema, ours),
    layout: [...former.layout.flatMap((item) => drawn(item, paths)), ...added],
  };
}

function node(theirs: Members, ours: SchemaNode): Members {
  const former = (theirs['properties'] ?? {}) as Readonly<Record<string, Members>>;
  const { properties, items, enum: values, description, ...facts } = ours;
  const { type, writeOnly, minimum, maximum, maxLength, maxItems, pattern } = facts;
  const names = Object.keys(properties ?? {});
  const order = [...Object.keys(former).filter((name) => names.includes(name)), ...names];
  const inner = Object.fromEntries(
    order.map((name) => [name, node(former[name] ?? {}, properties?.[name] ?? ours)]),
  );
  const told = {
    title: facts.title,
    ...theirs,
    type,
    description: description?.replaceAll('`', '') ?? theirs['description'],
    default: Array.isArray(facts.default) || properties ? undefined : facts.default,
    minimum,
    maximum,
    maxLength,
    maxItems,
    pattern,
    writeOnly,
    ...(theirs['oneOf'] === undefined && values !== undefined ? { enum: values } : {}),
    ...(properties === undefined ? {} : { properties: inner }),
    ...(items === undefined ? {} : { items: node((theirs['items'] ?? {}) as Members, items) }),
  };
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined));
}

/** One item of the layout; nothing where its option is gone. */
function drawn(item: unknown, paths: ReadonlySet<string>): readonly unknown[] {
  const { key = item, items } = (typeof item === 'object' ? item : {}) as Members;
  if (typeof key === 'string' && !paths.has(key)) {
    return [];
  }
  if (!Array.isArray(items)) {
    return [item];
  }
  const inner = items.includes('locks[].id')
    ? ['locks[].id', 'locks[].matter', ...Object.keys(LOCK_SETTINGS).map(fieldOfLock)]
    : items.flatMap((each) => drawn(each, paths));
  return [{ ...(item as Members), items: inner }];
}

/** An untouched checkbox is saved as "false", and an integer with both bounds is drawn as a slider. */
function fieldOfLock(name: string): unknown {
  const key = `locks[].${name}`;
  const row = LOCK_SETTINGS[name as keyof typeof LOCK_SETTINGS];
  if (row.kind !== 'switch') {
    return row.kind === 'percent' ? { key, type: 'number' } : key;
  }
  const [on, off] = row.choices;
  const titleMap = [
    { name: 'Set on the Locks page', value: null },
    { name: on, value: true },
    { name: off, value: false },
  ];
  return { key, type: 'select', titleMap };
}
