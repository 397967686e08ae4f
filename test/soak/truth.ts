// Compares what Home shows with where the bolts truly are, at a moment at which everything has settled.
import type { SoakHouse } from './soak-house.ts';

/** HomeKit's numbers for the current state of a lock. */
const SHOWN = ['Unlocked', 'Locked'] as const;

export interface Look {
  readonly looked: number;
  /** Home shows the other position than the bolt has. */
  readonly wrong: readonly string[];
  /** Home shows no position although the service knows it. */
  readonly blind: readonly string[];
}

/** A lock that the service cannot reach is left out: nobody knows where its bolt is. */
export async function lookAtHome({ stage, locks }: SoakHouse): Promise<Look> {
  const { world } = stage.simulator;
  const found = new Map(world.deviceIds().map((id) => [world.inspect(id).name, world.inspect(id)]));
  const readings = await stage.home.readAll(locks.map(({ current }) => current));
  const wrong: string[] = [];
  const blind: string[] = [];
  let looked = 0;
  for (const [index, { name }] of locks.entries()) {
    const lock = found.get(name);
    const reading = readings[index];
    if (lock === undefined || !lock.wifi || lock.movingTo !== null) {
      continue;
    }
    looked += 1;
    const shown = reading?.status === 0 ? SHOWN[Number(reading.value)] : undefined;
    if (shown !== undefined && shown !== lock.bolt) {
      wrong.push(`${name} shows ${shown} and is ${lock.bolt}`);
    } else if (shown === undefined && (lock.bolt === 'Locked' || lock.bolt === 'Unlocked')) {
      blind.push(`${name} shows ${JSON.stringify(reading)} and is ${lock.bolt}`);
    }
  }
  return { looked, wrong, blind };
}
