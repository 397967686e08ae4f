// A reading that the service did not answer is made once more, and nothing else is.
import { describe, expect, it } from 'vitest';
import { READ_ERRORS } from '../../../src/cloud/http/answer-errors.ts';
import type { NextOwner } from '../../../src/panel/socket/protocol.ts';
import { delay } from '../../../src/support/clock.ts';
import { FinalError, UncertainError, WaitError } from '../../../src/support/errors.ts';
import type { AccountTool } from '../../../src/tools/account-tool.ts';
import { readingTwice } from '../../../src/tools/second-reading.ts';
import { ManualClock, settlePromises } from '../../support/manual-clock.ts';

const NO_ERROR = { errorCode: null, reason: null, sentence: '' };
const FAILURE = { kind: 'failure', written: true, cause: undefined } as const;

/** What each call ends with, one after the other; the last one repeats. A number: how long each takes, in milliseconds. */
function toolThat(...ends: readonly (Error | number | null)[]) {
  const takesMs = ends.find((end) => typeof end === 'number') ?? 0;
  const errors = ends.filter((end) => typeof end !== 'number');
  const clock = new ManualClock(undefined, settlePromises);
  const calls: string[] = [];
  const ended = Promise.withResolvers<NextOwner>();
  const call = async (operation: string): Promise<unknown> => {
    calls.push(operation);
    if (takesMs > 0) {
      await delay(clock, takesMs);
    }
    const error = errors[Math.min(calls.length, errors.length) - 1] ?? null;
    return error === null ? Promise.resolve('answer') : Promise.reject(error);
  };
  const tool: AccountTool = {
    through: 'owner',
    call: call as AccountTool['call'],
    subscribe: () => () => {},
    ended: ended.promise,
    close: async () => Promise.resolve(),
  };
  const reading = readingTwice(tool, clock, new AbortController().signal);
  const asked = async (operation: 'codes.list' | 'codes.add'): Promise<unknown> =>
    reading.call(operation, {}).catch((error: unknown) => (error instanceof Error ? error.message : error));
  return { clock, calls, asked, end: () => ended.resolve('expected') };
}

const busy = new WaitError('rate-limited', 'Later.', 3_000);

describe('a reading', () => {
  it.each<[string, Error, number]>([
    ['429', busy, 3_000],
    ['503 with a pause', new WaitError('overloaded', 'Later.', 2_000), 2_000],
    ['502', READ_ERRORS.refusal(502, NO_ERROR), 1_000],
    ['a refused connection', READ_ERRORS.failure({ ...FAILURE, why: 'unreachable' }), 1_000],
    ['a cut answer', READ_ERRORS.failure({ ...FAILURE, why: 'lost' }), 1_000],
  ])('after %s is made once more, after its pause', async (_, error, pauseMs) => {
    const { clock, calls, asked } = toolThat(error, null);
    const answer = asked('codes.list');
    await clock.advance(pauseMs - 1);
    expect(calls).toHaveLength(1);
    await clock.advance(1);
    expect([await answer, calls.length]).toEqual(['answer', 2]);
  });

  it('is not made a third time', async () => {
    const { clock, calls, asked } = toolThat(busy);
    const answer = asked('codes.list');
    await clock.advance(60_000);
    expect([await answer, calls.length]).toEqual(['Later.', 2]);
  });

  it.each<[string, Error]>([
    ['would end the same way', new FinalError('refused', 'No.')],
    ['is to wait for longer than a person does', new WaitError('rate-limited', 'Later.', 60_000)],
  ])('that %s is not made again', async (_, error) => {
    const { calls, asked } = toolThat(error);
    expect([await asked('codes.list'), calls.length]).toEqual([error.message, 1]);
  });

  it('that nobody answered for half a minute is not made again: a person does not wait twice', async () => {
    const { clock, calls, asked } = toolThat(READ_ERRORS.failure({ ...FAILURE, why: 'timed-out' }), 30_000);
    const answer = asked('codes.list');
    await clock.advance(60_000);
    expect([await answer, calls.length]).toEqual(['The service did not answer in time.', 1]);
  });

  it('is left to the next owner when the account is out of reach', async () => {
    const { clock, calls, asked, end } = toolThat(busy, null);
    const answer = asked('codes.list');
    end();
    await clock.advance(0);
    expect([await answer, calls.length]).toEqual(['Later.', 1]);
  });
});

it('a change is never made again', async () => {
  for (const error of [busy, new UncertainError('Lost.')]) {
    const { calls, asked } = toolThat(error, null);
    expect([await asked('codes.add'), calls.length]).toEqual([error.message, 1]);
  }
});
