// Networks of their own for the nodes of a cluster, joined by a bridge, from which each can be cut off.
import { spawnSync } from 'node:child_process';
import { onTestFinished } from 'vitest';

export interface ApartNetworks {
  /** Addresses of the nodes. */
  readonly hosts: readonly string[];
  /** What starts a program in the network of a node. */
  before(at: number): readonly string[];
  cut(at: number): void;
  heal(at: number): void;
}

const PREFIX = '10.77.0.';
const BRIDGE = 'latchkey-br';

/** Until the test ends. Null where this user may make none. */
export function apartNetworks(count: number): ApartNetworks | null {
  const names = Array.from({ length: count }, (_, at) => `latchkey-${String(at)}`);
  const hosts = names.map((_, at) => `${PREFIX}${String(at + 2)}`);
  onTestFinished(() => {
    for (const name of names) {
      ip('netns', 'del', name);
    }
    ip('link', 'del', BRIDGE);
  });
  const isMade =
    ip('link', 'add', BRIDGE, 'type', 'bridge') &&
    ip('addr', 'add', `${PREFIX}1/24`, 'dev', BRIDGE) &&
    ip('link', 'set', BRIDGE, 'up') &&
    names.every((name, at) => isJoined(name, at, hosts[at] ?? ''));
  return isMade
    ? {
        hosts,
        before: (at) => ['ip', 'netns', 'exec', names[at] ?? ''],
        cut: (at) => ip('link', 'set', cable(at), 'down'),
        heal: (at) => ip('link', 'set', cable(at), 'up'),
      }
    : null;
}

const cable = (at: number): string => `latchkey-v${String(at)}`;

function isJoined(name: string, at: number, host: string): boolean {
  const inside = ['netns', 'exec', name, 'ip'];
  return (
    ip('netns', 'add', name) &&
    ip('link', 'add', cable(at), 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name) &&
    ip('link', 'set', cable(at), 'master', BRIDGE, 'up') &&
    ip(...inside, 'addr', 'add', `${host}/24`, 'dev', 'eth0') &&
    ip(...inside, 'link', 'set', 'eth0', 'up') &&
    ip(...inside, 'link', 'set', 'lo', 'up')
  );
}

function ip(...words: readonly string[]): boolean {
  return spawnSync('ip', words, { stdio: 'ignore' }).status === 0;
}
