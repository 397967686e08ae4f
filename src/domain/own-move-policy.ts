// Which moves that the service tells were brought about by our own command: it names the person of the link for them, who
// may use the lock's app as well, and so may others.
import type { AccessMethod, Accessor } from './access.ts';
import type { Instant } from './bolt.ts';
import type { Flight } from './evidence-policy.ts';
import { SAME_WITHIN_MS } from './history.ts';
import type { LastMove } from './lock.ts';

/** What the service may call a command that came through its interface. All others need somebody at the door, or nobody. */
const FROM_AFAR: ReadonlySet<AccessMethod> = new Set(['virtual-key', 'platform', 'other']);

/** Events of one report of the lock are dated alike, to this, in milliseconds (our choice): nobody else's move is by chance. */
const DATED_ALIKE_MS = 100;

/**
 * Whether the move may be the one that our command brought about: from afar, to where it was wished, from elsewhere, and
 * while it was under way. Then it is, if it is also told of the person of the link.
 */
export function fitsOwnCommand(flight: Flight | null, { to, by, at }: LastMove): boolean {
  return (
    flight !== null &&
    flight.wish === to &&
    flight.before !== to &&
    at >= flight.from &&
    (flight.until === null || at <= flight.until + SAME_WITHIN_MS) &&
    FROM_AFAR.has(by.method)
  );
}

/**
 * Who the service names for our commands, shown by one: it dates the move as the end of the command that may have brought it
 * about. Null when that shows nothing. `endedAt`: when the service says that our command ended well.
 */
export function personShownBy(flight: Flight | null, move: LastMove, endedAt: Instant): string | null {
  return fitsOwnCommand(flight, move) && Math.abs(move.at - endedAt) <= DATED_ALIKE_MS ? move.by.id : null;
}

/** By a command of ours. Whose wish it was the service cannot know: it names the same person for all of them. */
export function ownCommandOf({ id }: Accessor): Accessor {
  return { method: 'own-command', id, name: null };
}

/** Whether `other` is what the service says of the very mover that `ours` calls a command of ours. */
export function isToldOfOurs(ours: Accessor, other: Accessor): boolean {
  return ours.method === 'own-command' && ours.id !== null && ours.id === other.id;
}
