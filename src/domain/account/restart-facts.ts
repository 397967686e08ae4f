// What a restart of the plugin would change.

/** The changes that a restart would bring. */
export interface RestartFacts {
  /** Version of the plugin in this process. */
  readonly running: string;
  /** Another installed version; null: none. Whether a newer one is published is not known. */
  readonly installed: string | null;
  /** The new version, or the changed options, count only after a restart. */
  readonly isNeeded: boolean;
}
