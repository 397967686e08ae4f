// What a command leaves behind: for the next command, for the readings after it, and for the next process.
import { describe, expect, it } from 'vitest';
import { commandId } from '../../../../src/domain/commands/command.ts';
import { advanceCommands } from '../../../../src/domain/commands/machine.ts';
import { type CommandInput, type CommandState, IDLE } from '../../../../src/domain/commands/state.ts';
import { boltOf, type Lock } from '../../../../src/domain/locks/lock.ts';
import { advanceLock } from '../../../../src/domain/locks/machine.ts';
import { WaitError } from '../../../../src/support/errors.ts';
import { homeWithFrontDoor } from '../../../homes/polled-home.ts';
import { StandInFeed, turned } from '../../../stand-ins/service/events.ts';
import { FRONT_DOOR } from '../../../stand-ins/service/locks.ts';
import {
  checked,
  endReported,
  LOCKED,
  left,
  PENDING,
  type Reported,
  readBack,
  readBackLost,
  replied,
  START,
  SUCCESS,
  seen,
  sequence,
  tap,
  unlockAccepted,
} from '../../../support/command-sequence.ts';
import { after, poll, sent } from '../../../support/lock-events.ts';

/** The lock after all that a sequence does to it, from "locked" on. */
function lockAfter(...steps: readonly Reported[]): Lock {
  const events = sequence(...steps).effects.flatMap((effect) =>
    effect.type === 'lock' ? [effect.event] : [],
  );
  return events.reduce(advanceLock, after(poll('secured', START - 60_000)));
}

describe('an unlock whose bolt has arrived while the service still has it pending', () => {
  const arrived: readonly Reported[] = [...unlockAccepted, [1_000, checked, seen('unsecured', 900)]];
  const pendingUntil = (lastMs: number): readonly Reported[] =>
    Array.from({ length: lastMs / 2_000 }, (_, index) => {
      const ms = (index + 1) * 2_000;
      return [ms, readBack(ms - 50, PENDING)];
    });

  it('makes a later request wait for 65 s at most, however long the service calls it pending', () => {
    const waiting: readonly Reported[] = [...arrived, ...pendingUntil(60_000), [60_500, tap('secured', 2)]];
    const later = [62_000, 64_000].map((ms): Reported => [ms, readBack(ms - 50, PENDING)]);
    expect(sequence(...waiting, ...later, [64_999, checked]).last).toEqual([]);
    expect(sequence(...waiting, ...later, [65_000, checked]).last).toContain(
      'send secured as 2, within 60500, issued at 65000',
    );
  });

  it('and is lost half a minute later lets no listing from before that count, nor one that lags behind it', () => {
    const lock = lockAfter(...arrived, ...pendingUntil(30_000), [31_000, readBackLost()]);
    for (const askedMs of [25_000, 30_900, 40_900]) {
      expect(boltOf(advanceLock(lock, poll('secured', START + askedMs)))).not.toBe('secured');
    }
    expect(boltOf(advanceLock(lock, poll('secured', START + 41_001)))).toBe('secured');
  });

  it('and is lost at once may still open the bolt for as long as it may travel, whatever a listing says', () => {
    const lock = lockAfter(...arrived, [1_500, readBackLost()]);
    expect(boltOf(advanceLock(lock, poll('secured', START + 19_900)))).not.toBe('secured');
    expect(boltOf(advanceLock(lock, poll('secured', START + 20_001)))).toBe('secured');
  });
});

it('an end that was reported before its command was named is dated anew when the clock is set back (faults#112)', () => {
  const BACK_MS = 600_000;
  let state: CommandState = IDLE;
  const step = (ms: number, input: CommandInput, setBackMs = 0) => {
    const next = advanceCommands(state, input, {
      now: START + ms,
      serviceNow: START + ms - setBackMs,
      setBackMs,
      lock: LOCKED,
    });
    state = next.state;
    return next.effects;
  };
  step(0, tap('unsecured'));
  step(0, left());
  step(400, endReported(300, SUCCESS));
  const ends = step(500, replied(50 - BACK_MS, PENDING), BACK_MS).flatMap((effect) =>
    effect.type === 'lock' && effect.event.type === 'command-completed' ? [effect.event.provenSince] : [],
  );
  expect(ends).toEqual([START + 300 - BACK_MS]);
});

