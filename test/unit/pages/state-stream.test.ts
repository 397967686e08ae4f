import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type LockId, lockId } from '../../../src/domain/lock.ts';
import type { LockView } from '../../../src/panel/lock-view.ts';
import type { PanelEvent } from '../../../src/panel/panel-event.ts';
import type { AccountState } from '../../../web/panel/account-state.ts';
import { StateStream } from '../../../web/panel/state-stream.ts';
import { type Transport, unreachable } from '../../../web/panel/transport.ts';
import { named } from '../../support/named-lock.ts';

const FRONT: LockId = lockId('front');

function front(bolt: LockView['bolt']): LockView {
  return {
    id: FRONT,
    description: named('Front door'),
    bolt,
    confirmedAt: 0,
    lastCommand: null,
    target: null,
    presence: 'reachable',
    battery: { grade: 'normal', percent: 90 },
    leftUnlockedSince: null,
    lastMove: null,
  };
}

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

describe('what the pages know', () => {
  let line: Line;
  let watch: StateStream;
  let runtime: AccountState;

  beforeEach(() => {
    line = new Line();
    watch = new StateStream(line.transport, (known) => {
      runtime = known;
    });
    watch.start();
  });

  afterEach(() => {
    watch.close();
  });

  const settled = async (): Promise<void> =>
    new Promise((resolve) => {
      setImmediate(resolve);
    });
  const bolt = (): string | undefined => runtime.locks?.[0]?.bolt;

  it('is not set back by an answer that was given before an event and comes after it', async () => {
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

  it('hears of an event that comes before the very first answer', async () => {
    void watch.read('locks');
    line.emit({ type: 'lock', lock: front('unsecured') });
    line.of('locks')[0]?.answer([front('secured')]);
    await settled();
    expect(bolt()).toBe('unsecured');
  });

  it('drops the answer to an older question, however late it comes', async () => {
    void watch.read('locks');
    void watch.read('locks');
    line.of('locks')[1]?.answer([front('secured')]);
    await settled();
    line.of('locks')[0]?.answer([front('unsecured')]);
    await settled();
    expect(bolt()).toBe('secured');
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

  it('knows when it was reported how long ago something was, so that the page can count on', async () => {
    const before = Date.now();
    void watch.read('webhooks.status', 'status');
    line.of('webhooks.status')[0]?.answer({ lastEventAgoMs: 1_000 });
    line.of('status')[0]?.answer({ lastListedAgoMs: 1_000, serviceNow: 0 });
    await vi.waitFor(() => {
      expect(runtime.status).not.toBeNull();
    });
    expect(runtime.webhooksAt).toBeGreaterThanOrEqual(before);
    expect(runtime.statusAt).toBeGreaterThanOrEqual(before);
    expect(runtime.aheadMs).toBe(-runtime.statusAt);
  });

  it('reads everything whenever the line stands again', () => {
    line.connect(true);
    line.connect(false);
    line.connect(true);
    expect(line.of('activity')).toHaveLength(2);
  });

  it('calls nothing current after a loss until all was read, and tries that again', async () => {
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
});
