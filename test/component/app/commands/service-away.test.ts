// A command meets the service's absence in each of its forms, at the whole account over the simulator (faults#172).
import { describe, expect, it } from 'vitest';
import { boltOf } from '../../../../src/domain/locks/lock.ts';
import { SimulatedHome } from '../../../homes/simulated-home.ts';

const STEP_MS = 500;

const WAYS: readonly (readonly [string, object])[] = [
  ['asks for a pause (503)', { kind: 'status', status: 503 }],
  ['is overloaded (503)', { kind: 'status', status: 503, wait: { seconds: 0, said: 'nothing' } }],
  ['fails (500)', { kind: 'status', status: 500 }],
  ['is a gateway without a service (502)', { kind: 'html' }],
  ['hangs', { kind: 'latency', delayMs: 600_000 }],
  ['is cut', { kind: 'cut', when: 'before-work' }],
  ['is cut in its answers', { kind: 'cut', when: 'mid-answer' }],
];

/** An account that asks as rarely as with webhooks: the next listing is far away. */
async function quietHome(accessTokenLifetimeMs = 3_600_000): Promise<SimulatedHome> {
  const home = await SimulatedHome.linked({
    simulator: { authorization: { accessTokenLifetimeMs } },
    options: { polling: { idleSeconds: 60 } },
  });
  await home.clock.advance(15_000);
  return home;
}

/** For how long the lock is shown as locked after a command to unlock, and after how long the absence is said. */
async function afterCommand(
  home: SimulatedHome,
  forMs: number,
): Promise<{ lockedMs: number; saidMs: number }> {
  const { runtime } = home.app;
  const id = home.idOf('Front door');
  void runtime.request(id, 'unsecured');
  let [lockedMs, saidMs] = [0, Number.POSITIVE_INFINITY];
  for (let passed = STEP_MS; passed <= forMs; passed += STEP_MS) {
    await home.clock.advance(STEP_MS);
    const lock = runtime.lock(id);
    lockedMs = lock !== undefined && boltOf(lock) === 'secured' ? passed : lockedMs;
    saidMs = runtime.serviceAway() ? Math.min(saidMs, passed) : saidMs;
  }
  return { lockedMs, saidMs };
}

/** What was late, and by when it came. */
async function late(home: SimulatedHome): Promise<readonly string[]> {
  const { lockedMs, saidMs } = await afterCommand(home, 90_000);
  return [
    ...(lockedMs <= 30_000 ? [] : [`locked for ${String(lockedMs)} ms`]),
    ...(saidMs <= 20_000 ? [] : [`said after ${String(saidMs)} ms`]),
  ];
}

describe.each(WAYS)('a command meets a service that %s', (_, fault) => {
  it('and "Locked" ends after 30 s, while the absence is said within 20 s', async () => {
    const home = await quietHome();
    await home.control('house/inject-fault', { often: 'always', ...fault });
    expect(await late(home)).toEqual([]);
  });

  it('and needs a new token for it: the same', async () => {
    const home = await quietHome(20_000);
    await home.control('house/inject-fault', { often: 'always', ...fault });
    expect(await late(home)).toEqual([]);
    // The end of the account waits for the answer to a renewal, or for its deadline.
    await home.control('house/clear-faults');
    await home.clock.advance(60_000);
  });
});

it('a command alone is paused by the service: the locks are read, and nothing changes in Home', async () => {
  const home = await quietHome();
  await home.fail('**/commands', { status: 503 });
  expect(await afterCommand(home, 90_000)).toEqual({ lockedMs: 90_000, saidMs: Number.POSITIVE_INFINITY });
});
