// The mover of a bolt in the activity list, as the service's webhooks name it, over the real app and simulator.
import { describe, expect, it } from 'vitest';
import type { BoltPosition } from '../../../../src/domain/locks/bolt.ts';
import type { ActivityDetail, ActivityView } from '../../../../src/panel/views/activity.ts';
import { openPushedHome, type PushedHomeOptions } from '../../../homes/pushed-home.ts';
import type { SimulatedHome } from '../../../homes/simulated-home.ts';

/** An account that gets every event at once; the entries of its activity list since it was opened, and as pages get them. */
async function hearingHome(options: PushedHomeOptions = {}) {
  const home = await openPushedHome(options);
  const published = new Map<number, ActivityView>();
  home.app.subscribe((event) => {
    if (event.type === 'activity') {
      published.set(event.activity.number, event.activity);
    }
  });
  const before = (await home.app.operations.activity({})).at(-1)?.number ?? 0;
  const gained = async (): Promise<readonly ActivityView[]> => {
    await home.simulator.deliveriesIdle();
    await home.clock.advance(0);
    return (await home.app.operations.activity({})).filter(({ number }) => number > before);
  };
  return { home, gained, published };
}

/** A request for the front door, and ten seconds for it. */
async function request(home: SimulatedHome, rest: BoltPosition): Promise<void> {
  const answer = home.app.runtime.request(home.idOf('Front door'), rest);
  await home.clock.advance(10_000);
  expect((await answer).kind).toBe('accepted');
}

function messagesOf(activity: readonly ActivityView[]): readonly ActivityDetail[] {
  return activity.map(({ detail }) => detail);
}

describe('the activity list', () => {
  it('has one entry for a bolt that our command moved, right after a hand too, and one for the end of the command (faults#170)', async () => {
    const { home, gained, published } = await hearingHome();
    await home.control('locks/Front%20door/turn-thumbturn');
    await gained();
    const locking = home.app.operations.lock({ lock: home.idOf('Front door') });
    await home.clock.advance(10_000);
    await locking;
    const activity = await gained();
    expect([...published.values()]).toEqual(activity);
    expect(messagesOf(activity)).toMatchObject([
      { type: 'bolt', bolt: 'unsecured' },
      { type: 'bolt', bolt: 'secured', move: { to: 'secured', by: { method: 'own-command' } } },
      { type: 'command', target: 'secured', outcome: { kind: 'moved' } },
    ]);
  });

  it.each([
    ['names its person', 'jwt'],
    ['names nobody', 'opaque'],
  ] as const)(
    'says that our command moved a bolt, from the first one on, where the token %s (faults#170)',
    async (_, accessTokenForm) => {
      const { home, gained } = await hearingHome({ accessTokenForm });
      for (const target of ['unsecured', 'secured', 'unsecured'] as const) {
        await request(home, target);
      }
      const moves = messagesOf(await gained()).flatMap((detail) =>
        detail.type === 'bolt' ? [detail.move?.by] : [],
      );
      const by = { method: 'own-command', name: null };
      expect(moves).toMatchObject([by, by, by]);
    },
  );

  it('names a wrong code without the code (faults#66)', async () => {
    const { home, gained } = await hearingHome();
    await home.control('locks/Front%20door/type-code', { code: '987654' });
    const activity = await gained();
    expect(messagesOf(activity)).toEqual([{ type: 'alert', alert: 'wrong-code' }]);
    expect(JSON.stringify(activity)).not.toContain('987654');
  });
});
