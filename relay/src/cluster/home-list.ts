// The homes of a cluster as an operator sees them: what waits for each, since when, and what of it came again.
import type { ConsumerInfo, JetStreamManager } from '@nats-io/jetstream';
import type { NatsPackage } from '../../../src/nats/nats-package.ts';
import { readSeat, type Seat, STREAM, subjectOf } from '../../../src/nats/seat.ts';

export interface SeatedHome extends Seat {
  /** Events that the home has not acknowledged; what a node without a disk counts may be too few. */
  readonly waiting: number;
  /** When the oldest of them came; null without one. */
  readonly oldest: string | null;
  /** When it last took or acknowledged an event; null: never. */
  readonly lastSign: string | null;
  /** It is connected, and asks for events. */
  readonly isAsking: boolean;
  /** It asks, and the oldest event has waited for long. */
  readonly isUnserved: boolean;
  readonly node: string | null;
}

export interface MissedEvent {
  readonly position: number;
  readonly at: string;
}

const UNSERVED_AFTER_MS = 10_000;
/** Of one home; it may have no more in a day. */
const MOST_EVENTS = 10_000;
const NOT_FOUND = 404;

export async function listHomes(
  nats: NatsPackage,
  manager: JetStreamManager,
  now: number,
): Promise<readonly SeatedHome[]> {
  const homes: SeatedHome[] = [];
  for await (const info of manager.consumers.list(STREAM)) {
    const seat = readSeat(info.name);
    if (seat !== null) {
      homes.push(await describe(nats, manager, { seat, info, now }));
    }
  }
  return homes.toSorted((left, right) => left.home.localeCompare(right.home));
}

/** What the home has not acknowledged, the oldest first. */
export async function missedOf(
  nats: NatsPackage,
  manager: JetStreamManager,
  { seat, name }: { readonly seat: Seat; readonly name: string },
): Promise<readonly MissedEvent[]> {
  const info = await manager.consumers.info(STREAM, name);
  const missed: MissedEvent[] = [];
  let event = await nextAfter(nats, manager, seat, info.ack_floor.stream_seq);
  while (event !== null && missed.length < MOST_EVENTS) {
    missed.push(event);
    event = await nextAfter(nats, manager, seat, event.position);
  }
  return missed;
}

async function describe(
  nats: NatsPackage,
  manager: JetStreamManager,
  { seat, info, now }: { readonly seat: Seat; readonly info: ConsumerInfo; readonly now: number },
): Promise<SeatedHome> {
  const oldest = (await nextAfter(nats, manager, seat, info.ack_floor.stream_seq))?.at ?? null;
  const signs = [info.ack_floor.last_active, info.delivered.last_active].filter((at) => at !== undefined);
  const isAsking = info.num_waiting > 0;
  return {
    home: seat.home,
    generation: seat.generation,
    waiting: oldest === null ? 0 : Math.max(1, info.num_pending + info.num_ack_pending),
    oldest,
    lastSign: signs.map(String).toSorted().at(-1) ?? null,
    isAsking,
    isUnserved: isAsking && oldest !== null && now - Date.parse(oldest) > UNSERVED_AFTER_MS,
    node: info.cluster?.leader ?? null,
  };
}

/** Of the node that leads the stream, whatever the consumer's node knows. */
async function nextAfter(
  nats: NatsPackage,
  manager: JetStreamManager,
  seat: Seat,
  position: number,
): Promise<MissedEvent | null> {
  try {
    const query = { seq: position + 1, next_by_subj: subjectOf(seat) };
    const found = await manager.streams.getMessage(STREAM, query);
    return found === null ? null : { position: found.seq, at: found.time.toISOString() };
  } catch (error) {
    if (error instanceof nats.JetStreamApiError && error.status === NOT_FOUND) {
      return null;
    }
    throw error;
  }
}
