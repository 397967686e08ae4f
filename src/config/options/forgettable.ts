// A value that is large and seldom needed: built when it is asked for, and given up to the garbage collector after that.

/** Gives the same value again for as long as it is still in memory. */
export function forgettable<Value extends object>(build: () => Value): () => Value {
  let kept: WeakRef<Value> | null = null;
  return () => {
    const value = kept?.deref() ?? build();
    kept = new WeakRef(value);
    return value;
  };
}
