// Commands of unknown outcome: a lost reply, a failure that may have moved the bolt, a restart or a sleep in the middle.
import { describe, expect, it } from 'vitest';
import type { BoltPosition } from '../../../../src/domain/locks/bolt.ts';
import { WaitError } from '../../../../src/support/errors.ts';
import { homeWithFrontDoor, type PolledHome } from '../../../homes/polled-home.ts';

function targets(home: PolledHome): readonly BoltPosition[] {
  return home.service.sent.map(({ target }) => target);
}

describe('an unlock of unknown outcome', () => {
  it('whose reply is lost hides "locked" at once, and is read and never sent again (faults#30)', async () => {
    const home = await homeWithFrontDoor('secured');
    home.service.mishaps = [{ kind: 'lost-reply' }];
    const { answer } = await home.request('unsecured');
    expect([await answer, home.shown()]).toEqual([{ kind: 'uncertain' }, ['unknown', 'unsecured']]);
    await home.clock.advance(2_000);
    expect([targets(home), home.shown()]).toEqual([['unsecured'], ['unsecured', null]]);
    expect(home.journal.rows).toMatchObject([{ outcome: 'moved' }]);
  });

  it('that never arrived is shown as locked again only by a listing that no longer lags behind a bolt that would have moved', async () => {
    const home = await homeWithFrontDoor('secured');
    home.service.mishaps = [{ kind: 'lost-request' }];
    await home.request('unsecured');
    await home.clock.advance(19_999);
    expect(home.shown()).toEqual(['unknown', 'unsecured']);
    await home.clock.advance(2_000);
    expect(home.shown()).toEqual(['secured', 'unsecured']);
  });

  it.each(['lock-silent', 'general-failure', 'unrecognised', 'claims-success'] as const)(
    'that failed as %s and moved the bolt does not show "locked" again',
    async (reason) => {
      const home = await homeWithFrontDoor('secured');
      const shown = new Set<string>();
      home.service.mishaps = [{ kind: 'fails', reason, moved: true }];
      await home.request('unsecured');
      await home.clock.advance(1_200);
      home.runtime.subscribe(() => shown.add(home.shown()[0]));
      await home.clock.advance(10_000);
      expect([...shown]).toEqual(['unknown', 'unsecured']);
      expect(home.journal.rows).toMatchObject([{ outcome: 'uncertain' }]);
    },
  );

  it('without an answer for just under three seconds hides "locked", however slow the answer is (faults#31)', async () => {
    const home = await homeWithFrontDoor('secured');
    home.service.latencyMs = 30_000;
    await home.request('unsecured');
    await home.clock.advance(2_899);
    expect(home.shown()).toEqual(['secured', 'unsecured']);
    await home.clock.advance(1);
    expect(home.shown()).toEqual(['unknown', 'unsecured']);
  });
});

it('a sleep of the machine in the middle of a travel does not end the travel: a reading of "locked" right after it proves nothing yet', async () => {
  const home = await homeWithFrontDoor('secured');
  home.service.mishaps = [{ kind: 'lost-request' }];
  await home.request('unsecured');
  await home.clock.advance(1_000);
  home.clock.jumpWallTo(home.clock.now() + 3_600_000);
  home.runtime.checkSuspend();
  await home.clock.advance(100);
  expect(home.shown()[0]).toBe('unknown');
  await home.clock.advance(30_000);
  expect(home.shown()[0]).toBe('secured');
});

