// Which moves that the service tells were brought about by our own command: it names the person of the link for them, who
// may use the lock's app as well, and so may others.
import type { AccessMethod, Accessor } from './access.ts';
import type { Instant } from './bolt.ts';
import type { InFlightCommand } from './evidence-policy.ts';
import type { LastMove } from './lock.ts';
import { DATED_ALIKE_MS, SAME_WITHIN_MS } from './time.ts';

/** What the service may call a command that came through its interface. All others need somebody at the door, or nobody. */
const FROM_AFAR: ReadonlySet<AccessMethod> = new Set(['virtual-key', 'platform', 'other']);

/**
 * Whether the move may be the one that our command brought about: from afar, to where it was wished, from elsewhere, and
 * while it was under way. Then it is, if it is also told of the person of the link.
 */
export function matchesOwnCommand(inFlight: InFlightCommand | null, { to, by, at }: LastMove): boolean {
  return (
    inFlight !== null &&
    inFlight.target === to &&
    inFlight.before !== to &&
    at >= inFlight.from &&
    (inFlight.until === null || at <= inFlight.until + SAME_WITHIN_MS) &&
    FROM_AFAR.has(by.method)
  );
}

/**
 * Whom the service named for a move that a command of ours may have brought about, by how it dates the move and the end of the
 * command. Null when nobody. `endedAt`: when the service says that it ended well. It shows only who it may be: whoever
 * turns the bolt where it was to go anyhow ends the command, too.
 */
export function personNamed(
  inFlight: InFlightCommand | null,
  move: LastMove,
  endedAt: Instant,
): string | null {
  const fits = move.by.method === 'own-command' || matchesOwnCommand(inFlight, move);
  return fits && Math.abs(move.at - endedAt) <= DATED_ALIKE_MS ? move.by.id : null;
}

/** What our commands have shown so far of whom the service names for them. */
export interface PersonShown {
  /** Certainly; null when that is not known yet. */
  readonly known: string | null;
  /** By the latest command. */
  readonly latest: string | null;
}

/** Two commands in a row make it certain: nobody else moves the bolt twice just when we do. The same reference when nothing is new. */
export function afterCommand(shown: PersonShown, person: string): PersonShown {
  const known = person === shown.latest ? person : shown.known;
  return known === shown.known && person === shown.latest ? shown : { known, latest: person };
}

/** By a command of ours. Whose wish it was the service cannot know: it names the same person for all of them. */
export function ownCommandOf({ id }: Accessor): Accessor {
  return { method: 'own-command', id, name: null };
}

/** Whether `other` is what the service says of the very mover that `ours` calls a command of ours. */
export function isReportedForOurs(ours: Accessor, other: Accessor): boolean {
  return ours.method === 'own-command' && ours.id !== null && ours.id === other.id;
}
