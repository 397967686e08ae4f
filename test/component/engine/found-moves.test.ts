// Moves that polling finds: each is one event with the cause from the history, and marked as read later.
import { beforeEach, describe, expect, it } from 'vitest';
import type { AccessMethod, Accessor } from '../../../src/domain/locks/access.ts';
import type { BoltPosition } from '../../../src/domain/locks/bolt.ts';
import { lockId } from '../../../src/domain/locks/lock.ts';
import type { LastMove } from '../../../src/domain/locks/move.ts';
import { newMoves } from '../../../src/domain/locks/moves.ts';
import { RetryError } from '../../../src/support/errors.ts';
import { homeWithFrontDoor, type PolledHome } from '../../homes/polled-home.ts';
import { StandInFeed } from '../../stand-ins/service/events.ts';
import { FRONT_DOOR } from '../../stand-ins/service/locks.ts';

const POLLED_EVERY_MS = 30_000;

let home: PolledHome;
let moves: LastMove[];
let feed: StandInFeed;

beforeEach(async () => {
  home = await homeWithFrontDoor('secured');
  moves = [];
  feed = new StandInFeed();
  home.runtime.subscribe((event) => {
    if (event.type === 'lock-changed') {
      moves.push(...newMoves(event.previous, event.lock, home.runtime.serviceNow()));
    }
  });
  await home.clock.advance(1_000);
});

/** A hand moves the bolt, and the service remembers it. */
function turn(to: BoltPosition, method: AccessMethod, name: string | null = null): LastMove {
  const by: Accessor = { method, id: null, name };
  const at = home.clock.now();
  home.service.turn(to);
  home.history = [{ id: String(at), at, offsetMinutes: 0, what: to, by }, ...home.history];
  return { to, by, at, readLater: true };
}

async function polled(): Promise<void> {
  await home.clock.advance(POLLED_EVERY_MS);
}

describe('a move found by polling (faults#129)', () => {
  it.each<[AccessMethod, string | null]>([
    ['thumbturn', null],
    ['access-code', 'Dog walker'],
    ['auto-relock', null],
    ['lock-button', null],
    ['schedule', null],
    ['virtual-key', 'Resident'],
    ['platform-key', null],
  ])('is one event with the way and the person: %s, %s', async (method, name) => {
    const move = turn('unsecured', method, name);
    await polled();
    await polled();
    expect(moves).toEqual([move]);
    expect(home.lock().lastMove).toEqual(move);
  });

  it('is an event of unknown cause where the history lacks it, or cannot be read', async () => {
    const unknown = { by: { method: 'other', id: null, name: null }, readLater: true };
    home.service.turn('unsecured');
    await polled();
    expect(moves).toEqual([expect.objectContaining({ ...unknown, to: 'unsecured' })]);
    home.historyFault = new RetryError('unreachable', 'No answer.');
    turn('secured', 'thumbturn');
    await polled();
    expect(moves.slice(1)).toEqual([expect.objectContaining({ ...unknown, to: 'secured' })]);
  });

  it('is an event beside the moves between two listings, in order, and without any from before', async () => {
    turn('secured', 'auto-relock');
    await polled();
    expect(moves).toEqual([]);
    const made = [turn('unsecured', 'access-code', 'Guest')];
    await home.clock.advance(5_000);
    made.push(turn('secured', 'thumbturn'));
    await home.clock.advance(5_000);
    made.push(turn('unsecured', 'virtual-key', 'Resident'));
    await polled();
    expect(moves).toEqual(made);
  });

  it('keeps its cause though the move before was made a moment ago', async () => {
    turn('unsecured', 'thumbturn');
    void home.runtime.refresh({ afresh: true });
    await home.clock.advance(1_000);
    expect(moves).toHaveLength(1);
    const second = turn('secured', 'schedule');
    await polled();
    expect(moves.slice(1)).toEqual([second]);
  });

  it('keeps its cause though its entry is dated a second after the listing that found it', async () => {
    const by: Accessor = { method: 'lock-button', id: null, name: null };
    home.service.turn('unsecured');
    const at = home.clock.now() + POLLED_EVERY_MS;
    home.history = [{ id: 'ahead', at, offsetMinutes: 0, what: 'unsecured', by }];
    await polled();
    expect(moves).toMatchObject([{ to: 'unsecured', by }]);
  });

  it('is an event for each lock of a whole house, with four histories read at a time', async () => {
    const doors = Array.from({ length: 20 }, (_, index) => lockId(`door-${index}`));
    for (const id of doors) {
      home.service.add(id, 'secured');
    }
    await polled();
    home.historyMs = 1_000;
    for (const id of doors) {
      home.service.lock(id).bolt = 'unsecured';
    }
    await polled();
    await home.clock.advance(5_000);
    expect(moves).toHaveLength(doors.length);
    // The audit reads one beside them.
    expect(home.historyAsked.most).toBeLessThanOrEqual(5);
  });

  it("is one event, though the service's event comes late and dated a little later", async () => {
    home.runtime.listenTo(feed);
    const { to, by, at } = turn('unsecured', 'thumbturn');
    await polled();
    feed.emit({ type: 'bolt', bolt: to, accessor: by }, { at: at + 900 });
    await polled();
    expect(moves).toHaveLength(1);
  });

  it("is reported by the service's event alone, where that came first", async () => {
    home.runtime.listenTo(feed);
    const { to, by, at } = turn('unsecured', 'thumbturn');
    feed.emit({ type: 'bolt', bolt: to, accessor: by }, { at });
    await polled();
    await polled();
    expect(moves).toEqual([{ to, by, at }]);
  });

  it('is one event with us as its author where a command of ours moved the bolt (faults#170)', async () => {
    home.service.travelMs = 1_000;
    await home.request('unsecured');
    await polled();
    await polled();
    expect(moves.map(({ to, by }) => [to, by.method])).toEqual([['unsecured', 'own-command']]);
  });
});

