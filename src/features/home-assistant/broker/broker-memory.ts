// The state of an account at its broker over restarts, as the account's owner keeps it.
import type { BrokerIdentity } from './topics.ts';

export interface BrokerMemory {
  readonly identity: BrokerIdentity;
  /** Every retained topic that this account has published, and not removed since: nothing else is ever removed. */
  readonly topics: ReadonlySet<string>;
  /** Called before they are published. Never throws: what cannot be written now is written with the next change. */
  announce(topics: readonly string[]): void;
  removed(topic: string): void;
  /** The digest of what a person deleted at its receiver; null when it was not. */
  deletedAs(topic: string): string | null;
  /** `digest`: null when the deletion does not count any more. Never throws, as `announce`. */
  deleted(topic: string, digest: string | null): void;
  /** When the newest accepted command of a kind to a lock was asked, by the service's time; null without one. */
  lastAskedAt(key: string): number | null;
  /** Throws `storage-failed` when it cannot be kept. */
  asked(key: string, at: number): void;
}
