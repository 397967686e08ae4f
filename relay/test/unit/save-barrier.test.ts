// The barrier behind deliveries: sent after each of them, and one for all that wait.
import { describe, expect, it } from 'vitest';
import type { PublishReceipt } from '../../../src/carrier/carrier.ts';
import { settlePromises } from '../../../test/support/manual-clock.ts';
import { SaveBarrier } from '../../src/save-barrier.ts';

interface Sent extends PromiseWithResolvers<PublishReceipt> {
  readonly retain: boolean;
}

function barrierOf() {
  const sent: Sent[] = [];
  const barrier = new SaveBarrier({
    publish: async ({ retain = false }) => {
      const one = { ...Promise.withResolvers<PublishReceipt>(), retain };
      sent.push(one);
      return one.promise;
    },
  });
  return { barrier, sent };
}

const TAKEN: PublishReceipt = { hasSubscriber: false };

describe('the save barrier', () => {
  it('is passed when a message that makes the broker save, and one after it, are acknowledged', async () => {
    const { barrier, sent } = barrierOf();
    const passed: string[] = [];
    const pass = barrier.pass().then(() => passed.push('first'));
    expect(sent.map(({ retain }) => retain)).toEqual([true]);
    sent[0]?.resolve(TAKEN);
    await settlePromises();
    expect(sent.map(({ retain }) => retain)).toEqual([true, false]);
    expect(passed).toEqual([]);
    sent[1]?.resolve(TAKEN);
    await pass;
    expect(passed).toEqual(['first']);
  });

  it('lets deliveries that came while one pair was under way pass together with the next', async () => {
    const { barrier, sent } = barrierOf();
    const passed: string[] = [];
    const pass = (name: string): Promise<unknown> => barrier.pass().then(() => passed.push(name));
    const first = pass('first');
    const second = pass('second');
    sent[0]?.resolve(TAKEN);
    await settlePromises();
    const third = pass('third');
    sent[1]?.resolve(TAKEN);
    await first;
    await settlePromises();
    expect(passed).toEqual(['first']);
    expect(sent.map(({ retain }) => retain)).toEqual([true, false, true]);
    sent[2]?.resolve(TAKEN);
    await settlePromises();
    sent[3]?.resolve(TAKEN);
    await Promise.all([second, third]);
    expect(passed).toEqual(['first', 'second', 'third']);
    void pass('fourth');
    expect(sent).toHaveLength(5);
  });

  it.each([0, 1])(
    'fails only the deliveries whose own message failed, the first or the second: %i',
    async (failing) => {
      const { barrier, sent } = barrierOf();
      const first = barrier.pass();
      const second = barrier.pass();
      if (failing === 1) {
        sent[0]?.resolve(TAKEN);
        await settlePromises();
      }
      sent[failing]?.reject(new Error('The broker is gone'));
      await expect(first).rejects.toThrow('The broker is gone');
      for (const next of [1, 2]) {
        await settlePromises();
        sent[failing + next]?.resolve(TAKEN);
      }
      await second;
    },
  );
});
