// The processes that a process has started, whether they live, and the TCP ports on which they listen as Linux reports them.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Where sockets can be looked at; elsewhere nothing is known of them. */
export const KNOWS_LISTENERS = existsSync('/proc/net/tcp');

export interface Listener {
  readonly port: number;
  /** Only this machine reaches it. */
  readonly isLocal: boolean;
}

/** The process and all that it started, directly or through others. */
export function processTree(pid: number): readonly number[] {
  const children = new Map<number, number[]>();
  for (const line of execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')) {
    const [child = 0, parent = 0] = line.trim().split(/\s+/u).map(Number);
    children.set(parent, [...(children.get(parent) ?? []), child]);
  }
  const found = [pid];
  for (const one of found) {
    found.push(...(children.get(one) ?? []));
  }
  return found;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Every listening TCP socket of these processes, by its port. */
export function listenersOf(pids: readonly number[]): readonly Listener[] {
  const held = new Set(pids.flatMap(socketsOf));
  return ['tcp', 'tcp6']
    .flatMap((table) => readFileSync(`/proc/net/${table}`, 'utf8').split('\n'))
    .map((line) => line.trim().split(/\s+/u))
    .filter(([, , , state, , , , , , inode]) => state === LISTENING && held.has(`socket:[${inode ?? ''}]`))
    .map(([, local = '']) => {
      const [address = '', port = ''] = local.split(':');
      return { port: Number.parseInt(port, 16), isLocal: LOOPBACK.has(address) };
    })
    .sort((one, other) => one.port - other.port);
}

/** The state LISTEN in /proc/net/tcp. */
const LISTENING = '0A';
/** 127.0.0.1 and ::1 as that table writes them on a little-endian machine. */
const LOOPBACK: ReadonlySet<string> = new Set(['0100007F', '00000000000000000000000001000000']);

function socketsOf(pid: number): readonly string[] {
  const folder = `/proc/${String(pid)}/fd`;
  try {
    return readdirSync(folder).flatMap((file) => {
      try {
        return [readlinkSync(`${folder}/${file}`)];
      } catch {
        // It was closed between the two looks.
        return [];
      }
    });
  } catch {
    // The process has ended.
    return [];
  }
}
