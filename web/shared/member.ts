// Looking into what came over a line, whatever it is.

/** A member of whatever came, undefined when it has none of that name. */
export function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
