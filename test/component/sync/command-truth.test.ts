// What is shown and answered when a reading or the service cannot be trusted, or a request has to wait.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BoltPosition } from '../../../src/domain/bolt.ts';
import { WaitError } from '../../../src/support/errors.ts';
import { type Home, homeWithFrontDoor } from './home.ts';
import { FRONT_DOOR, type Mishap } from './pretend-service.ts';

function targets(home: Home): readonly BoltPosition[] {
  return home.service.sent.map(({ target }) => target);
}

describe('a request to lock', () => {
  it.each([
    ['6 s after the reading', 6_000, 0],
    ['25 s after it', 25_000, 0],
    ['after ten minutes asleep', 1_000, 600_000],
  ])('is sent where a hand has opened since the last reading, %s (faults#84)', async (_, waitMs, sleepMs) => {
    const home = await homeWithFrontDoor('secured');
    home.service.turn('unsecured');
    await home.clock.advance(waitMs);
    home.clock.jumpWallTo(home.clock.now() + sleepMs);
    expect(await (await home.request('secured')).answer).toEqual({ kind: 'accepted' });
    await home.clock.advance(3_000);
    expect([targets(home), home.service.lock().bolt]).toEqual([['secured'], 'secured']);
  });

  it('is answered as done where "locked" was confirmed within five seconds (faults#84)', async () => {
    const home = await homeWithFrontDoor('secured');
    await home.clock.advance(5_000);
    expect(await (await home.request('secured')).answer).toEqual({ kind: 'already' });
    await home.clock.advance(1);
    await home.request('secured');
    expect(targets(home)).toEqual(['secured']);
  });

  it('behind a slow token waits as long as behind a busy lock, and an unlock does not', async () => {
    const home = await homeWithFrontDoor();
    home.service.tokenMs = 40_000;
    const lock = await home.request('secured');
    await home.clock.advance(41_000);
    expect(await lock.answer).toEqual({ kind: 'accepted' });
    await home.clock.advance(10_000);
    const unlock = await home.request('unsecured');
    await home.clock.advance(41_000);
    expect(await unlock.answer).toMatchObject({ kind: 'failed' });
    expect(targets(home)).toEqual(['secured']);
  });

  it('waits out a pause that the service asks of commands, and an unlock fails at once with the reason', async () => {
    const home = await homeWithFrontDoor();
    home.service.mishaps = [{ kind: 'limited', forMs: 20_000 }];
    const lock = await home.request('secured');
    await home.clock.advance(19_999);
    expect(targets(home)).toEqual([]);
    await home.clock.advance(3_000);
    expect(await lock.answer).toEqual({ kind: 'accepted' });
    home.service.mishaps = [{ kind: 'limited', forMs: 2_000 }];
    expect(await (await home.request('unsecured')).answer).toMatchObject({
      kind: 'failed',
      error: { code: 'rate-limited', waitMs: 2_000 },
    });
    await home.clock.advance(20_000);
    expect(targets(home)).toEqual(['secured']);
  });

  it('fails at once where the pause is longer than it may wait', async () => {
    const home = await homeWithFrontDoor();
    home.service.mishaps = [{ kind: 'limited', forMs: 65_000 }];
    expect(await (await home.request('secured')).answer).toMatchObject({
      kind: 'failed',
      error: { code: 'rate-limited' },
    });
  });
});

describe('success with another position than was asked for', () => {
  it.each<[BoltPosition, BoltPosition]>([
    ['secured', 'unsecured'],
    ['unsecured', 'secured'],
  ])('shows nothing of %s, and the lock is read (faults#85)', async (target, stays) => {
    const home = await homeWithFrontDoor(stays);
    const shown = new Set<string>();
    home.service.mishaps = [{ kind: 'contradicts' }];
    await home.request(target);
    home.runtime.subscribe(() => shown.add(home.shown()[0]));
    const before = home.service.listings;
    await home.clock.advance(20_000);
    expect(shown.has(target)).toBe(false);
    expect(home.shown()).toEqual([stays, null]);
    expect(home.service.listings).toBeGreaterThan(before);
  });
});