describe('"already there"', () => {
  it('is not what a listing disputed, nor an echo of the old position: the position stays in doubt', () => {
    const opened = after(poll('unsecured', 10), sent('unsecured', 20));
    expect(advanceLock(opened, poll('secured', 30)).belief.disputed).toBe(true);
  });
});

it('the pause of read-backs that the service asked for outlives the command that met it', async () => {
  const home = await homeWithFrontDoor('secured');
  home.service.readBackFault = new WaitError('rate-limited', 'Too many.', 40_000);
  await home.request('unsecured');
  await home.clock.advance(5_000);
  const asked = home.service.readBacksAt.length;
  expect(asked).toBe(1);
  home.service.readBackFault = null;
  await home.clock.advance(10_000);
  await home.request('secured');
  await home.clock.advance(25_000);
  expect(home.service.readBacksAt.length).toBe(asked);
});

describe('a command that left and was overtaken', () => {
  it.each([['1 s', 1_000] as const, ['9 s', 9_000] as const])(
    'as an unlock, %s before a crash that lost every note, lets no listing of "locked" count while it may open the bolt',
    async (_, agoMs) => {
      const home = await homeWithFrontDoor('secured');
      await home.clock.advance(60_000);
      const at = home.clock.now();
      home.journal.begin([
        { lockId: FRONT_DOOR, target: 'unsecured', issuedAt: at - agoMs },
        { lockId: FRONT_DOOR, target: 'secured', issuedAt: at - agoMs / 2 },
      ]);
      const shown = new Set<string>();
      home.restartUnstarted();
      home.runtime.subscribe(() => shown.add(home.shown()[0]));
      const started = home.runtime.start();
      await home.clock.advance(8_000);
      await started;
      expect(shown).not.toContain('secured');
    },
  );

  it('as an unlock of unknown outcome 15 s ago: a list may lag behind its bolt', async () => {
    const home = await homeWithFrontDoor('secured');
    await home.clock.advance(60_000);
    const [journalId = 0] = home.journal.begin([
      { lockId: FRONT_DOOR, target: 'unsecured', issuedAt: home.clock.now() - 15_000 },
    ]);
    home.journal.note([{ journalId, outcome: 'uncertain' }]);
    await home.restart();
    expect(home.shown()[0]).toBe('unknown');
    await home.clock.advance(40_000);
    expect(home.shown()[0]).toBe('secured');
  });
});

it('the time in which a request was not read and the time that its caller waited count together (faults#86)', async () => {
  const home = await homeWithFrontDoor('secured');
  await home.clock.advance(60_000);
  home.clock.standStill(5_900);
  const answer = home.runtime.request(FRONT_DOOR, 'unsecured', { waitedMs: 5_000 });
  await home.clock.advance(1_000);
  expect([await answer, home.service.sent]).toEqual([{ kind: 'refused', reason: 'too-late' }, []]);
});

it('a success that contradicts an event is read again soon, where the list is late', async () => {
  const home = await homeWithFrontDoor('unsecured');
  const feed = new StandInFeed();
  home.runtime.listenTo(feed);
  await home.clock.advance(10_000);
  home.service.travelMs = 5_000;
  await home.request('secured');
  await home.clock.advance(3_000);
  feed.emit(turned('unsecured'), { at: home.clock.now() });
  await home.clock.advance(1_000);
  home.service.listedLateMs = 1_200;
  home.service.travelMs = 0;
  home.service.turn('secured');
  feed.emit(
    { type: 'command-ended', reading: { state: 'successful', commandId: commandId('0') } },
    { at: home.clock.now() },
  );
  const before = home.service.listings;
  await home.clock.advance(22_000);
  expect(home.service.listings - before).toBeGreaterThanOrEqual(5);
});
