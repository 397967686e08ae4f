// Keeps the sessions of the pages over a restart: the digest of each, which no browser can be logged in with.
import { z } from 'zod';
import { tryDisk } from '../../support/files/try-disk.ts';
import type { Log } from '../../support/log.ts';
import { ROLES } from './role.ts';

/** Instants are on the machine's clock, in milliseconds since the Unix epoch. */
const session = z.object({
  /** Of the session's id, in base64url. */
  digest: z.string().regex(/^[\w-]{43}$/u),
  startedAt: z.number().int(),
  usedAt: z.number().int(),
  /** Logins from before there were roles may do all. */
  role: z.enum(ROLES).default('all'),
  device: z.string().max(60).default(''),
});

type ArchivedSession = Readonly<z.output<typeof session>>;

/** Where the list is kept, such as a row of the account's database. Both may throw. */
export interface SessionShelf {
  /** Undefined: nothing was kept yet. */
  read(): unknown;
  write(sessions: readonly ArchivedSession[]): void;
}

/** Neither throws: without a disk, sessions last as long as the process. */
export interface SessionArchive {
  read(): readonly ArchivedSession[];
  write(sessions: readonly ArchivedSession[]): void;
}

/** Far more than a store of sessions has. */
const MOST_READ = 1_000;

const form = z.array(session).max(MOST_READ);

/** A damaged list counts as empty: everybody logs in again. */
export function sessionArchive(shelf: SessionShelf, log: Log): SessionArchive {
  return {
    read: () => {
      const kept = tryDisk(log, 'The logins of the dashboard could not be read', () => shelf.read());
      return form.safeParse(kept).data ?? [];
    },
    write: (sessions) => {
      const rounded = sessions.map(({ startedAt, usedAt, ...known }) => ({
        ...known,
        startedAt: Math.round(startedAt),
        usedAt: Math.round(usedAt),
      }));
      tryDisk(
        log,
        'The logins of the dashboard could not be kept, so the next restart undoes what has changed',
        () => shelf.write(rounded),
      );
    },
  };
}
