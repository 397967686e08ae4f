// Whether the plugin's file is older than what happened at the locks since: then its rows are proposals, and let nobody in.
import type { Instant } from '../time/instant.ts';

/**
 * Why the file is old, or may be. `restored`: from a backup of ours. `sign-in`: the service no longer took its sign-in, as where another
 * copy has renewed that. `changed`: codes of a lock were changed while this file was not in use, as after a snapshot or a volume was put back.
 */
export interface OldFile {
  readonly because: 'restored' | 'sign-in' | 'changed';
  /** When it was restored, or found to be old. */
  readonly at: Instant;
  /** When the backup was made; null where that is not known. */
  readonly madeAt: Instant | null;
}

/** A time in which this file was not in use: nobody knows whether another copy of it was. */
export interface Unused {
  readonly from: Instant;
  readonly until: Instant;
}

/** What the file says of its own age, across restarts. */
export interface UseOfFile {
  readonly lastUsedAt: Instant | null;
  readonly unused: readonly Unused[];
  /** The last restore for which the rows were made proposals. */
  readonly askedAt: Instant | null;
}

/** After these a copy of the file with a later sign-in may have been in use. */
export const SPENT: ReadonlySet<string> = new Set(['used-elsewhere', 'revoked', 'expired']);

export const NEVER_USED: UseOfFile = { lastUsedAt: null, unused: [], askedAt: null };

/** So many pauses are remembered (our choice): the service's history does not reach back further. */
const MOST_UNUSED = 30;

/** The service dates a change when its lock has made it, which is up to so long after our last word about it, in milliseconds. */
const NOTED_AFTER_MS = 150_000;

/** A process began to use the file at `since`. */
export function begun(use: UseOfFile, now: Instant, since: Instant): UseOfFile {
  const { lastUsedAt } = use;
  const pause = lastUsedAt === null ? null : { from: lastUsedAt + NOTED_AFTER_MS, until: since };
  const unused =
    pause === null || pause.until <= pause.from ? use.unused : [...use.unused, pause].slice(-MOST_UNUSED);
  return { ...use, unused, lastUsedAt: now };
}

const CODE_CHANGES: ReadonlySet<string> = new Set([
  'code-added',
  'code-updated',
  'code-deleted',
  'all-codes-deleted',
]);

/** Whether codes of a lock were changed while this file was not in use. */
export function wasChangedMeanwhile(
  entries: readonly { readonly what: string; readonly at: Instant }[],
  { unused }: UseOfFile,
): boolean {
  return entries.some(
    ({ what, at }) => CODE_CHANGES.has(what) && unused.some(({ from, until }) => at > from && at < until),
  );
}
