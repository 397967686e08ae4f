// While pages are looked at, the locks are listed at the pace of the service, and a listing without an answer is known.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Message, message } from '../../../src/domain/language/message.ts';
import { nextLookMs, unansweredMs, WATCH_EVERY_MS, watchLocks } from '../../../src/panel/lock-watch.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const WINDOW_MS = 5_000;

/** A service that answers each listing after `answerMs`; null: never. */
class Service {
  readonly clock = new ManualClock();
  readonly askedAt: number[] = [];
  answerMs: number | null = 0;
  failing: null | { forMs: number; message: Message; code: 'unreachable'; retryInMs: null } = null;
  #listedAt: number | null = null;
  #underWay: Promise<null> | null = null;

  status() {
    const lastListedAgoMs = this.#listedAt === null ? null : this.clock.monotonic() - this.#listedAt;
    const askingForMs = this.#underWay === null ? null : this.clock.monotonic() - (this.askedAt.at(-1) ?? 0);
    const ignoredEvents = { foreign: 0, unrecognised: 0 };
    return { failing: this.failing, lastListedAgoMs, askingForMs, ignoredEvents };
  }

  /** Joins a listing that is under way, as the runtime does. */
  async refresh(): Promise<null> {
    this.#underWay ??= this.#list().finally(() => {
      this.#underWay = null;
    });
    return this.#underWay;
  }

  async #list(): Promise<null> {
    this.askedAt.push(this.clock.monotonic());
    await new Promise<void>((resolve) => {
      if (this.answerMs !== null) {
        this.clock.after(this.answerMs, resolve);
      }
    });
    this.#listedAt = this.clock.monotonic();
    return null;
  }
}

describe('a visible page', () => {
  it('has the locks listed as often as it asks, and several pages at most twice in any five seconds', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: WATCH_EVERY_MS }), { maxLength: 40 }),
        async (pauses) => {
          const service = new Service();
          service.answerMs = 50;
          for (const pause of pauses) {
            void watchLocks(service, service.clock);
            await service.clock.advance(pause);
          }
          const { askedAt } = service;
          const busiest = askedAt.map(
            (from) => askedAt.filter((at) => at >= from && at < from + WINDOW_MS).length,
          );
          expect(Math.max(0, ...busiest)).toBeLessThanOrEqual(2);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('hears within 1.7 s that the service has not answered, and starts no second listing meanwhile', async () => {
    const service = new Service();
    service.answerMs = 10_000;
    let isOver = false;
    void (async () => {
      await watchLocks(service, service.clock);
      isOver = true;
    })();
    await service.clock.advance(1_699);
    expect(isOver).toBe(false);
    await service.clock.advance(1);
    expect(isOver).toBe(true);
    expect(unansweredMs(service.status())).toBe(1_700);
    void watchLocks(service, service.clock);
    expect(service.askedAt).toHaveLength(1);
    await service.clock.advance(8_300);
    expect(unansweredMs(service.status())).toBeNull();
  });

  it('starts a listing when the last one is 2.7 s old, and soon after one that failed', () => {
    const look = (lastListedAgoMs: number | null): number => nextLookMs({ failing: null, lastListedAgoMs });
    expect([null, 0, 1_500, 2_100, 60_000].map(look)).toEqual([2_700, 2_700, 1_200, 1_000, 1_000]);
    const failing = { forMs: 1, message: message('Down.'), code: 'unreachable', retryInMs: null } as const;
    expect(nextLookMs({ failing, lastListedAgoMs: 60_000 })).toBe(2_700);
  });

  it('does not hurry the retries of a failing service', async () => {
    const service = new Service();
    service.failing = { forMs: 1, message: message('Down.'), code: 'unreachable', retryInMs: null };
    await watchLocks(service, service.clock);
    expect(service.askedAt).toEqual([]);
  });
});
