// Turning a bolt by hand on a page: a simulated one of the demo, and never one of an account.
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { startSimulator } from '../../../simulator/src/partner-server.ts';
import { demoHand } from '../../../src/demo/ask-simulator.ts';
import { lockId } from '../../../src/domain/locks/lock.ts';
import { SimulatedHome } from '../../homes/simulated-home.ts';

const snapshot = z.object({ locks: z.array(z.looseObject({ deviceId: z.string(), bolt: z.string() })) });

describe('a hand at the simulated doors', () => {
  it('turns the bolt of the lock that is named, to the side that is named', async () => {
    const simulator = await startSimulator({ port: 0 });
    onTestFinished(async () => simulator.close());
    const locks = async () =>
      snapshot.parse(await (await fetch(`${simulator.controlUrl}/state`)).json()).locks;
    const [first] = await locks();
    const turn = demoHand(new URL(simulator.baseUrl).origin);
    for (const [to, bolt] of [
      ['unsecured', 'Unlocked'],
      ['secured', 'Locked'],
      ['secured', 'Locked'],
    ] as const) {
      await turn(lockId(first?.deviceId ?? ''), to);
      expect((await locks())[0]).toMatchObject({ bolt });
    }
    await expect(turn(lockId('nowhere'), 'secured')).rejects.toMatchObject({ code: 'unreachable' });
  });

  it('is refused for an account, whose locks stay as they are', async () => {
    const home = await SimulatedHome.open();
    const turned = home.app.operations['demo.turn']({ lock: 'any', to: 'unsecured' });
    await expect(turned).rejects.toMatchObject({ code: 'not-permitted' });
    expect(await home.requests('POST', 'turn-thumbturn')).toEqual([]);
  });
});
