// Alerts as people see them: what is on, and when each was last recorded.
import type { AlertName, AlertValues } from '../../domain/locks/alert-options.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import type { Instant } from '../../domain/time/instant.ts';

export interface RecordedAlert {
  readonly at: Instant;
  readonly lock: LockId;
  readonly lockName: string;
}

export interface AlertsView {
  /** In force since the start of the process: a change of config.json counts after the next one. */
  readonly options: AlertValues;
  /** The newest entry of the history about it, among its last ones; absent where none is there. */
  readonly last: Readonly<Partial<Record<AlertName, RecordedAlert>>>;
}

export interface AlertsApi {
  show(): AlertsView;
}
