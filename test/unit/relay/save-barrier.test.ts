// The barrier behind deliveries: sent after each of them, and one for all that wait.
import { describe, expect, it } from 'vitest';
import type { PublishReceipt } from '../../../src/mqtt/carrier.ts';
import { SaveBarrier } from '../../../src/relay/save-barrier.ts';
import { settlePromises } from '../../support/manual-clock.ts';

function barrierOf() {
  const sent: PromiseWithResolvers<PublishReceipt>[] = [];
  const barrier = new SaveBarrier({
    publish: async () => {
      const one = Promise.withResolvers<PublishReceipt>();
      sent.push(one);
      return one.promise;
    },
  });
  return { barrier, sent };
}

const TAKEN: PublishReceipt = { hasSubscriber: false };

describe('the barrier', () => {
  it('lets those that came while one was under way pass together with the next one', async () => {
    const { barrier, sent } = barrierOf();
    const passed: string[] = [];
    const pass = (name: string): Promise<unknown> => barrier.pass().then(() => passed.push(name));
    const first = pass('first');
    const later = [pass('second'), pass('third')];
    expect(sent).toHaveLength(1);
    sent[0]?.resolve(TAKEN);
    await first;
    await settlePromises();
    expect(passed).toEqual(['first']);
    expect(sent).toHaveLength(2);
    sent[1]?.resolve(TAKEN);
    await Promise.all(later);
    expect(passed).toEqual(['first', 'second', 'third']);
    void pass('fourth');
    expect(sent).toHaveLength(3);
  });

  it('fails only those whose own message failed', async () => {
    const { barrier, sent } = barrierOf();
    const first = barrier.pass();
    const second = barrier.pass();
    sent[0]?.reject(new Error('The broker is gone'));
    await expect(first).rejects.toThrow('The broker is gone');
    await settlePromises();
    sent[1]?.resolve(TAKEN);
    await second;
  });
});
