// Says who made a move that the service tells of: our own commands, which it calls the linked user's, and guests by what they are called.
import type { AccessMethod, Accessor } from '../locks/access.ts';
import { type BoltPosition, isBoltPosition } from '../locks/bolt.ts';
import { commandBehind, type Moves, ownMoveAt } from '../locks/move.ts';
import type { Instant } from '../time/instant.ts';
import { SAME_WITHIN_MS } from '../time/time.ts';
import type { ServiceEvent } from '../webhooks/service-event.ts';
import type { HistoryEntry } from './history.ts';

/** How the service may report a command that came through its interface. All other moves are made at the lock, or by the lock itself. */
const FROM_AFAR: ReadonlySet<AccessMethod> = new Set(['virtual-key', 'platform', 'other']);

export interface AttributionFacts {
  /** What is known of the lock's moves and of our commands to it. */
  readonly recent: Moves;
  /** The person of the link, as its token names them; null when it names none. */
  readonly subject: string | null;
  /** What the guest is called whose code has this id; null: nobody's, or as the code is called. */
  readonly calledBy: (codeId: string) => string | null;
}

/**
 * The author of a move: this plugin where it was made from afar, to the target of a command of ours and while that was under way,
 * and by nobody else. Where the token names no person, any person may be the one of the link.
 */
function authorOf(
  by: Accessor,
  to: BoltPosition,
  at: Instant,
  { recent, subject }: AttributionFacts,
): Accessor {
  const mayBeOurs = FROM_AFAR.has(by.method) && (subject === null || by.id === subject);
  return mayBeOurs && isOfOurs(recent, to, at) ? { method: 'own-command', id: by.id, name: null } : by;
}

/** Its date may be a little before that of the sending, which we know inexactly. */
function isOfOurs(recent: Moves, to: BoltPosition, at: Instant): boolean {
  const known = ownMoveAt(recent, to, at);
  return (
    commandBehind(recent, to, at) !== undefined ||
    (known !== undefined && at >= known.command.from - SAME_WITHIN_MS)
  );
}

/** A code is known by its id: its name on the lock may be that of another, or of nobody. */
function called(by: Accessor, { calledBy }: AttributionFacts): Accessor {
  const name = by.method === 'access-code' && by.id !== null ? calledBy(by.id) : null;
  return name === null || name === by.name ? by : { ...by, name, codeName: by.name ?? '' };
}

/** The event with its author. */
export function attributeMove<Event extends ServiceEvent>(
  event: Event,
  at: Instant,
  facts: AttributionFacts,
): Event {
  if (event.type !== 'bolt' || event.accessor === null || !isBoltPosition(event.bolt ?? 'unknown')) {
    return event;
  }
  const to = event.bolt === 'secured' ? 'secured' : 'unsecured';
  const author = called(authorOf(event.accessor, to, at, facts), facts);
  return author === event.accessor ? event : { ...event, accessor: author };
}

/** The history entry with its author. */
export function attributeEntry(entry: HistoryEntry, facts: AttributionFacts): HistoryEntry {
  const { what, by, at } = entry;
  const mover = what === 'secured' || what === 'unsecured' ? authorOf(by, what, at, facts) : by;
  const author = called(mover, facts);
  return author === by ? entry : { ...entry, by: author };
}

/** Whether `other` is the service's name for the accessor that `ours` calls a command of ours. */
export function isReportedForOurs(ours: Accessor, other: Accessor): boolean {
  return ours.method === 'own-command' && ours.id !== null && ours.id === other.id;
}
