// Retained topics that the broker does not acknowledge: they are published again, one message at a time.
import { expect, it } from 'vitest';
import type { OutgoingMessage } from '../../../../src/carrier/carrier.ts';
import { RetainedTopics } from '../../../../src/features/home-assistant/broker/retained-topics.ts';
import { UncertainError } from '../../../../src/support/errors.ts';
import { silentLog } from '../../../../src/support/log.ts';
import { ManualClock, settlePromises } from '../../../support/manual-clock.ts';

it('a topic without an acknowledgement is published again after a second, in its latest form, and not after the end', async () => {
  const clock = new ManualClock(undefined, settlePromises);
  const sent: OutgoingMessage['payload'][] = [];
  const carrier = {
    state: { kind: 'connected', resumed: false } as const,
    publish: async ({ payload }: OutgoingMessage) => {
      sent.push(payload);
      return Promise.reject(new UncertainError('No acknowledgement came'));
    },
  };
  const parts = { carrier, clock, log: silentLog, onRemoved: () => {}, onRefusals: () => {} };
  const topics = new RetainedTopics(parts);
  topics.set('a', 'old');
  await clock.advance(999);
  expect(sent).toEqual(['old']);
  await clock.advance(1);
  expect(sent).toEqual(['old', 'old']);
  topics.set('a', 'new');
  await clock.advance(0);
  topics.close();
  await clock.advance(5_000);
  expect(sent).toEqual(['old', 'old', 'new']);
  expect(clock.pendingTimers).toBe(0);
});
