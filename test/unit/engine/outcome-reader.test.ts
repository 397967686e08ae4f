// Reading a command back: when the next reading follows, and when there is no further one.
import { describe, expect, it } from 'vitest';
import { commandId } from '../../../src/domain/commands/command.ts';
import { lockId } from '../../../src/domain/locks/lock.ts';
import { OutcomeReader } from '../../../src/engine/commands/outcome-reader.ts';
import { FinalError, RelinkError, RetryError, WaitError } from '../../../src/support/errors.ts';
import { silentLog } from '../../../src/support/log.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** A reader whose every question is answered by this error, or by nothing, started at 0. */
function readerMeeting(fault: Error | null) {
  const clock = new ManualClock();
  const askedAt: number[] = [];
  const listings: number[] = [];
  let lost = 0;
  const gateway = {
    outcome: async () => {
      askedAt.push(clock.monotonic());
      return fault === null ? new Promise<never>(() => {}) : Promise.reject(fault);
    },
  };
  const bus = {
    emit: () => {
      listings.push(clock.monotonic());
    },
  };
  const reader = new OutcomeReader({
    gateway,
    clock,
    log: silentLog,
    bus,
    lockId: lockId('door'),
    pause: { until: 0 },
    command: { commandId: commandId('c-1'), sentAgoMs: 0, firstMs: 500 },
    onInput: ({ type }) => {
      if (type === 'read-back-lost') {
        lost += 1;
        reader.stop();
      }
    },
  });
  return { clock, reader, askedAt, listings, lost: () => lost };
}

describe('a read-back', () => {
  it('waits as long as the service asks before the next', async () => {
    const { clock, askedAt } = readerMeeting(new WaitError('rate-limited', 'Later.', 7_000));
    await clock.advance(7_499);
    expect(askedAt).toEqual([500]);
    await clock.advance(1);
    expect(askedAt).toEqual([500, 7_500]);
  });

  it('that fails without a wait is tried again soon', async () => {
    const { clock, askedAt } = readerMeeting(new RetryError('unreachable', 'No network.'));
    await clock.advance(1_000);
    expect(askedAt).toEqual([500, 892]);
  });

  it.each([
    ['hangs', null],
    ['fails', new RetryError('unreachable', 'No network.')],
    ['has to wait', new WaitError('rate-limited', 'Later.', 60_000)],
  ])('that %s causes listings instead while the bolt may travel (faults#143)', async (_, error) => {
    const { clock, listings } = readerMeeting(error);
    await clock.advance(20_000);
    expect(listings).toEqual([1_500, 4_000, 6_500, 9_000]);
  });

  it.each([new FinalError('not-found', 'Forgotten.'), new RelinkError('revoked', 'Link again.')])(
    'that can never succeed is the last one ($message)',
    async (error) => {
      const { clock, askedAt, lost } = readerMeeting(error);
      await clock.advance(60_000);
      expect([askedAt, lost(), clock.pendingTimers]).toEqual([[500], 1, 0]);
    },
  );
});
