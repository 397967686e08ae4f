// Every Homebridge and Node that package.json names: the newest of each line, and the oldest Homebridge of all.
import { join } from 'node:path';
import { NEWEST, type Versions } from '../harness/homebridge.ts';

const installed = (...path: readonly string[]): string => join(import.meta.dirname, 'node_modules', ...path);

const NODES = { 22: installed('node-22/bin/node'), 24: NEWEST.node, 26: installed('node-26/bin/node') };

const HOMEBRIDGES = [
  // It shows that the plugin uses nothing newer.
  { version: '1.8.0', program: installed('homebridge-1.8/bin/homebridge'), nodes: [22] },
  { version: '1.11.4', program: installed('homebridge-1.11/bin/homebridge'), nodes: [22, 24, 26] },
  { version: '2.4.0', program: NEWEST.homebridge, nodes: [22, 24, 26] },
] as const;

export interface Pair {
  readonly title: string;
  readonly versions: Versions;
  /** Homebridge's version. */
  readonly homebridge: string;
}

export const PAIRS: readonly Pair[] = HOMEBRIDGES.flatMap(({ version, program, nodes }) =>
  nodes.map((node) => ({
    title: `Homebridge ${version} on Node ${node}`,
    versions: { node: NODES[node], homebridge: program },
    homebridge: version,
  })),
);

/**
 * What Homebridge says of itself: that its maker tried it on other Nodes (1.8 knows none of ours, 1.11 not the newest), and
 * in 1.11 a notice that version 2 is coming.
 */
export const ITS_OWN = /Homebridge requires Node\.js version of|^NOTICE TO USERS|^> \S+ /u;
