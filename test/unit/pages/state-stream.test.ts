// What the pages know: answers and events in any order, losses, and how often they are drawn.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PanelEvent } from '../../../src/panel/panel-event.ts';
import type { LockView } from '../../../src/panel/views/lock.ts';
import type { AccountState } from '../../../web/panel/state/account-state.ts';
import { StateStream } from '../../../web/panel/state/state-stream.ts';
import { type Transport, unreachable } from '../../../web/panel/state/transport.ts';
import { aLock } from '../../stand-ins/account/operations.ts';

const front = (bolt: LockView['bolt']): LockView => aLock('Front door', { bolt });

/** A line whose answers a test gives by hand, in the order that it likes. */
class Line {
  readonly asked: { readonly operation: string; answer: (result: unknown) => void; fail: () => void }[] = [];
  emit: (event: PanelEvent) => void = () => {};
  connect: (connected: boolean) => void = () => {};

  readonly transport = {
    place: 'panel',
    call: async (operation: string) =>
      new Promise((resolve, reject) => {
        this.asked.push({
          operation,
          answer: resolve,
          fail: () => {
            reject(unreachable('Nobody answers.'));
          },
        });
      }),
    may: () => true,
    listen: (onEvent: Line['emit'], onConnected: Line['connect']) => {
      this.emit = onEvent;
      this.connect = onConnected;
      return () => {};
    },
  } as unknown as Transport;

  of(operation: string) {
    return this.asked.filter((question) => question.operation === operation);
  }
}