describe('an unlock that has to wait', () => {
  it('is never answered with success and then dropped, whatever holds it up (faults#86)', async () => {
    const home = await homeWithFrontDoor('unsecured');
    home.service.mishaps = [{ kind: 'never-ends' }];
    await home.request('secured');
    await home.clock.advance(1_000);
    const { answer } = await home.request('unsecured');
    // A second of its ten may have passed before it was heard.
    await home.clock.advance(8_900);
    expect(home.shown()[1]).toBe('unsecured');
    await home.clock.advance(1_100);
    expect(await answer).toMatchObject({ kind: 'failed', error: { code: 'lock-busy' } });
    expect(home.shown()[1]).toBe('secured');
  });

  it('is sent where the asker has little time and the process was last seen awake some seconds ago', async () => {
    const home = await homeWithFrontDoor('secured');
    await home.clock.advance(5_900);
    const answer = await home.runtime.request(FRONT_DOOR, 'unsecured', { withinMs: 1_900 });
    expect(answer).toEqual({ kind: 'accepted' });
  });

  it('counts what the asker has waited already as part of the ten seconds (faults#86)', async () => {
    const home = await homeWithFrontDoor('secured');
    home.service.tokenMs = 3_000;
    const answer = home.runtime.request(FRONT_DOOR, 'unsecured', { waitedMs: 7_500 });
    await home.clock.advance(2_500);
    expect(await answer).toMatchObject({ kind: 'failed' });
    expect(targets(home)).toEqual([]);
  });

  it('is dropped when whoever asked cannot wait any longer', async () => {
    const home = await homeWithFrontDoor('secured');
    home.service.tokenMs = 3_000;
    const answer = home.runtime.request(FRONT_DOOR, 'unsecured', { withinMs: 1_900 });
    await home.clock.advance(1_900);
    expect(await answer).toMatchObject({ kind: 'failed' });
    await home.clock.advance(60_000);
    expect([targets(home), home.journal.open(), home.shown()]).toEqual([[], [], ['secured', null]]);
  });

  it('leaves within ten seconds of the tap or not at all, for any delays (faults#86)', async () => {
    const delay = fc.integer({ min: 0, max: 12_000 });
    await fc.assert(
      fc.asyncProperty(delay, delay, delay, fc.boolean(), async (unheardMs, heldMs, tokenMs, isBusy) => {
        const home = await homeWithFrontDoor('unsecured');
        home.service.travelMs = Math.max(heldMs, 1);
        await home.request('secured');
        home.service.tokenMs = tokenMs;
        home.service.mishaps = isBusy ? [{ kind: 'busy', forMs: heldMs }] : [];
        const tappedAt = home.clock.monotonic();
        home.clock.standStill(unheardMs);
        let leftAt: number | null = null;
        home.service.onDeparture = (target) => {
          leftAt = target === 'unsecured' ? home.clock.monotonic() : leftAt;
        };
        const { answer } = await home.request('unsecured');
        await home.clock.advance(30_000);
        expect((leftAt ?? tappedAt) - tappedAt).toBeLessThanOrEqual(10_000);
        expect((await answer).kind === 'failed' || leftAt !== null || (await answer).kind === 'refused').toBe(
          true,
        );
      }),
      { numRuns: 300 },
    );
  });
});

describe('the pauses', () => {
  it('before a busy lock is asked again are 0.5, 1, 2, 4 and 4 s (faults#27)', async () => {
    const home = await homeWithFrontDoor();
    const busy: Mishap = { kind: 'busy', forMs: 60_000 };
    home.service.mishaps = [busy];
    await home.request('secured');
    const startedAt = home.service.sent[0]?.at ?? 0;
    await home.clock.advance(12_000);
    expect(home.service.sent.map(({ at }) => at - startedAt)).toEqual([0, 500, 1_500, 3_500, 7_500, 11_500]);
  });

  it('that the service asks of a read-back are kept', async () => {
    const home = await homeWithFrontDoor();
    await home.request('secured');
    home.service.readBackFault = new WaitError('rate-limited', 'Too many requests.', 7_000);
    await home.clock.advance(480);
    expect(home.service.readBacksAt).toHaveLength(1);
    home.service.readBackFault = null;
    await home.clock.advance(6_999);
    expect(home.service.readBacksAt).toHaveLength(1);
    await home.clock.advance(1);
    expect(home.service.readBacksAt).toHaveLength(2);
  });
});
