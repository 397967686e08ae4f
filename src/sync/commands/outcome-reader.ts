// Reads a command back repeatedly until it is stopped; the machine of its lock judges the outcome.
import { type CommandEffect, type CommandInput, TRAVEL_MS } from '../../domain/command-state.ts';
import type { LockId } from '../../domain/lock.ts';
import { nextOutcomeReadMs } from '../../domain/poll-policy.ts';
import type { LockGateway } from '../../domain/ports.ts';
import type { CancelTimer } from '../../support/clock.ts';
import { asLatchkeyError, WaitError } from '../../support/errors.ts';
import type { CommonParts } from '../common-parts.ts';

export interface OutcomeParts extends Pick<CommonParts, 'clock' | 'log'> {
  readonly bus: Pick<CommonParts['bus'], 'emit'>;
  readonly gateway: Pick<LockGateway, 'outcome'>;
}

/** The service asked for no read-back of this lock until then, in milliseconds of the monotonic clock. */
export interface ReadPause {
  until: number;
}

type Reading = Extract<CommandEffect, { readonly type: 'start-reading' }>;

/**
 * A read-back that is refused says nothing of the listing: limits are per operation. While the bolt may travel, the locks are
 * listed instead, so often (our choice): "locked" is then shown no longer than 3 s after an unlock of ours.
 */
const FIRST_LISTED_AFTER_MS = 1_500;
const LISTED_INSTEAD_EVERY_MS = 2_500;

/** Gives `onInput` what is read, until the returned function is called. */
export function readOutcomes(
  { gateway, clock, log, bus }: OutcomeParts,
  lockId: LockId,
  pause: ReadPause,
  { commandId, sentAgoMs, firstMs }: Omit<Reading, 'type'>,
  onInput: (input: CommandInput) => void,
): CancelTimer {
  const sentAt = clock.monotonic() - sentAgoMs;
  let isStopped = false;
  let cancel: CancelTimer = () => {};
  const after = (ms: number, work: () => void): void => {
    if (!isStopped) {
      cancel = clock.after(ms, work);
    }
  };
  let listAt = sentAt + FIRST_LISTED_AFTER_MS;
  /** Waits for the next read-back, and lists meanwhile. */
  const listUntil = (readAt: number): void => {
    const now = clock.monotonic();
    if (now >= listAt && now - sentAt < TRAVEL_MS) {
      listAt = now + LISTED_INSTEAD_EVERY_MS;
      bus.emit({ type: 'reading-wanted' });
    }
    if (listAt < Math.min(readAt, sentAt + TRAVEL_MS)) {
      after(listAt - now, () => {
        listUntil(readAt);
      });
    } else {
      after(Math.max(readAt - now, 0), () => void read());
    }
  };
  /** Never rejects. */
  const read = async (): Promise<void> => {
    const askedAt = clock.monotonic();
    const nextMs = (): number => nextOutcomeReadMs(askedAt - sentAt, clock.monotonic() - askedAt);
    try {
      onInput({ type: 'read-back', ...(await gateway.outcome(lockId, commandId)) });
      after(nextMs(), () => void read());
    } catch (thrown) {
      const error = asLatchkeyError(thrown);
      log.debug(`A command could not be read back: ${error.message}`);
      if (error.disposition === 'final' || error.disposition === 'relink') {
        onInput({ type: 'read-back-lost', commandId });
      }
      if (!isStopped) {
        const waitMs = error instanceof WaitError ? error.waitMs : null;
        pause.until = clock.monotonic() + (waitMs ?? 0);
        listUntil(clock.monotonic() + (waitMs ?? nextMs()));
      }
    }
  };
  after(Math.max(firstMs, pause.until - clock.monotonic()), () => void read());
  return () => {
    isStopped = true;
    cancel();
  };
}
