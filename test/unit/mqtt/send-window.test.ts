// The limit of messages that wait for an acknowledgement.
import { describe, expect, it } from 'vitest';
import { SendWindow } from '../../../src/mqtt/send-window.ts';
import { settlePromises } from '../../support/manual-clock.ts';

describe('the window of sent messages', () => {
  it('gives a free place to the first message that waits', async () => {
    const window = new SendWindow(1);
    const order: string[] = [];
    await window.take();
    void window.take().then(() => order.push('second'));
    void window.take().then(() => order.push('third'));
    await settlePromises();
    expect(order).toEqual([]);
    window.release();
    await settlePromises();
    expect(order).toEqual(['second']);
    window.release();
    await settlePromises();
    expect(order).toEqual(['second', 'third']);
  });

  it('refuses a message when a thousand wait', async () => {
    const window = new SendWindow(0);
    for (let count = 0; count < 1_000; count += 1) {
      void window.take();
    }
    await expect(window.take()).rejects.toMatchObject({ disposition: 'retry' });
  });

  it('refuses waiting and later messages once it is closed', async () => {
    const window = new SendWindow(1);
    await window.take();
    const waiting = window.take();
    window.close();
    await expect(waiting).rejects.toMatchObject({ disposition: 'retry', code: 'unreachable' });
    window.release();
    await expect(window.take()).rejects.toMatchObject({ disposition: 'retry', code: 'unreachable' });
  });
});
