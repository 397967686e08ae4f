// Makes a world: a neighbourhood of locks and users, seen through the faces of world-types.ts.

import type { WorldSetup } from '../setup.ts';
import type { World, WorldTime } from '../world-types.ts';
import { circumstances } from './circumstances.ts';
import { deviceService } from './device-service.ts';
import { LockFleet } from './lock-fleet.ts';
import { physicalActions } from './physical-actions.ts';
import { registry } from './registry.ts';

/**
 * The world of a setup, at its first moment. No clock, no chance but the seed's, no I/O: the same setup and the same
 * calls give the same world. Throws a RangeError or UnknownIdError for a setup that contradicts itself.
 */
export function createWorld(setup: WorldSetup): World {
  const fleet = new LockFleet(setup);
  const world: World = {
    ...time(fleet),
    ...deviceService(fleet),
    ...physicalActions(fleet),
    ...circumstances(fleet),
    ...registry(fleet),
  };
  for (const user of setup.users) {
    world.addUser(user);
  }
  for (const device of setup.devices) {
    world.addDevice(device);
  }
  return world;
}

const time = ({ kernel }: LockFleet): WorldTime => ({
  now: () => kernel.now(),
  advance: (toEpochMs) => kernel.advance(toEpochMs),
  nextDueAt: () => kernel.nextDueAt(),
  onEvent: (listener) => kernel.onEvent(listener),
});
