// What the stream of all homes is to be like: made where it is missing, changed where it differs, and refused in words.
import type { JetStreamManager, StreamConfig } from '@nats-io/jetstream';
import { type BrokerFault, passing } from '../../../src/carrier/connection-faults.ts';
import { message } from '../../../src/domain/language/message.ts';
import { ClusterError } from '../../../src/nats/nats-connection.ts';
import type { NatsPackage } from '../../../src/nats/nats-package.ts';
import { ALL_SUBJECTS, STREAM } from '../../../src/nats/seat.ts';

export interface StreamShape {
  /** Nodes that keep each event. */
  readonly replicas: number;
  /** Each home has a consumer; the broker makes no more than this. */
  readonly homes: number;
  readonly events: number;
  readonly bytes: number;
}

const SECOND_NS = 1_000_000_000;
const DAY_NS = 86_400 * SECOND_NS;
/** The broker's memory of message ids: longer than a relay tries (our choice). */
const SAME_WITHIN_NS = 120 * SECOND_NS;
/** Events of one home within a day (our choice): beyond them nothing is dropped, and the service is asked to wait. */
const MOST_PER_HOME = 10_000;

const NAMES = ['num_replicas', 'max_consumers', 'max_msgs', 'max_bytes'] as const;

/** The options of a relay by the member of the stream that they decide. */
const OPTIONS = {
  num_replicas: 'replicas',
  max_consumers: 'homes',
  max_msgs: 'events',
  max_bytes: 'bytes',
} as const satisfies Readonly<Record<(typeof NAMES)[number], keyof StreamShape>>;

type Wanted = Readonly<Record<keyof typeof OPTIONS, number>>;

const NOT_FOUND = 404;
const NO_ROOM: ReadonlySet<number> = new Set([10_023, 10_047, 10_005]);

/** The nodes have no room for the stream that the options ask for; in a cluster's first seconds they do not know each other yet. */
class NoRoom extends ClusterError {
  readonly fault: BrokerFault = passing(
    message(
      'The nodes have no room for a stream of {bytes}. Lower it, or raise max_file of the nodes and start enough of them for {replicas}.',
      { bytes: 'broker.bytes', replicas: 'broker.replicas' },
    ),
  );
}

/** Resolves with a line for each option that the cluster does not follow. */
export async function shapeStream(
  nats: NatsPackage,
  manager: JetStreamManager,
  { replicas, homes, events, bytes }: StreamShape,
): Promise<readonly string[]> {
  const wanted: Wanted = { num_replicas: replicas, max_consumers: homes, max_msgs: events, max_bytes: bytes };
  const found = await manager.streams.info(STREAM).catch((error: unknown) => {
    if (error instanceof nats.JetStreamApiError && error.status === NOT_FOUND) {
      return null;
    }
    throw error;
  });
  if (found === null) {
    await make(nats, manager, wanted);
    return [];
  }
  return change(manager, found.config, wanted);
}

async function make(nats: NatsPackage, manager: JetStreamManager, wanted: Wanted): Promise<void> {
  const made = {
    ...wanted,
    name: STREAM,
    subjects: [ALL_SUBJECTS],
    storage: 'file',
    max_age: DAY_NS,
    max_msgs_per_subject: MOST_PER_HOME,
    discard: 'new',
    discard_new_per_subject: true,
    duplicate_window: SAME_WITHIN_NS,
    deny_delete: true,
  } satisfies Partial<StreamConfig>;
  await manager.streams.add(made).catch((error: unknown) => {
    if (error instanceof nats.JetStreamApiError && NO_ROOM.has(error.code)) {
      throw new NoRoom('The nodes have no room for the stream', { cause: error });
    }
    throw error;
  });
}

/** All at once, or one after the other where the cluster refuses one of them. */
async function change(
  manager: JetStreamManager,
  config: StreamConfig,
  wanted: Wanted,
): Promise<readonly string[]> {
  const differing = NAMES.filter((name) => config[name] !== wanted[name]);
  if (differing.length === 0) {
    return [];
  }
  try {
    await manager.streams.update(STREAM, { ...config, ...wanted });
    return [];
  } catch {
    const lines = [];
    let kept = config;
    for (const name of differing) {
      try {
        ({ config: kept } = await manager.streams.update(STREAM, { ...kept, [name]: wanted[name] }));
      } catch (error) {
        lines.push(refused(name, config[name], wanted[name], error));
      }
    }
    return lines.filter((line) => line !== null);
  }
}

function refused(name: keyof Wanted, kept: number, wanted: number, error: unknown): string | null {
  if (name === 'max_consumers' && kept <= 0) {
    // A version that cannot change this number does not bound it either.
    return null;
  }
  const why = error instanceof Error ? error.message : 'no reason given';
  return `broker.${OPTIONS[name]} of ${String(wanted)} was refused by the cluster, which keeps ${String(kept)}: ${why}.`;
}