describe('after a restart, an unlock of unknown outcome', () => {
  it.each([
    ['that a later request overtook', true],
    ['that the service reported as failed', false],
  ])('%s does not let an early reading show "locked" (faults#22, faults#30)', async (_, isOvertaken) => {
    const home = await homeWithFrontDoor('secured');
    home.service.travelMs = isOvertaken ? 6_000 : 100;
    home.service.mishaps = [
      isOvertaken ? { kind: 'lost-reply' } : { kind: 'fails', reason: 'lock-silent' },
      { kind: 'lost-reply' },
    ];
    await home.request('unsecured');
    await home.clock.advance(1_000);
    if (isOvertaken) {
      await home.request('secured');
    }
    await home.clock.advance(1_000);
    await home.restart();
    const shown = new Set([home.shown()[0]]);
    home.runtime.subscribe(() => shown.add(home.shown()[0]));
    await home.clock.advance(7_000);
    expect([...shown]).toEqual(isOvertaken ? ['unknown', 'unsecured'] : ['unknown']);
    await home.clock.advance(40_000);
    expect(home.shown()[0]).toBe(isOvertaken ? 'unsecured' : 'secured');
  });

  it('is forgotten once its bolt would have moved and no list lags behind it', async () => {
    const home = await homeWithFrontDoor('secured');
    home.service.mishaps = [{ kind: 'fails', reason: 'lock-silent' }];
    await home.request('unsecured');
    await home.clock.advance(20_001);
    await home.restart();
    expect(home.shown()).toEqual(['secured', null]);
  });
});

it('after a lost reply a request that meets the running command waits for it (faults#27)', async () => {
  const home = await homeWithFrontDoor('unsecured');
  home.service.mishaps = [{ kind: 'lost-reply' }];
  await home.request('secured');
  const { answer } = await home.request('unsecured');
  await home.clock.advance(6_000);
  expect(await answer).toEqual({ kind: 'accepted' });
  expect([targets(home).at(-1), home.shown()]).toEqual(['unsecured', ['unsecured', null]]);
});

it('a request after a command whose position a hand has reached first waits until the service has ended that command, so that a lost reply is not a refusal (faults#27, faults#30)', async () => {
  // The service was away, "lock" waited for it, and meanwhile a hand locked: the first reading shows it as done.
  const home = await homeWithFrontDoor('unsecured');
  home.service.mishaps = [{ kind: 'limited', forMs: 5_000 }];
  home.service.travelMs = 3_000;
  await home.request('secured');
  home.service.turn('secured');
  await home.clock.advance(5_100);
  void home.runtime.refresh({ afresh: true });
  await home.clock.advance(1_000);
  expect([targets(home), home.shown()]).toEqual([['secured'], ['secured', null]]);

  home.service.mishaps = [{ kind: 'lost-reply' }];
  const { answer } = await home.request('unsecured');
  await home.clock.advance(10_000);
  expect(await answer).toEqual({ kind: 'uncertain' });
  expect([home.service.busyAnswers, home.service.lock().bolt]).toEqual([0, 'unsecured']);
  expect(home.shown()).toEqual(['unsecured', null]);
});

describe('a machine that slept while a command was in flight', () => {
  it('shows no fresh position after its end before a reading (faults#88)', async () => {
    const home = await homeWithFrontDoor('unsecured');
    await home.request('secured');
    home.service.listingFault = new WaitError('rate-limited', 'Too many requests.', 60_000);
    home.clock.jumpWallTo(home.clock.now() + 3_600_000);
    await home.clock.advance(7_000);
    expect(home.shown()).toEqual(['unknown', null]);
    expect(home.journal.rows).toMatchObject([{ outcome: 'overdue' }]);
  });

  it.each([6_000, 17_000, 3_600_000])(
    'for %d ms does not show "locked" for an unlock that arrives only when it wakes (faults#30)',
    async (sleptMs) => {
      const home = await homeWithFrontDoor('secured');
      Object.assign(home.service, { latencyMs: 100, travelMs: 6_000 });
      await home.request('unsecured');
      home.clock.jumpWallTo(home.clock.now() + sleptMs);
      home.runtime.checkSuspend();
      const shown = new Set([home.shown()[0]]);
      home.runtime.subscribe(() => shown.add(home.shown()[0]));
      await home.clock.advance(20_000);
      expect([...shown]).toEqual(['unknown', 'unsecured']);
      expect(targets(home)).toEqual(['unsecured']);
    },
  );
});
