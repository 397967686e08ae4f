// Makes a value when it is first used: what few homes need costs the others no time at their start, and no memory.

export function atFirstUse<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
