// The pages notice within five seconds that nothing can come any more, and connect again: on the panel and in the Homebridge UI.
import type { IHomebridgePluginUi } from '@homebridge/plugin-ui-utils/ui.interface';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { homebridgeTransport } from '../../../web/panel/state/homebridge-transport.ts';
import { panelTransport } from '../../../web/panel/state/panel-transport.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** A stream of events under a test's control. */
class Stream extends EventTarget {
  readyState: 0 | 1 | 2 = 0;
  close(): void {
    this.readyState = 2;
  }
  emit(type: string): void {
    this.dispatchEvent(new Event(type));
  }
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('the stream of the panel (faults#96)', () => {
  const connect = () => {
    const clock = new ManualClock();
    const streams: Stream[] = [];
    const connected: boolean[] = [];
    vi.stubGlobal('fetch', async () => Response.json({ csrf: 'word' }));
    const transport = panelTransport(() => {}, {
      open: () => {
        const stream = new Stream();
        streams.push(stream);
        return stream;
      },
      after: (ms, run) => clock.after(ms, run),
    });
    const end = transport.listen(
      () => {},
      (is) => connected.push(is),
    );
    return { clock, streams, connected, end, transport };
  };

  it('stays open while it beats, for ten minutes', async () => {
    const { clock, streams, connected } = connect();
    streams[0]?.emit('open');
    for (let beat = 0; beat < 300; beat += 1) {
      await clock.advance(2_000);
      streams[0]?.emit('heartbeat');
    }
    expect([streams.length, connected]).toEqual([1, [true]]);
  });

  it('is given up within five seconds of the last beat, and opened again', async () => {
    const { clock, streams, connected } = connect();
    streams[0]?.emit('open');
    await clock.advance(4_499);
    expect(connected).toEqual([true]);
    await clock.advance(1);
    expect(connected).toEqual([true, false]);
    expect(streams[0]?.readyState).toBe(2);
    await expect.poll(() => streams).toHaveLength(2);
    streams[1]?.emit('open');
    expect(connected).toEqual([true, false, true]);
  });

  /** A connection that swallows everything, until it is restored for later requests. */
  const deadWire = () => {
    const wire = { asked: 0, givenUp: 0, isMended: false };
    vi.stubGlobal('fetch', async (_url: string, init?: RequestInit) => {
      wire.asked += 1;
      if (wire.isMended) {
        return Response.json({ csrf: 'word' });
      }
      return new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => {
          wire.givenUp += 1;
          reject(new Error('given up'));
        });
      });
    });
    return wire;
  };

  it('is requested again and again while a dead connection swallows the request, at once on all connections', async () => {
    const { clock, streams } = connect();
    const wire = deadWire();
    streams[0]?.emit('open');
    await clock.advance(4_500);
    await clock.advance(2_499);
    expect(wire).toEqual({ asked: 6, givenUp: 0, isMended: false });
    await clock.advance(1);
    expect(wire.givenUp).toBe(6);
    await clock.advance(1_000);
    expect(wire.asked).toBe(12);
    wire.isMended = true;
    await clock.advance(3_500);
    await expect.poll(() => [wire.asked, streams.length]).toEqual([18, 2]);
  });

  it('is opened again with the first answer, and requests on dead connections are given up', async () => {
    const { clock, streams } = connect();
    streams[0]?.emit('open');
    const signals: (AbortSignal | null | undefined)[] = [];
    vi.stubGlobal('fetch', async (_url: string, init?: RequestInit) => {
      signals.push(init?.signal);
      return signals.length === 6 ? Response.json({ csrf: 'word' }) : new Promise(() => {});
    });
    await clock.advance(4_500);
    await expect.poll(() => streams).toHaveLength(2);
    expect(signals.every((signal) => signal?.aborted)).toBe(true);
  });

  it('gives up a reading on a dead connection, and never a command', async () => {
    const { clock, transport } = connect();
    vi.stubGlobal(
      'fetch',
      async (_url: string, init?: RequestInit) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', reject);
        }),
    );
    const failed: string[] = [];
    for (const name of ['watch', 'lock'] as const) {
      transport.call(name).catch(() => failed.push(name));
    }
    await clock.advance(4_999);
    expect(failed).toEqual([]);
    await clock.advance(1);
    expect(failed).toEqual(['watch']);
    await clock.advance(600_000);
    expect(failed).toEqual(['watch']);
  });

  it('leaves no timer behind when the page closes it', () => {
    const { clock, end } = connect();
    end();
    expect(clock.pendingTimers).toBe(0);
  });
});

describe('the channel of the Homebridge UI (faults#96)', () => {
  const connect = () => {
    const clock = new ManualClock();
    const homebridge = new EventTarget();
    const connected: boolean[] = [];
    const end = homebridgeTransport(homebridge as IHomebridgePluginUi, 'Latchkey', (ms, run) =>
      clock.after(ms, run),
    ).listen(
      () => {},
      (is) => connected.push(is),
    );
    const push = (type: string, data?: object): void => {
      homebridge.dispatchEvent(new MessageEvent(type, { data }));
    };
    return { clock, connected, push, end };
  };

  it('counts as broken within five seconds of the last beat, and as repaired with the next', async () => {
    const { clock, connected, push, end } = connect();
    await clock.advance(4_000);
    push('latchkey-heartbeat');
    await clock.advance(4_499);
    expect(connected).toEqual([true]);
    await clock.advance(1);
    expect(connected).toEqual([true, false]);
    push('latchkey-heartbeat');
    expect(connected).toEqual([true, false, true]);
    end();
    expect(clock.pendingTimers).toBe(0);
  });

  it('does not count as repaired while the account is out of reach', async () => {
    const { clock, connected, push } = connect();
    push('latchkey', { account: 'Latchkey', connected: false });
    await clock.advance(5_000);
    push('latchkey-heartbeat');
    expect(connected.at(-1)).toBe(false);
    push('latchkey', { account: 'Latchkey', connected: true });
    expect(connected.at(-1)).toBe(true);
  });
});
