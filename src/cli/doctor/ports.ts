// Checks whether each configured port is free, or held by the account's owner or by another process.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { t } from '../../words/translate.ts';
import { type Finding, fault, fine, note } from './finding.ts';

export interface WantedPort {
  /** The option's path, such as "webhooks.port". */
  readonly option: string;
  readonly host: string;
  readonly port: number;
}

/** Process id of the account's owner; null when that is this process, or without an owner. */
export type OwnerPid = number | null | 'unknown';

export async function portFinding({ option, host, port }: WantedPort, ownerPid: OwnerPid): Promise<Finding> {
  const trouble = await triedPort(host, port);
  switch (trouble) {
    case null:
      return fine(option, t('Port {port} is free.', { port }));
    case 'EADDRINUSE':
      return takenFinding(option, port, ownerPid);
    case 'EACCES':
      return fault(
        option,
        t('Port {port} is not allowed to this user.', { port }),
        t('Choose one above {number}.', { number: 1023 }),
      );
    default:
      return fault(
        option,
        t('Nothing can listen on that host at port {port} ({trouble}).', { port, trouble }),
        t('Correct {option}: 127.0.0.1 for this machine alone, 0.0.0.0 for the network.', {
          option: option.replace('.port', '.host'),
        }),
      );
  }
}

function takenFinding(option: string, port: number, ownerPid: OwnerPid): Finding {
  const holder = holderOf(port);
  const advice = t('Choose another {option}, or end that program.', { option });
  if (holder === null) {
    return ownerPid === null
      ? fault(option, t('Port {port} is taken by another program.', { port }), advice)
      : note(option, t('Port {port} is taken, probably by the plugin that runs.', { port }));
  }
  if (ownerPid === 'unknown') {
    return note(
      option,
      t('Port {port} is taken by process {pid} ({name}), maybe the plugin.', {
        port,
        pid: holder.pid,
        name: holder.name,
      }),
    );
  }
  return holder.pid === ownerPid
    ? fine(option, t('Port {port} is held by the plugin that runs.', { port }))
    : fault(
        option,
        t('Port {port} is taken by process {pid} ({name}).', { port, pid: holder.pid, name: holder.name }),
        advice,
      );
}

/** The system's error code when listening fails; null when it succeeds. */
async function triedPort(host: string, port: number): Promise<string | null> {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<string | null>();
  server.once('error', (error) => resolve('code' in error ? String(error.code) : 'unknown'));
  // A host name may resolve to two addresses; the listener uses this one.
  server.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port, exclusive: true }, () => {
    server.close(() => resolve(null));
  });
  return promise;
}

/** Socket state LISTEN in /proc/net/tcp. */
const LISTENING = '0A';

/** The process that listens on a port, from /proc on Linux; null elsewhere, or for another user's process. */
function holderOf(port: number): { readonly pid: number; readonly name: string } | null {
  const sockets = new Set(
    ['tcp', 'tcp6'].flatMap((table) =>
      listeners(attempt(() => readFileSync(`/proc/net/${table}`, 'utf8')) ?? '', port),
    ),
  );
  const pids =
    sockets.size === 0
      ? []
      : (attempt(() => readdirSync('/proc')) ?? []).filter((name) => /^\d+$/u.test(name));
  const pid = pids.find((candidate) => {
    const files = attempt(() => readdirSync(`/proc/${candidate}/fd`)) ?? [];
    return files.some((file) =>
      sockets.has(attempt(() => readlinkSync(`/proc/${candidate}/fd/${file}`)) ?? ''),
    );
  });
  return pid === undefined
    ? null
    : { pid: Number(pid), name: (attempt(() => readFileSync(`/proc/${pid}/comm`, 'utf8')) ?? '').trim() };
}

/** Columns of /proc/net/tcp: number, local address, remote address, state, ... ; the tenth is the inode. */
function listeners(table: string, port: number): readonly string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/u))
    .filter(([, local = '', , state]) => local.endsWith(suffix) && state === LISTENING)
    .map((columns) => `socket:[${columns[9] ?? ''}]`);
}

function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    // The system is no Linux, access is not permitted, or the process has exited.
    return null;
  }
}