describe('a command that found the bolt where a hand had just put it (faults#170)', () => {
  const HAND: Accessor = { method: 'thumbturn', id: null, name: null };

  /** What the history has, beside the result of our command to unlock: entries by seconds from its sending. */
  async function unlocked(...entries: readonly (readonly [s: number, to: BoltPosition, by: Accessor])[]) {
    home.subject = 'u-1';
    home.service.travelMs = 2_000;
    const sentAt = home.clock.now();
    await home.request('unsecured');
    await home.clock.advance(5_000);
    home.history = entries.map(([s, what, by]) => {
      return { id: `h${String(s)}`, at: sentAt + s * 1_000, offsetMinutes: 0, what, by };
    });
    const before = home.lock().lastMove;
    await polled();
    return { before, after: home.lock().lastMove };
  }

  it.each([
    ['while it was under way', 1],
    ['before it was sent, and since the bolt was last seen elsewhere', -0.5],
  ])('is the move of the hand, once its history was read, and no second event: %s', async (_, s) => {
    const { before, after } = await unlocked([s, 'unsecured', HAND]);
    expect(before?.by.method).toBe('own-command');
    expect(after).toEqual({ to: 'unsecured', by: HAND, at: before?.at, isCorrected: true });
    expect(moves).toEqual([before]);
  });

  it.each<[string, (readonly [number, BoltPosition, Accessor])[]]>([
    ['nothing', []],
    ['us', [[2, 'unsecured', { method: 'own-command', id: 'u-1', name: null }]]],
    [
      'the hand before us',
      [
        [1, 'unsecured', HAND],
        [2, 'unsecured', { method: 'own-command', id: 'u-1', name: null }],
      ],
    ],
    ['nobody', [[1, 'unsecured', { method: 'other', id: null, name: null }]]],
    ['a hand before the bolt was seen elsewhere', [[-8, 'unsecured', HAND]]],
    ['a hand that came after it', [[5, 'unsecured', HAND]]],
    [
      'a hand that turned it back in between',
      [
        [1, 'secured', HAND],
        [3, 'unsecured', HAND],
      ],
    ],
  ])('is ours where the history names %s', async (_, entries) => {
    const { before, after } = await unlocked(...entries);
    expect([after, moves]).toEqual([before, [before]]);
  });

  it('is corrected also where somebody else reads the history, and stays corrected after that', async () => {
    await unlocked();
    home.history = [
      { id: 'late', at: home.clock.now() - 34_000, offsetMinutes: 0, what: 'unsecured', by: HAND },
    ];
    await home.runtime.history.read(FRONT_DOOR, null);
    const corrected = home.lock().lastMove;
    expect(corrected).toMatchObject({ by: HAND, isCorrected: true });
    await home.runtime.history.read(FRONT_DOOR, null);
    expect([home.lock().lastMove, moves.length]).toEqual([corrected, 1]);
  });

  it('is ours where an event named us, whatever the history names after that', async () => {
    home.runtime.listenTo(feed);
    await unlocked();
    const by: Accessor = { method: 'virtual-key', id: 'u-1', name: 'Resident' };
    feed.emit({ type: 'bolt', bolt: 'unsecured', accessor: by }, { at: home.clock.now() - 34_000 });
    home.history = [
      { id: 'late', at: home.clock.now() - 34_000, offsetMinutes: 0, what: 'unsecured', by: HAND },
    ];
    await home.runtime.history.read(FRONT_DOOR, null);
    expect([home.lock().lastMove?.by.method, moves.length]).toEqual(['own-command', 1]);
  });

  it('is not another move where an event of the hand comes after the history was read', async () => {
    home.runtime.listenTo(feed);
    const at = home.clock.now() + 1_000;
    await unlocked([1, 'unsecured', HAND]);
    feed.emit({ type: 'bolt', bolt: 'unsecured', accessor: HAND }, { at });
    expect([home.lock().lastMove?.by, moves.length]).toEqual([HAND, 1]);
  });
});
