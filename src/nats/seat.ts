// The seat of a home at a cluster: one name for its user and its consumer, which cannot be guessed.
import { createHmac } from 'node:crypto';

export interface Seat {
  readonly home: string;
  /** Counts the enrolments of a home; those up to a revoked one have no seat. */
  readonly generation: number;
}

const SECRET_BYTES = 16;
const SUBJECT = /^homes\.(?<home>[a-z0-9][a-z0-9-]{0,63})(?:_(?<generation>[1-9]\d{0,9}))?\.events$/;
const SEAT = /^(?<home>[a-z0-9][a-z0-9-]{0,63})_(?<generation>[1-9]\d{0,9})_[0-9a-f]{32}$/;

/** All homes share one stream. */
export const STREAM = 'HOMES';

/**
 * The name of a seat, which every relay with the cluster's secret can tell. Its last part keeps a home from naming another
 * one's consumer as the subject that an answer is sent to, which no right of the broker forbids.
 */
export function seatName(seat: Seat, secret: string): string {
  const head = seatHead(seat);
  const mac = createHmac('sha256', secret).update(`latchkey seat\0${head}`).digest();
  return `${head}_${mac.subarray(0, SECRET_BYTES).toString('hex')}`;
}

/** What everybody may know of its name. */
export function seatHead({ home, generation }: Seat): string {
  return `${home}_${String(generation)}`;
}

/** The seat; null when the name is malformed. */
export function readSeat(name: string): Seat | null {
  const { home, generation } = SEAT.exec(name)?.groups ?? {};
  return home === undefined ? null : { home, generation: Number(generation) };
}

/** All subjects of `subjectOf`. */
export const ALL_SUBJECTS = 'homes.*.events';

/** A later enrolment has a subject of its own, so that the holder of a former one hears nothing of it. */
export function subjectOf({ home, generation }: Seat): string {
  return `homes.${generation === 1 ? home : `${home}_${String(generation)}`}.events`;
}

/** The seat whose events have this subject; null when it is none of them. */
export function seatOf(subject: string): Seat | null {
  const { home, generation = '1' } = SUBJECT.exec(subject)?.groups ?? {};
  return home === undefined ? null : { home, generation: Number(generation) };
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
