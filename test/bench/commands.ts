// How soon Home learns the end of a command: for a bolt at rest, by polling alone, and for a bolt that jams.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contestant } from './contestant.ts';
import type { LockPoints } from './controller.ts';
import { alone, compared, type Figure } from './figures.ts';
import { both, type Pair } from './pair.ts';

/** The travel time of a bolt, drawn log-uniform, in milliseconds. */
const SHORTEST_TRAVEL_MS = 200;
const LONGEST_TRAVEL_MS = 8_000;

/** Ours may be late by this, or by this share of the travel, whichever is more. */
const MOST_LATE_MS = 400;
const MOST_LATE_SHARE = 0.2;
const IN_TIME_SHARE = 0.95;
const MOST_POLLS = 12;

/** A jam shows soon: the motor stalls, and does not try for long (our choice), in milliseconds. */
const SHORTEST_JAM_MS = 200;
const LONGEST_JAM_MS = 1_500;

/** After a jam the close watch of a door lasts 15 s, and reads that somebody freed it. */
const FREED_WITHIN_MS = 20_000;

/** HomeKit's numbers. */
const UNLOCKED = 0;
const LOCKED = 1;
const JAM = 2;

export interface CommandRounds {
  readonly commands: number;
  /** A number from 0 up to 1. */
  readonly random: () => number;
}

/** With the hold of hap-nodejs removed. Both contestants move the same doors by the same travels at the same time. */
export async function measurePolling(
  pair: Pair,
  { commands, random }: CommandRounds,
): Promise<readonly Figure[]> {
  await both(pair, async (contestant) => contestant.holdEvents(0));
  const late: { ours: number[]; limit: number[] } = { ours: [], limit: [] };
  const polls: number[] = [];
  let inTime = 0;
  for (let round = 0; round < commands; round += 1) {
    const travelMs = logUniform(SHORTEST_TRAVEL_MS, LONGEST_TRAVEL_MS, random());
    await both(pair, async (contestant) => {
      const { lateMs, asked } = await moved(contestant, round, travelMs);
      late[contestant.side].push(lateMs);
      if (contestant.side === 'ours') {
        polls.push(asked);
        inTime += lateMs <= Math.max(MOST_LATE_MS, MOST_LATE_SHARE * travelMs) ? 1 : 0;
      }
    });
  }
  return [
    compared(
      {
        name: 'rest of the bolt to its event, by polling alone (limit: notified at once)',
        unit: 'ms',
        goal: `p95 at most max(${String(MOST_LATE_MS)} ms, ${String(100 * MOST_LATE_SHARE)} % of the travel) (were ${String(inTime)} of ${String(commands)})`,
      },
      late,
      () => inTime >= IN_TIME_SHARE * commands,
    ),
    alone(
      { name: 'polls of one command', unit: 'calls', goal: `at most ${String(MOST_POLLS)}` },
      polls,
      Math.max(...polls) <= MOST_POLLS,
    ),
  ];
}

/** `holdMs`: what hap-nodejs holds events for; `mostMs`: from the jam to both events, for every single command. */
export async function measureJams(
  pair: Pair,
  { commands, random }: CommandRounds,
  { holdMs, mostMs, name }: { readonly holdMs: number; readonly mostMs: number; readonly name: string },
): Promise<Figure> {
  await both(pair, async (contestant) => contestant.holdEvents(holdMs));
  await both(pair, lockAll);
  const late: { ours: number[]; limit: number[] } = { ours: [], limit: [] };
  for (let round = 0; round < commands; round += 1) {
    const jamsAfterMs = logUniform(SHORTEST_JAM_MS, LONGEST_JAM_MS, random());
    await both(pair, async (contestant) => {
      late[contestant.side].push(await jammed(contestant, round, jamsAfterMs));
    });
  }
  await both(pair, freeAll);
  const kept = late.ours.filter((ms) => ms <= mostMs).length;
  return compared(
    {
      name: `failed command to jammed and true target, ${name}`,
      unit: 'ms',
      goal: `at most ${String(mostMs)} ms, ${String(commands)} of ${String(commands)} (were ${String(kept)})`,
    },
    late,
    () => kept === commands,
  );
}

async function moved(
  contestant: Contestant,
  round: number,
  travelMs: number,
): Promise<{ lateMs: number; asked: number }> {
  const { controller, service } = contestant;
  const { id, current, target: characteristic } = contestant.lock(round);
  service.travel = () => ({ ms: travelMs, jams: false });
  const target = service.locks.get(id) === 'Locked' ? UNLOCKED : LOCKED;
  const [rest, receivedAt] = await Promise.all([
    service.rest(id),
    controller.received({ [current]: target }),
    controller.write({ [characteristic]: target }),
  ]);
  return { lateMs: receivedAt - rest.at, asked: rest.command.polls };
}

/** From the service's knowledge of a jam to Home's: the bolt is jammed, and the target is where it was before the tap. */
async function jammed(contestant: Contestant, round: number, jamsAfterMs: number): Promise<number> {
  const { controller, service } = contestant;
  const { id, current, target } = contestant.lock(round);
  service.travel = () => ({ ms: jamsAfterMs, jams: true });
  const [rest, receivedAt] = await Promise.all([
    service.rest(id),
    controller.received({ [current]: JAM, [target]: LOCKED }),
    controller.write({ [target]: UNLOCKED }),
  ]);
  return receivedAt - rest.at;
}

/** One scene that locks every door which is not locked. */
async function lockAll({ controller, service, locks }: Contestant): Promise<void> {
  service.travel = () => ({ ms: 0, jams: false });
  const open = locks.filter(({ id }) => service.locks.get(id) !== 'Locked');
  const all = (pick: (lock: LockPoints) => string): Record<string, number> =>
    Object.fromEntries(open.map((lock) => [pick(lock), LOCKED]));
  if (open.length > 0) {
    await Promise.all([
      controller.received(all(({ current }) => current)),
      controller.write(all(({ target }) => target)),
    ]);
  }
}

/** A hand frees every bolt; resolves when Home shows it. */
async function freeAll({ controller, service, locks, side }: Contestant): Promise<void> {
  for (const { id } of locks) {
    service.lockByHand(id);
  }
  const currents = locks.map(({ current }) => current);
  for (const giveUpAt = performance.now() + FREED_WITHIN_MS; performance.now() < giveUpAt; ) {
    const values = await controller.values(currents);
    if (currents.every((id) => values.get(id) === LOCKED)) {
      return;
    }
    await sleep(100);
  }
  throw new Error(`The bolts were freed, and ${side} does not see it`);
}

function logUniform(least: number, most: number, random: number): number {
  return least * (most / least) ** random;
}
