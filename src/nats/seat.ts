// The seat of a home at a cluster: one name for its user and its consumer, which cannot be guessed.
import { randomBytes } from 'node:crypto';

export interface Seat {
  readonly home: string;
  /** Counts the enrolments of a home; those up to a revoked one have no seat. */
  readonly generation: number;
}

const SECRET_BYTES = 16;
const SEAT = /^(?<home>[a-z0-9][a-z0-9-]{0,63})_(?<generation>[1-9]\d{0,9})_[0-9a-f]{32}$/;

/** All homes share one stream. */
export const STREAM = 'HOMES';

/**
 * The secret keeps a home from naming another one's consumer as the subject that an answer is sent to, which no right of the
 * broker forbids.
 */
export function newSeat({ home, generation }: Seat): string {
  return `${home}_${String(generation)}_${randomBytes(SECRET_BYTES).toString('hex')}`;
}

/** The seat; null when the name is malformed. */
export function readSeat(name: string): Seat | null {
  const { home, generation } = SEAT.exec(name)?.groups ?? {};
  return home === undefined ? null : { home, generation: Number(generation) };
}

export function subjectOf(home: string): string {
  return `homes.${home}.events`;
}

/** The rights of a seat's user; `{{name()}}` of the broker stands for the seat. */
export function seatSubjects(seat: string): {
  readonly next: string;
  readonly acknowledge: string;
  readonly ask: string;
  readonly inbox: string;
} {
  return {
    next: `$JS.API.CONSUMER.MSG.NEXT.${STREAM}.${seat}`,
    acknowledge: `$JS.ACK.${STREAM}.${seat}`,
    ask: `ask.${seat}`,
    inbox: `_INBOX.${seat}`,
  };
}
