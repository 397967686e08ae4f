// From a request to the bolt's rest: one command at a time, followed to its end, never sent late or twice.
import { describe, expect, it } from 'vitest';
import type { BoltPosition } from '../../../../src/domain/locks/bolt.ts';
import { type LockId, lockId } from '../../../../src/domain/locks/lock.ts';
import type { RequestAnswer } from '../../../../src/engine/account-runtime.ts';
import { homeWithFrontDoor, PolledHome } from '../../../homes/polled-home.ts';
import { FRONT_DOOR } from '../../../stand-ins/service/locks.ts';

describe('a request', () => {
  it('is the target at once, and the position only when the bolt rests', async () => {
    const home = await homeWithFrontDoor();
    const { answer } = await home.request('secured');
    expect(await answer).toEqual({ kind: 'accepted' });
    expect(home.shown()).toEqual(['unsecured', 'secured']);
    await home.clock.advance(1_199);
    expect(home.shown()).toEqual(['unsecured', 'secured']);
    await home.clock.advance(500);
    expect(home.shown()).toEqual(['secured', null]);
  });

  it.each(['secured', 'unsecured'] as const)(
    'that cannot be written to the journal is sent all the same, and once: "%s" (faults#108)',
    async (target) => {
      const home = await homeWithFrontDoor(target === 'secured' ? 'unsecured' : 'secured');
      home.journal.broken = true;
      expect(await (await home.request(target)).answer).toEqual({ kind: 'accepted' });
      await home.clock.advance(3_000);
      expect([home.service.sent.length, home.shown()]).toEqual([1, [target, null]]);
      await home.restart();
      await home.clock.advance(70_000);
      expect([home.service.sent.length, home.shown()]).toEqual([1, [target, null]]);
    },
  );

  it('that meets an error in our code is answered, the error logged, the lock read, and the next request carried out', async () => {
    const home = await homeWithFrontDoor();
    await home.clock.advance(10_000);
    const rules = home.rules;
    Object.defineProperty(home, 'rules', {
      configurable: true,
      get: () => {
        throw new TypeError('A defect.');
      },
    });
    const { listings } = home.service;
    expect(await (await home.request('secured')).answer).toMatchObject({ kind: 'failed' });
    expect(home.lines.join('\n')).toContain('defect of this plugin');
    await home.clock.advance(100);
    expect(home.service.listings).toBe(listings + 1);
    Object.defineProperty(home, 'rules', { value: rules, writable: true, configurable: true });
    expect(await (await home.request('secured')).answer).toEqual({ kind: 'accepted' });
    await home.clock.advance(3_000);
    expect(home.shown()).toEqual(['secured', null]);
  });

  it.each<[string, BoltPosition, boolean, LockId, RequestAnswer]>([
    ['to unlock an unlocked lock', 'unsecured', true, FRONT_DOOR, { kind: 'already' }],
    [
      'to unlock where that is forbidden (faults#80)',
      'secured',
      false,
      FRONT_DOOR,
      { kind: 'refused', reason: 'remote-unlock-forbidden' },
    ],
    ['for an unknown lock', 'secured', true, lockId('nobody'), { kind: 'refused', reason: 'lock-missing' }],
  ])('%s sends nothing, and says why', async (_, bolt, remoteUnlock, id, answer) => {
    const home = await homeWithFrontDoor(bolt);
    home.rules = { remoteUnlock };
    expect(await home.runtime.request(id, 'unsecured')).toEqual(answer);
    expect([home.service.sent, home.shown()]).toEqual([[], [bolt, null]]);
  });
});

describe('a scene', () => {
  it('is written down in one commit before any command is sent, and its outcomes in another', async () => {
    const home = new PolledHome();
    const doors = ['one', 'two', 'three'].map((name) => lockId(name));
    for (const door of doors) {
      home.service.add(door);
    }
    await home.start();
    const rowsAtDeparture: number[] = [];
    home.service.onDeparture = () => {
      rowsAtDeparture.push(home.journal.rows.length);
    };
    await Promise.all(doors.map(async (door) => home.runtime.request(door, 'secured')));
    expect([home.journal.commits, rowsAtDeparture]).toEqual([1, [3, 3, 3]]);
    await home.clock.advance(100);
    expect(home.journal.commits).toBe(2);
    expect(home.journal.open().map((row) => row.commandId)).toEqual(['0', '1', '2']);
  });

  it('whose outcomes cannot be written down is followed all the same, with a line in the log', async () => {
    const home = await homeWithFrontDoor();
    await home.request('secured');
    home.journal.broken = true;
    await home.clock.advance(2_000);
    expect(home.shown()).toEqual(['secured', null]);
    expect(home.lines.join('\n')).toContain('The command journal could not be written: The disk is full.');
  });
});

it('a command that waits for its token is not sent when a later request has overtaken it', async () => {
  const home = await homeWithFrontDoor('secured');
  home.service.tokenMs = 8_000;
  const unlock = await home.request('unsecured');
  await home.clock.advance(1_000);
  await home.request('secured');
  await home.clock.advance(40_000);
  expect(await unlock.answer).toEqual({ kind: 'superseded' });
  expect(home.service.sent.map(({ target }) => target)).not.toContain('unsecured');
  expect(home.shown()).toEqual(['secured', null]);
});

