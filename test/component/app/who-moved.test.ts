// Who moved a bolt, in the list of happenings: as the service tells it by webhook, over the real app and simulator.
import { describe, expect, it } from 'vitest';
import type { HappeningNews, HappeningView } from '../../../src/panel/happening-view.ts';
import { openPushedHome } from './pushed-home.ts';
import type { SimulatedHome } from './simulated-home.ts';

/** A house that hears of everything at once, and what its list of happenings gained since it was opened. */
async function hearingHome(): Promise<{
  home: SimulatedHome;
  gained: () => Promise<readonly HappeningView[]>;
}> {
  const home = await openPushedHome();
  const before = (await home.app.operations.happenings({})).at(-1)?.number ?? 0;
  const gained = async (): Promise<readonly HappeningView[]> => {
    await home.simulator.deliveriesIdle();
    await home.clock.advance(0);
    return (await home.app.operations.happenings({})).filter(({ number }) => number > before);
  };
  return { home, gained };
}

function newsOf(happenings: readonly HappeningView[]): readonly HappeningNews[] {
  return happenings.map(({ news }) => news);
}

describe('the list of happenings', () => {
  it('names a hand at the door in one entry', async () => {
    const { home, gained } = await hearingHome();
    await home.control('locks/Front%20door/turn-thumbturn');
    expect(newsOf(await gained())).toMatchObject([
      { type: 'bolt', bolt: 'unsecured', move: { to: 'unsecured', by: { method: 'thumbturn' } } },
    ]);
  });

  it('has one entry for a bolt that our command moved, in the words of the service, and one for the end of the command', async () => {
    const { home, gained } = await hearingHome();
    await home.control('locks/Front%20door/turn-thumbturn');
    await gained();
    const locking = home.app.operations.lock({ lock: home.idOf('Front door') });
    await home.clock.advance(10_000);
    await locking;
    expect(newsOf(await gained())).toMatchObject([
      { type: 'bolt', bolt: 'unsecured' },
      { type: 'bolt', bolt: 'secured', move: { to: 'secured', by: { name: 'Resident' } } },
      { type: 'command', wish: 'secured', outcome: { kind: 'moved' } },
    ]);
  });

  it('names a wrong code without the code (faults#66)', async () => {
    const { home, gained } = await hearingHome();
    await home.control('locks/Front%20door/type-code', { code: '987654' });
    const happenings = await gained();
    expect(newsOf(happenings)).toEqual([{ type: 'alert', alert: 'wrong-code' }]);
    expect(JSON.stringify(happenings)).not.toContain('987654');
  });
});
