// The names of an account's pages, and the address of a place on one.
import type { LockId } from '../../../src/domain/locks/lock.ts';
import type { PanelEvent } from '../../../src/panel/panel-event.ts';

/** Each feature declares its page here. */
export interface FeatureViews {}

/** And the operations whose answers its pages keep. */
export interface FeatureReadings {}

export interface FeatureReading {
  readonly reading: keyof FeatureReadings;
  /** The event that makes its answer out of date. */
  readonly after: PanelEvent['type'];
}

export type View =
  | 'overview'
  | 'locks'
  | 'history'
  | 'codes'
  | 'alerts'
  | 'webhooks'
  | 'link'
  | keyof FeatureViews;

/** Where one comes to when nothing has to be set up. */
export const LANDING: View = 'overview';

/** A page, of one lock where it names one. */
export interface Place {
  readonly view: View;
  readonly lock?: LockId | undefined;
}

/** `overview`, or `overview/` and a lock. */
export function addressOf({ view, lock }: Place): string {
  return lock === undefined ? view : `${view}/${encodeURIComponent(lock)}`;
}
