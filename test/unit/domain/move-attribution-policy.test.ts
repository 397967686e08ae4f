// Which moves are those of our own commands: only what nobody else can have done.
import { describe, expect, it } from 'vitest';
import type { AccessMethod } from '../../../src/domain/access.ts';
import type { InFlightCommand } from '../../../src/domain/evidence-policy.ts';
import type { LastMove } from '../../../src/domain/lock.ts';
import {
  afterCommand,
  isReportedForOurs,
  matchesOwnCommand,
  ownCommandOf,
  personNamed,
} from '../../../src/domain/move-attribution-policy.ts';

const UNDER_WAY: InFlightCommand = { target: 'secured', before: 'unsecured', from: 10_000, until: null };
const LANDED: InFlightCommand = { ...UNDER_WAY, until: 14_000 };
const MOVE: LastMove = {
  to: 'secured',
  at: 12_000,
  by: { method: 'virtual-key', id: 'u-1', name: 'Resident' },
};

const by = (method: AccessMethod): LastMove => ({ ...MOVE, by: { ...MOVE.by, method } });

describe('a move fits our command', () => {
  it.each<[string, InFlightCommand | null, LastMove, boolean]>([
    ['to the wish, while it is under way', UNDER_WAY, MOVE, true],
    ['that is told as from a platform', UNDER_WAY, by('platform'), true],
    ['that is told in a word that is not known', UNDER_WAY, by('other'), true],
    ['where the bolt was before is not known', { ...UNDER_WAY, before: 'unknown' }, MOVE, true],
    ['told after its end, of before', LANDED, MOVE, true],
    ['dated a moment after we knew of its end', LANDED, { ...MOVE, at: 16_000 }, true],
    ['with no command', null, MOVE, false],
    ['the other way', UNDER_WAY, { ...MOVE, to: 'unsecured' }, false],
    ['before it was sent', UNDER_WAY, { ...MOVE, at: 9_999 }, false],
    ['after its end', LANDED, { ...MOVE, at: 16_001 }, false],
    ['of a bolt that was there', { ...UNDER_WAY, before: 'secured' }, MOVE, false],
  ])('%s', (_title, inFlight, move, fits) => {
    expect(matchesOwnCommand(inFlight, move)).toBe(fits);
  });

  it.each<AccessMethod>([
    'access-code',
    'thumbturn',
    'one-touch',
    'auto-relock',
    'unlock-button',
    'lock-button',
    'schedule',
    'platform-key',
    'unavailable',
    'own-command',
  ])('never when it is told as %s', (method) => {
    expect(matchesOwnCommand(UNDER_WAY, by(method))).toBe(false);
  });
});

describe('whom the service names for a command of ours is shown by a move', () => {
  it.each<[string, LastMove, number, string | null]>([
    ['that is dated as the end of the command', MOVE, 12_000, 'u-1'],
    ['that is dated a tenth of a second before it', MOVE, 12_100, 'u-1'],
    ['no more where it is dated otherwise', MOVE, 12_101, null],
    ['that names nobody: nobody', { ...MOVE, by: { ...MOVE.by, id: null } }, 12_000, null],
    ['of a hand: nobody', by('thumbturn'), 12_000, null],
    ['that was told as ours already', by('own-command'), 12_000, 'u-1'],
  ])('%s', (_title, move, endedAt, person) => {
    expect(personNamed(UNDER_WAY, move, endedAt)).toBe(person);
  });
});

describe('the person of the link', () => {
  it.each([
    ['nobody', [], null],
    ['nobody after one command', ['a'], null],
    ['whom two in a row named', ['a', 'a'], 'a'],
    ['nobody after two that named different ones', ['a', 'b'], null],
    ['the same after somebody came between', ['a', 'a', 'b', 'a'], 'a'],
    ['the next whom two in a row name', ['a', 'a', 'b', 'b'], 'b'],
  ])('is known as %s', (_title, named, known) => {
    const shown = named.reduce(afterCommand, { known: null, latest: null });
    expect(shown.known).toBe(known);
  });

  it('is written down only when that is news', () => {
    const shown = { known: 'a', latest: 'a' };
    expect(afterCommand(shown, 'a')).toBe(shown);
  });
});

describe('a command of ours', () => {
  it('is told without the name of the person: whose wish it was the service cannot know', () => {
    expect(ownCommandOf(MOVE.by)).toEqual({ method: 'own-command', id: 'u-1', name: null });
  });

  it.each([
    ['u-1', true],
    ['u-2', false],
    [null, false],
  ])('is what another telling says of %s: %s', (id, same) => {
    expect(isReportedForOurs(ownCommandOf(MOVE.by), { ...MOVE.by, id })).toBe(same);
    expect(isReportedForOurs(MOVE.by, { ...MOVE.by, id })).toBe(false);
  });

  it('that names nobody is nobody’s other telling', () => {
    expect(isReportedForOurs(ownCommandOf({ ...MOVE.by, id: null }), { ...MOVE.by, id: null })).toBe(false);
  });
});
