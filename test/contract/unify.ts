// Compares a message with that of the contract, learning the values that differ from run to run.

/** Values of placeholders by name. */
export type Bindings = Map<string, string>;

const PLACEHOLDER = /\{(?<name>\w+)\}/g;

/** Wire contract 0: `YYYY-MM-DDThh:mm:ss.SSSZ`. */
const INSTANT = String.raw`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z`;

/** The differences between the golden value and the real one, each with its path; none when they agree. */
export function differences(golden: unknown, real: unknown, bindings: Bindings, path = ''): string[] {
  if (typeof golden === 'string') {
    return typeof real === 'string' && unifyText(golden, real, bindings)
      ? []
      : [`${path}: ${show(fill(golden, bindings))} became ${show(real)}`];
  }
  if (!isTree(golden) || !isTree(real) || Array.isArray(golden) !== Array.isArray(real)) {
    return Object.is(golden, real) ? [] : [`${path}: ${show(golden)} became ${show(real)}`];
  }
  const names = new Set([...Object.keys(golden), ...Object.keys(real)]);
  return [...names].flatMap((name) => differences(golden[name], real[name], bindings, `${path}/${name}`));
}

/** The text with every placeholder that has a value replaced by it. */
export function fill(text: string, bindings: Bindings): string {
  return text.replaceAll(PLACEHOLDER, (whole, name: string) => bindings.get(name) ?? whole);
}

/** A whole golden value filled. */
export function fillAll(golden: unknown, bindings: Bindings): unknown {
  if (typeof golden === 'string') {
    return fill(golden, bindings);
  }
  if (Array.isArray(golden)) {
    return golden.map((item) => fillAll(item, bindings));
  }
  return isTree(golden)
    ? Object.fromEntries(Object.entries(golden).map(([name, value]) => [name, fillAll(value, bindings)]))
    : golden;
}

function unifyText(golden: string, real: string, bindings: Bindings): boolean {
  const pattern = fill(golden, bindings)
    .replaceAll(/[.*+?^$()|[\]\\/-]/g, String.raw`\$&`)
    .replaceAll(PLACEHOLDER, (_, name: string) => (name.startsWith('time') ? INSTANT : `(?<${name}>.+)`));
  const found = new RegExp(`^${pattern}$`).exec(real);
  for (const [name, value] of Object.entries(found?.groups ?? {})) {
    bindings.set(name, value);
  }
  return found !== null;
}

function isTree(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function show(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