describe('the state of the pages', () => {
  let line: Line;
  let watch: StateStream;
  let runtime: AccountState;
  let reports: number;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    reports = 0;
    line = new Line();
    watch = new StateStream(line.transport, (known) => {
      runtime = known;
      reports += 1;
    });
    watch.start();
  });

  afterEach(() => {
    watch.close();
    vi.useRealTimers();
  });

  const settled = async (): Promise<void> => {
    await vi.advanceTimersByTimeAsync(250);
  };
  const bolt = (): string | undefined => runtime.locks?.[0]?.bolt;

  it('is not reset by an answer from before an event that comes after the event', async () => {
    void watch.read('locks');
    line.of('locks')[0]?.answer([front('secured')]);
    await settled();
    void watch.read('locks');
    line.emit({ type: 'lock', lock: front('unsecured') });
    line.of('locks')[1]?.answer([front('secured')]);
    await settled();
    expect(bolt()).toBe('unsecured');
    expect(line.of('locks')).toHaveLength(3);
    line.of('locks')[2]?.answer([front('jammed')]);
    await settled();
    expect(bolt()).toBe('jammed');
    expect(line.of('locks')).toHaveLength(3);
  });

  it('includes an event that comes before the very first answer', async () => {
    void watch.read('locks');
    line.emit({ type: 'lock', lock: front('unsecured') });
    line.of('locks')[0]?.answer([front('secured')]);
    await settled();
    expect(bolt()).toBe('unsecured');
  });

  it('ignores the answer to an older question, however late it comes', async () => {
    void watch.read('locks');
    void watch.read('locks');
    line.of('locks')[1]?.answer([front('secured')]);
    await settled();
    line.of('locks')[0]?.answer([front('unsecured')]);
    await settled();
    expect(bolt()).toBe('secured');
  });

  it('has read when the newer question is answered, too, where the answer to its own was dropped for it', async () => {
    const read: string[] = [];
    void watch.read('locks').then(() => read.push(`first: ${String(bolt())}`));
    void watch.read('locks').then(() => read.push(`second: ${String(bolt())}`));
    line.of('locks')[0]?.answer([front('unsecured')]);
    await settled();
    expect(read).toEqual([]);
    line.of('locks')[1]?.answer([front('secured')]);
    await settled();
    expect(read.toSorted()).toEqual(['first: secured', 'second: secured']);
  });

  it('keeps the failure of one reading while another succeeds, until that one does', async () => {
    void watch.read('locks', 'activity');
    line.of('locks')[0]?.fail();
    line.of('activity')[0]?.answer([]);
    await settled();
    expect([...runtime.troubles.keys()]).toEqual(['locks']);
    void watch.read('locks');
    line.of('locks')[1]?.answer([]);
    await settled();
    expect(runtime.troubles.size).toBe(0);
  });

  it('keeps the time at which the age of a report was measured, so that the page can count on', async () => {
    const before = Date.now();
    void watch.read('webhooks.status', 'status');
    line.of('webhooks.status')[0]?.answer({ lastEventAgoMs: 1_000 });
    line.of('status')[0]?.answer({ lastListedAgoMs: 1_000, serviceNow: 0 });
    await settled();
    expect(runtime.webhooksAt).toBeGreaterThanOrEqual(before);
    expect(runtime.statusAt).toBeGreaterThanOrEqual(before);
    expect(runtime.aheadMs).toBe(-runtime.statusAt);
  });

  it('reports the first of 149 changes at once, and the others together a quarter of a second later', async () => {
    void watch.read('locks');
    line.of('locks')[0]?.answer([front('secured')]);
    await settled();
    await settled();
    reports = 0;
    for (let change = 1; change <= 149; change += 1) {
      line.emit({ type: 'lock', lock: front(change % 2 === 0 ? 'secured' : 'unsecured') });
      await vi.advanceTimersByTimeAsync(0);
    }
    expect(reports).toBe(1);
    await vi.advanceTimersByTimeAsync(249);
    expect(reports).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect([reports, bolt()]).toEqual([2, 'unsecured']);
  });

  it('resolves a reading once its answer is reported, so that what follows knows it (faults#119)', async () => {
    line.emit({ type: 'lock', lock: front('unsecured') });
    await vi.advanceTimersByTimeAsync(0);
    const known = watch.read('locks').then(() => runtime.locks?.length);
    line.of('locks')[0]?.answer([front('secured')]);
    await settled();
    expect(await known).toBe(1);
  });

  it('reports a change at once after the clock was set back by a day', async () => {
    line.connect(true);
    await settled();
    vi.setSystemTime(Date.now() - 86_400_000);
    line.connect(false);
    await settled();
    expect(runtime.connected).toBe(false);
  });

  it('is read anew whenever the connection is back', () => {
    line.connect(true);
    line.connect(false);
    line.connect(true);
    expect(line.of('activity')).toHaveLength(2);
  });

  it('is not current after a loss until everything was read, and failed readings are repeated', async () => {
    const answerAll = async (isWell: boolean): Promise<void> => {
      for (const question of line.asked.splice(0)) {
        if (isWell) {
          question.answer([]);
        } else {
          question.fail();
        }
      }
      await settled();
    };
    line.connect(true);
    await answerAll(true);
    line.connect(false);
    line.connect(true);
    await answerAll(false);
    expect(runtime.lostAt).not.toBeNull();
    void watch.watch();
    await answerAll(true);
    expect(runtime.lostAt).toBeNull();
  });

  it('is not current when readings fail for ten seconds beside a stream that lives (faults#160)', async () => {
    const linked = { link: 'linked', lastListedAgoMs: 0, failing: null, unansweredMs: null, serviceNow: 0 };
    const answerAll = async (status: unknown): Promise<void> => {
      for (const question of line.asked.splice(0)) {
        question.answer(['status', 'watch'].includes(question.operation) ? status : []);
      }
      await settled();
    };
    line.connect(true);
    await answerAll(linked);
    // The page looks every few seconds, and no look is answered.
    await vi.advanceTimersByTimeAsync(2_600);
    for (let look = 0; look < 2; look += 1) {
      void watch.watch();
      await vi.advanceTimersByTimeAsync(3_500);
    }
    expect(runtime.lostAt).toBeNull();
    await vi.advanceTimersByTimeAsync(400);
    expect(runtime.lostAt).toBe(runtime.statusAt);
    line.asked.splice(0);
    void watch.watch();
    await answerAll(linked);
    expect(runtime.lostAt).toBeNull();
    // Answered looks leave nothing behind that doubts later.
    void watch.watch();
    await answerAll(linked);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(runtime.lostAt).toBeNull();
  });
});
