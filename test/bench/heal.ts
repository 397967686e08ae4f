// How soon what webhooks missed is true again, and what that costs the service. Played on a clock that is moved on by hand,
// with the whole app and the simulator behind it: seconds are those of the house, and nothing waits for them.
import { once } from 'node:events';
import { createServer } from 'node:net';
import fc from 'fast-check';
import { freePort } from '../harness/free-port.ts';
import {
  HEALTHY_INTERVAL_MS,
  openPushedHome,
  patterns,
  turn,
  wrongAfter,
  wrongDoors,
} from '../homes/pushed-home.ts';
import type { SimulatedHome } from '../homes/simulated-home.ts';
import { alone, type Figure, none } from './figures.ts';

const FEW_LOCKS = 1;
const MANY_LOCKS = 149;
const MOST_CALLS_PER_HOUR = 70;
const MOST_RETURN_S = 5;
const MS_PER_HOUR = 3_600_000;
const GIVE_UP_AFTER_MS = 2 * HEALTHY_INTERVAL_MS;

/** The clock goes on in steps of this, in milliseconds, which is the accuracy of every reading of it. */
const STEP_MS = 250;

/** A hand turns a key this often in the hour in which calls are counted, in milliseconds. */
const TURNS_EVERY_MS = 600_000;

export async function measureHealing(badDays: number, seed: number): Promise<readonly Figure[]> {
  return [
    ...(await missedFigures(FEW_LOCKS)),
    ...(await missedFigures(MANY_LOCKS)),
    await callsFigure(),
    await restartFigure(),
    await outageFigure(),
    await badDaysFigure(badDays, seed),
  ];
}

/** A turn that no webhook reports, right after a listing. */
async function missedFigures(locks: number): Promise<readonly Figure[]> {
  return inHome({ locks }, async (home) => {
    await turn(home, 'Door 1');
    await home.control('house/fail-deliveries', { kind: 'drop', often: 'always' });
    const before = await listings(home);
    await turn(home, 'Door 1');
    const healedMs = await untilTrue(home);
    const calls = (await listings(home)) - before;
    const words = `${String(locks)} ${locks === 1 ? 'lock' : 'locks'}`;
    const intervalS = HEALTHY_INTERVAL_MS / 1_000;
    return [
      alone(
        {
          name: `missed webhook to the truth, ${words} (clock moved by hand)`,
          unit: 's',
          goal: `at most one interval and its jitter, ${String(intervalS)} s`,
        },
        [healedMs / 1_000],
        healedMs <= HEALTHY_INTERVAL_MS,
      ),
      alone({ name: `list calls for it, ${words}`, unit: 'calls', goal: '1' }, [calls], calls === 1),
    ];
  });
}

/** Everything that the service was asked in an hour in which webhooks arrive, but histories. */
async function callsFigure(): Promise<Figure> {
  return inHome({}, async (home) => {
    await turn(home, 'Front door');
    await home.clock.advance(HEALTHY_INTERVAL_MS);
    const before = await askedOf(home);
    for (let passedMs = 0; passedMs < MS_PER_HOUR; passedMs += TURNS_EVERY_MS) {
      await turn(home, 'Front door');
      await home.clock.advance(TURNS_EVERY_MS);
    }
    const asked = (await askedOf(home)) - before;
    return alone(
      {
        name: 'service calls in an hour of webhooks (clock moved by hand)',
        unit: 'calls',
        goal: `at most ${String(MOST_CALLS_PER_HOUR)}, history not counted`,
      },
      [asked],
      asked <= MOST_CALLS_PER_HOUR,
    );
  });
}

/** Measured from the start of the app: a door was turned while no process listened. */
async function restartFigure(): Promise<Figure> {
  return inHome({}, async (home) => {
    await turn(home, 'Front door');
    await home.app.dispose();
    await turn(home, 'Front door');
    const startedAt = home.clock.monotonic();
    await home.restart();
    await untilTrue(home);
    return returnFigure('restart to the truth (clock moved by hand)', home.clock.monotonic() - startedAt);
  });
}

/** Measured from the opening of the listener: another program had its port, and a door was turned since the last listing. */
async function outageFigure(): Promise<Figure> {
  const port = await freePort();
  const squatter = createServer().listen(port, '127.0.0.1');
  await once(squatter, 'listening');
  return inHome({ port }, async (home) => {
    const received = (): boolean => home.lines.some((line) => line.startsWith('Webhooks are received at'));
    squatter.close();
    await once(squatter, 'close');
    while (!received()) {
      await turn(home, 'Front door');
      await home.clock.advance(STEP_MS);
    }
    return returnFigure('return of the listener to the truth (clock moved by hand)', await untilTrue(home));
  });
}

function returnFigure(name: string, tookMs: number): Figure {
  const words = { name, unit: 's', goal: `at most ${String(MOST_RETURN_S)} s` };
  return alone(words, [tookMs / 1_000], tookMs <= MOST_RETURN_S * 1_000);
}

async function badDaysFigure(days: number, seed: number): Promise<Figure> {
  return inHome({}, async (home) => {
    const wrong: number[] = [];
    for (const pattern of fc.sample(patterns, { seed, numRuns: days })) {
      wrong.push((await wrongAfter(home, pattern)).length);
    }
    const sum = wrong.reduce((total, count) => total + count, 0);
    const name = `wrong final states after ${String(days)} patterns of drop, delay, doubling, reordering`;
    return none(name, 'locks', sum);
  });
}

async function inHome<T>(
  options: { readonly locks?: number; readonly port?: number },
  act: (home: SimulatedHome) => Promise<T>,
): Promise<T> {
  const home = await openPushedHome({ ...options, lasting: true });
  try {
    return await act(home);
  } finally {
    await home.close();
  }
}

/** Moves the clock on until every door is shown as it is; resolves with how far, in milliseconds. */
async function untilTrue(home: SimulatedHome): Promise<number> {
  const startedAt = home.clock.monotonic();
  while (wrongDoors(home).length > 0) {
    if (home.clock.monotonic() - startedAt > GIVE_UP_AFTER_MS) {
      throw new Error(`Still wrong: ${wrongDoors(home).join(', ')}`);
    }
    await home.clock.advance(STEP_MS);
  }
  return home.clock.monotonic() - startedAt;
}

async function listings(home: SimulatedHome): Promise<number> {
  return (await home.requests('GET', '')).filter(({ url }) => url.split('?', 1)[0]?.endsWith('/devices'))
    .length;
}

async function askedOf(home: SimulatedHome): Promise<number> {
  const asked = await Promise.all(['GET', 'POST'].map(async (method) => home.requests(method, '')));
  // What moves the simulator's doors is recorded, too.
  return asked.flat().filter(({ url }) => !url.includes('/history') && !url.startsWith('/_control/')).length;
}
