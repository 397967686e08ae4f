// One move is one event with one author, for every way out: a command's result, an event of the service, and its history tell of the same move.
import { expect, it } from 'vitest';
import { boltOf } from '../../../../src/domain/locks/lock.ts';
import type { LastMove } from '../../../../src/domain/locks/move.ts';
import { newMoves } from '../../../../src/domain/locks/moves.ts';
import { openPushedHome } from '../../../homes/pushed-home.ts';
import { SimulatedHome } from '../../../homes/simulated-home.ts';

type Home = readonly ['webhooks' | 'polling', 'opaque' | 'jwt'];

async function opened([hears, accessTokenForm]: Home): Promise<SimulatedHome> {
  return hears === 'webhooks'
    ? openPushedHome({ accessTokenForm })
    : SimulatedHome.linked({ simulator: { authorization: { accessTokenForm } } });
}

/** Every move that Home, Matter, brokers and pages are told of from now on. */
function movesOf(home: SimulatedHome): readonly LastMove[] {
  const moves: LastMove[] = [];
  home.app.runtime.subscribe((event) => {
    if (event.type === 'lock-changed') {
      moves.push(...newMoves(event.previous, event.lock, home.app.runtime.serviceNow()));
    }
  });
  return moves;
}

const HOMES: readonly Home[] = [
  ['webhooks', 'opaque'],
  ['webhooks', 'jwt'],
  ['polling', 'opaque'],
  ['polling', 'jwt'],
];

it.each(
  HOMES.flatMap(([hears, token]) =>
    [null, 1, 500, 1_000, 2_000, 3_000].map((gapMs) => [hears, token, gapMs] as const),
  ),
)(
  'with %s and a token that is %s, an unlock of ours and a hand %s ms behind it are one event each (faults#170)',
  async (hears, accessTokenForm, gapMs) => {
    const home = await opened([hears, accessTokenForm]);
    const front = home.idOf('Front door');
    const moves = movesOf(home);
    const answer = home.app.runtime.request(front, 'unsecured');
    const isOpen = (): boolean => home.simulator.world.inspect(front).bolt === 'Unlocked';
    while (!isOpen()) {
      await home.clock.advance(100);
    }
    if (gapMs !== null) {
      await home.clock.advance(gapMs);
      await home.control('locks/Front%20door/turn-thumbturn');
    }
    await home.clock.advance(90_000);
    expect((await answer).kind).toBe('accepted');
    const hand = gapMs === null ? [] : [['secured', 'thumbturn']];
    const wanted = [['unsecured', 'own-command'], ...hand];
    expect(moves.map(({ to, by }) => [to, by.method])).toEqual(wanted);
    const { lastMove } = home.app.runtime.lock(front) ?? expect.fail('The lock is gone');
    expect([lastMove?.to, lastMove?.by.method]).toEqual(wanted.at(-1));
    const { lines } = await home.app.operations.history({
      lock: front,
      limit: 10,
      deviceTime: false,
    });
    const entries = lines.flatMap((line) => (line.what === 'gap' ? [] : [[line.what, line.by.method]]));
    expect(
      entries.filter(([what]) => what === 'secured' || what === 'unsecured').slice(0, wanted.length),
    ).toEqual(wanted.toReversed());
  },
);

it.each(HOMES)(
  'with %s and a token that is %s, commands of ours in quick succession are each ours (faults#170)',
  async (hears, accessTokenForm) => {
    const home = await opened([hears, accessTokenForm]);
    const front = home.idOf('Front door');
    const moves = movesOf(home);
    const wanted = (['unsecured', 'secured', 'unsecured', 'secured', 'unsecured'] as const).map(
      (to) => [to, 'own-command'] as const,
    );
    for (const [to] of wanted) {
      const answer = home.app.runtime.request(front, to);
      const isThere = (): boolean => {
        const lock = home.app.runtime.lock(front);
        return lock !== undefined && boltOf(lock) === to;
      };
      while (!isThere()) {
        await home.clock.advance(10);
      }
      expect((await answer).kind).toBe('accepted');
    }
    await home.clock.advance(90_000);
    expect(moves.map(({ to, by }) => [to, by.method])).toEqual(wanted);
    expect(home.app.runtime.lock(front)?.lastMove).toBe(moves.at(-1));
  },
);
