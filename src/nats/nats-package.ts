// Loads the packages for NATS, which the build joins into a file of its own.
import type * as exports from './nats-exports.ts';

export type NatsPackage = typeof exports;

export async function loadNats(): Promise<NatsPackage> {
  return import('./nats-exports.ts');
}