describe('a process that was suspended', () => {
  it.each([
    ['the words come first', 0],
    ['the look comes first', 1],
  ])('for ten seconds sends no unlock that was queued meanwhile, where %s', async (_, advanceMs) => {
    const home = await homeWithFrontDoor('secured');
    await home.clock.advance(60_000);
    home.clock.standStill(10_001);
    await home.clock.advance(advanceMs);
    const { answer } = await home.request('unsecured');
    expect(await answer).toEqual({ kind: 'refused', reason: 'too-late' });
    expect([home.service.sent, home.shown()]).toEqual([[], ['secured', null]]);
    await home.clock.advance(6_000);
    await home.request('unsecured');
    expect(home.service.sent).toHaveLength(1);
  });

  it('sends a request that may wait for longer, and an unlock after a shorter while', async () => {
    const home = await homeWithFrontDoor('unsecured');
    await home.clock.advance(60_000);
    home.clock.standStill(30_000);
    expect(await (await home.request('secured')).answer).toEqual({ kind: 'accepted' });
    await home.clock.advance(20_000);
    home.clock.standStill(3_500);
    expect(await (await home.request('unsecured')).answer).toEqual({ kind: 'accepted' });
  });
});

it('a jam is shown as jammed with the target reset, until the bolt rests again (faults#26)', async () => {
  const home = await homeWithFrontDoor();
  home.service.mishaps = [{ kind: 'fails', reason: 'bolt-jammed' }];
  await home.request('secured');
  await home.clock.advance(1_700);
  expect(home.shown()).toEqual(['jammed', null]);
  await home.clock.advance(60_000);
  expect(home.shown()).toEqual(['jammed', null]);
  home.service.turn('unsecured');
  await home.clock.advance(35_000);
  expect(home.shown()).toEqual(['unsecured', null]);
});

it('a command that never ends resets the target to the truth within 36 seconds, and is followed to its end (faults#25)', async () => {
  const home = await homeWithFrontDoor('secured');
  home.service.mishaps = [{ kind: 'never-ends' }];
  await home.request('unsecured');
  await home.clock.advance(36_000);
  expect(home.shown()).toEqual(['secured', null]);
  expect(home.journal.rows).toMatchObject([{ outcome: null }]);
  await home.clock.advance(30_000);
  expect(home.journal.rows).toMatchObject([{ outcome: 'uncertain' }]);
});

describe('after a restart', () => {
  it('a command under way is followed and never sent again (faults#33)', async () => {
    const home = await homeWithFrontDoor('secured');
    await home.request('unsecured');
    await home.restart();
    expect(home.shown()).toEqual(['secured', 'unsecured']);
    await home.clock.advance(3_000);
    expect([home.service.sent.length, home.shown()]).toEqual([1, ['unsecured', null]]);
  });

  it('a command that had not left when the process stopped is closed in the journal, and not followed', async () => {
    const home = await homeWithFrontDoor('secured');
    home.service.tokenMs = 60_000;
    const { answer } = await home.request('unsecured');
    await home.clock.advance(5_000);
    await home.restart();
    expect(await answer).toMatchObject({ kind: 'failed', error: { code: 'aborted' } });
    expect(home.journal.rows).toMatchObject([{ commandId: null, outcome: 'unsent' }]);
    await home.clock.advance(60_000);
    expect([home.service.sent, home.shown()]).toEqual([[], ['secured', null]]);
  });

  it('an unlock that may have left before a crash hides "locked" until a later reading, and is expected for 35 s', async () => {
    const home = await homeWithFrontDoor('secured');
    home.journal.begin([{ lockId: FRONT_DOOR, target: 'unsecured', issuedAt: home.clock.now() }]);
    await home.clock.advance(5_000);
    await home.restart();
    expect(home.shown()).toEqual(['unknown', 'unsecured']);
    await home.clock.advance(24_000);
    expect(home.shown()).toEqual(['secured', 'unsecured']);
    await home.clock.advance(6_500);
    expect([home.service.sent.length, home.shown()]).toEqual([0, ['secured', null]]);
    expect(home.journal.rows).toMatchObject([{ outcome: 'uncertain' }]);
  });

  it('no command is sent, in any number of restarts (faults#33)', async () => {
    const home = await homeWithFrontDoor('secured');
    for (let time = 0; time < 100; time += 1) {
      await home.restart();
    }
    expect([home.service.sent.length, home.shown()]).toEqual([0, ['secured', null]]);
  });

  it('a command from long ago is closed in the journal without a line', async () => {
    const home = await homeWithFrontDoor('secured');
    home.service.mishaps = [{ kind: 'never-ends' }];
    await home.request('unsecured');
    home.runtime.dispose();
    await home.clock.advance(600_000);
    await home.restart();
    expect([home.journal.open(), home.service.sent.length]).toEqual([[], 1]);
  });

  it('a request that was sent is answered as uncertain when the process stops', async () => {
    const home = await homeWithFrontDoor('secured');
    home.service.mishaps = [{ kind: 'busy', forMs: 60_000 }];
    home.service.latencyMs = 500;
    const { answer } = await home.request('unsecured');
    await home.clock.advance(100);
    home.runtime.dispose();
    await home.clock.advance(1_000);
    expect(await answer).toEqual({ kind: 'uncertain' });
  });

  it('a closed account leaves no timer behind', async () => {
    const home = await homeWithFrontDoor();
    await home.request('secured');
    await home.request('unsecured');
    home.runtime.dispose();
    expect(home.clock.pendingTimers).toBe(0);
  });
});
