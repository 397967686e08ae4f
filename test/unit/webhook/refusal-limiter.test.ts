// Every refusal of a delivery leaves a line with its advice, once an hour; what only strangers cause leaves none.
import { expect, it } from 'vitest';
import { silentLog } from '../../../src/support/log.ts';
import { type Answer, isRefusal, STATUSES } from '../../../src/webhook/answer.ts';
import { RefusalLimiter } from '../../../src/webhook/refusal-limiter.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const ADVICE: Partial<Record<Answer, RegExp>> = {
  unsigned: /webhooks\.signatureHeader/,
  forged: /webhooks\.signature and webhooks\.keys/,
  unverifiable: /newer ones cannot be had yet/,
  unreadable: /no event that can be understood/,
  'not-decrypted': /webhooks\.enrolment/,
  'too-old': /older than 25 hours/,
  'wrong-type': /not exactly application\/json/,
  'too-large': /larger than 64 kB/,
  'too-slow': /longer than 10 seconds/,
  failed: /failed to take it/,
  limited: /without reading the answers/,
};

/** Requests that are no deliveries, and `not-kept`, of which the disk's trouble tells. */
const WITHOUT_ADVICE: readonly Answer[] = [
  'unknown-address',
  'wrong-method',
  'not-http',
  'not-kept',
  'no-consent',
  'not-linked',
];

const REFUSALS = Object.entries(STATUSES).flatMap(([name]) => {
  const answer = name as Answer;
  return isRefusal(answer) ? [answer] : [];
});

it('each refusal has advice, or a reason why it has none', () => {
  expect(REFUSALS.toSorted()).toEqual([...Object.keys(ADVICE), ...WITHOUT_ADVICE].toSorted());
});

it.each(REFUSALS)('%s leaves one line an hour where it has advice, and none otherwise', async (answer) => {
  const clock = new ManualClock();
  const lines: string[] = [];
  const limiter = new RefusalLimiter(clock, { ...silentLog, warn: (line) => lines.push(line) });
  const advice = ADVICE[answer];
  const expected = (count: number): unknown[] =>
    advice === undefined ? [] : Array.from({ length: count }, () => expect.stringMatching(advice) as unknown);
  for (let count = 0; count < 5; count += 1) {
    expect(limiter.answer(answer)).toBe(answer);
  }
  expect(lines).toEqual(expected(1));
  await clock.advance(3_600_000);
  limiter.answer(answer);
  expect(lines).toEqual(expected(2));
});
