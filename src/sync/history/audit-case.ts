// What the audit of the history knows of one lock.
import type { Instant } from '../../domain/bolt.ts';
import type { Announcement } from '../../domain/history-audit-policy.ts';
import { REPORTED_WITHIN_MS } from '../../domain/time.ts';

/** The audit state of one lock; see `AuditFacts` and `Audited`. */
export interface Case {
  updatedAt: Instant | null;
  hasNewEntries: boolean;
  afterGap: boolean;
  isRepeated: boolean;
  noticedAt: number | null;
  readAt: number | null;
  vain: number;
  /** Webhooks of this lock may have been missed until `gapUntil`; listings have covered the time until `gapsClosedUntil`. */
  gapUntil: Instant;
  gapsClosedUntil: Instant;
  since: Instant;
  announced: readonly Announcement[];
}

export const NOTHING_NOTICED = { hasNewEntries: false, afterGap: false, isRepeated: false, noticedAt: null };

export const NEW_CASE = { ...NOTHING_NOTICED, readAt: null, vain: 0, gapUntil: 0, gapsClosedUntil: -1 };

/** Moves until then are explained by something else than an event. */
export function explain(known: Case, until: Instant): void {
  known.since = Math.max(known.since, until + REPORTED_WITHIN_MS);
}
