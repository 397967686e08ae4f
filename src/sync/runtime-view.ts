// The account runtime as HomeKit, the pages and the command line see it: locks, events and requests.
import type { RuntimeLinkState } from '../domain/account.ts';
import type { BoltPosition } from '../domain/bolt.ts';
import type { Lock, LockId } from '../domain/lock.ts';
import type { AccessCodes } from './codes/access-codes.ts';
import type { RequestAnswer, RequestLimits } from './commands/request-answer.ts';
import type { RuntimeEvent } from './event-bus.ts';

export type { RuntimeEvent } from './event-bus.ts';

/** What Home needs of the access codes. */
export type CodesView = Pick<AccessCodes, 'list' | 'reveal' | 'add' | 'update' | 'remove' | 'operations'>;

/** Nothing here does I/O but `request` and `codes`. */
export interface RuntimeView {
  /** The access codes of the locks; most calls ask the service. */
  readonly codes: CodesView;
  locks(): readonly Lock[];
  lock(id: LockId): Lock | undefined;
  linkState(): RuntimeLinkState;
  /** Calls `listener` with every event from now on, `first` before all others; the returned function ends it. */
  subscribe(listener: (event: RuntimeEvent) => void, place?: 'first'): () => void;
  /** Checks whether the machine slept, after which nothing remembered is fresh. To be called before showing a state. */
  checkSuspend(): void;
  /**
   * Asks for a bolt to be moved. Never rejects; answers when the command has left or will not.
   */
  request(id: LockId, target: BoltPosition, limits?: RequestLimits): Promise<RequestAnswer>;
  /** Adds a lock that may not be known, such as one that Home still shows. */
  remember(id: LockId, name: string): void;
}
