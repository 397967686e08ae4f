// What features bring to one place of the core: each process adds it once, before it reads a configuration.

/** By the name of the feature, so that adding it twice changes nothing. */
export class Additions<Value> {
  readonly #values = new Map<string, Value>();

  add(feature: string, value: Value): void {
    this.#values.set(feature, value);
  }

  get all(): readonly Value[] {
    return [...this.#values.values()];
  }

  get named(): readonly (readonly [feature: string, value: Value])[] {
    return [...this.#values];
  }
}

/** What features declare into an interface of the core: each brings its members. */
export function gathered<Members extends object>(parts: readonly Partial<Members>[]): Members {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- who declares members brings them
  return joined<Partial<Members>>({}, parts) as Members;
}

/** The members of all in one object; a later one wins. */
export function joined<Members extends object>(base: Members, others: readonly Partial<Members>[]): Members {
  const all = { ...base };
  for (const each of others) {
    Object.assign(all, each);
  }
  return all;
}
