// Decides whether a recorded process is certainly gone, without being fooled by a reused process id.
import { readFileSync, readlinkSync } from 'node:fs';
import { systemCodeOf } from '../../support/errors.ts';

/** Identity of a process. The last three are null where the system does not report them. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time, in a form that is only comparable on the same system. */
  readonly started: string | null;
  readonly boot: string | null;
  /** The pid namespace: a container numbers its processes separately. */
  readonly pidSpace: string | null;
}

export interface Processes {
  self(): ProcessIdentity;
  /** True only when the process is certainly gone. */
  isGone(other: ProcessIdentity): boolean;
}

/** The processes of this machine, from /proc on Linux and by signal 0 everywhere. */
export const systemProcesses: Processes = {
  self: () => ({
    pid: process.pid,
    started: startOf(process.pid),
    boot: orNull(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    pidSpace: orNull(() => readlinkSync('/proc/self/ns/pid')),
  }),
  isGone(other) {
    const self = systemProcesses.self();
    if (self.boot !== null && other.boot !== null && self.boot !== other.boot) {
      // A database in WAL mode is shared within one machine only: another boot id means a restart of this machine.
      return true;
    }
    if (self.pidSpace !== other.pidSpace) {
      return false;
    }
    const started = startOf(other.pid);
    const reused = started !== null && other.started !== null && started !== other.started;
    return reused || !exists(other.pid);
  },
};

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Any other error (such as not permitted) means that the process exists.
    return systemCodeOf(error) !== 'ESRCH';
  }
}

/** Field 22 of /proc/PID/stat: ticks after boot. Fields count from the last `)`, as a program's name may hold one. */
function startOf(pid: number): string | null {
  return orNull(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[22 - 3] ?? null;
  });
}

function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
