// Tells whether a process that wrote its name down is certainly gone, without being fooled by a reused number.
import { readFileSync, readlinkSync } from 'node:fs';

/** A process as it names itself. The last three are null where the system does not tell. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in a form that only means something to its own system. */
  readonly started: string | null;
  /** The start of the machine it runs on. */
  readonly boot: string | null;
  /** The space its pid belongs to: in a container other numbers count. */
  readonly pidSpace: string | null;
}

/** What the lease wants to know of processes. */
export interface Processes {
  self(): ProcessIdentity;
  /** True only when it is certain. */
  isGone(other: ProcessIdentity): boolean;
}

/** The processes of this machine, by /proc on Linux and by signal 0 everywhere. */
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
      // The database is in WAL mode, which processes of one machine share: the machine has been restarted.
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
    // Anything but "no such process" (not permitted, for one) means that there is one.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
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
