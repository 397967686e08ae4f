// Tells the accessories of the demo from those of an account, by the ids of its locks.
import type { PlatformAccessory } from 'homebridge';
import { lockIdIn } from './accessory-context.ts';

/** The simulator's scenario gives its locks such ids, which no service does. */
const DEMO_ID = /^latchkey-demo-/u;

export function isDemoAccessory({ context }: Pick<PlatformAccessory, 'context'>): boolean {
  return DEMO_ID.test(lockIdIn(context) ?? '');
}
