// Reads a command back repeatedly until it is stopped; the machine of its lock judges the outcome.
import type { CommandEffect, CommandInput } from '../../domain/command-state.ts';
import type { LockId } from '../../domain/lock.ts';
import { nextOutcomeReadMs } from '../../domain/poll-policy.ts';
import type { LockGateway } from '../../domain/ports.ts';
import type { CancelTimer } from '../../support/clock.ts';
import { asLatchkeyError, WaitError } from '../../support/errors.ts';
import type { CommonParts } from '../common-parts.ts';

export interface OutcomeParts extends Pick<CommonParts, 'clock' | 'log'> {
  readonly gateway: Pick<LockGateway, 'outcome'>;
}

type Reading = Extract<CommandEffect, { readonly type: 'start-reading' }>;

/** Gives `onInput` what is read, until the returned function is called. */
export function readOutcomes(
  { gateway, clock, log }: OutcomeParts,
  lockId: LockId,
  { commandId, sentAgoMs, firstMs }: Omit<Reading, 'type'>,
  onInput: (input: CommandInput) => void,
): CancelTimer {
  const sentAt = clock.monotonic() - sentAgoMs;
  let isStopped = false;
  /** Never rejects. */
  const read = async (): Promise<void> => {
    const askedAt = clock.monotonic();
    let waitMs: number | null = null;
    try {
      onInput({ type: 'read-back', ...(await gateway.outcome(lockId, commandId)) });
    } catch (thrown) {
      const error = asLatchkeyError(thrown);
      log.debug(`A command could not be read back: ${error.message}`);
      if (error.disposition === 'final' || error.disposition === 'relink') {
        onInput({ type: 'read-back-lost', commandId });
      }
      waitMs = error instanceof WaitError ? error.waitMs : null;
    }
    if (!isStopped) {
      readAfter(waitMs ?? nextOutcomeReadMs(askedAt - sentAt, clock.monotonic() - askedAt));
    }
  };
  let cancel: CancelTimer;
  const readAfter = (waitMs: number): void => {
    cancel = clock.after(waitMs, () => void read());
  };
  readAfter(firstMs);
  return () => {
    isStopped = true;
    cancel();
  };
}
