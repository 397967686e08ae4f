// A card names who moved a lock only where the activity does.
import { expect, it } from 'vitest';
import { lockId } from '../../../src/domain/locks/lock.ts';
import type { LastMove } from '../../../src/domain/locks/move.ts';
import type { ActivityDetail, ActivityView } from '../../../src/panel/views/activity.ts';
import { unexplainedLocks } from '../../../web/panel/overview/unexplained.ts';

const [FRONT, BACK] = [lockId('front'), lockId('back')];
const MOVE: LastMove = { to: 'secured', by: { method: 'thumbturn', id: null, name: null }, at: 1 };

function entries(...details: readonly (readonly [typeof FRONT, ActivityDetail])[]): readonly ActivityView[] {
  return details.map(([id, detail], number) => ({ number, at: number, lock: { id, name: id }, detail }));
}

const bolt = (move: LastMove | null): ActivityDetail => ({ type: 'bolt', bolt: 'secured', move });

it('a lock whose latest change has no author is unexplained, until a later one has one', () => {
  const before = entries([FRONT, bolt(MOVE)], [FRONT, bolt(null)], [BACK, bolt(MOVE)]);
  expect([...unexplainedLocks(before)]).toEqual([FRONT]);
  expect([...unexplainedLocks([...before, ...entries([FRONT, bolt(MOVE)])])]).toEqual([]);
});

it('what happens beside the bolt explains nothing', () => {
  const after = entries([FRONT, bolt(null)], [FRONT, { type: 'presence', presence: 'offline' }]);
  expect([...unexplainedLocks(after)]).toEqual([FRONT]);
  const jammed = entries([FRONT, bolt(MOVE)], [FRONT, { type: 'bolt', bolt: 'jammed', move: null }]);
  expect([...unexplainedLocks(jammed)]).toEqual([]);
});
