// The seats that no relay serves any more: kept in the cluster, so that all relays know of each at once.
import type { JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '../../../src/nats/nats-connection.ts';
import type { NatsPackage } from '../../../src/nats/nats-package.ts';
import type { Seat } from '../../../src/nats/seat.ts';

export const REVOKED_STREAM = 'REVOKED';
export const ALL_REVOKED = 'revoked.*.*';

/** `revoked.<home>.<generation>`: this generation and those before it. The message itself is empty. */
const SUBJECT = /^revoked\.(?<home>[a-z0-9-]{1,64})\.(?<generation>[1-9]\d{0,9})$/;

export class RevokedSeats {
  /** The last revoked generation of each home. */
  readonly #generations = new Map<string, number>();
  readonly #ended: (seat: Seat) => void;

  /** `ended`: called with each seat that is revoked from now on. */
  constructor(ended: (seat: Seat) => void) {
    this.#ended = ended;
  }

  /** The last revoked generation of each home. */
  get seats(): readonly Seat[] {
    return [...this.#generations].map(([home, generation]) => ({ home, generation }));
  }

  has({ home, generation }: Seat): boolean {
    return generation <= (this.#generations.get(home) ?? 0);
  }

  /** Listens before it reads, so that nothing falls between. */
  async begin(manager: JetStreamManager, connection: NatsConnection, replicas: number): Promise<void> {
    connection.raw.subscribe(ALL_REVOKED, {
      callback: (error, { subject }) => {
        if (error === null) {
          this.#take(subject);
        }
      },
    });
    // Made where it is missing; the same again changes nothing.
    await manager.streams
      .add({
        name: REVOKED_STREAM,
        subjects: [ALL_REVOKED],
        num_replicas: replicas,
        storage: 'file',
        max_msgs_per_subject: 1,
        max_consumers: 1,
      })
      .catch(() => {});
    await this.read(manager);
  }

  async read(manager: JetStreamManager): Promise<void> {
    const { state } = await manager.streams.info(REVOKED_STREAM, { subjects_filter: ALL_REVOKED });
    for (const subject of Object.keys(state.subjects ?? {})) {
      this.#take(subject);
    }
  }

  #take(subject: string): void {
    const { home, generation } = SUBJECT.exec(subject)?.groups ?? {};
    const seat = { home: home ?? '', generation: Number(generation) };
    if (home !== undefined && !this.has(seat)) {
      this.#generations.set(home, seat.generation);
      this.#ended(seat);
    }
  }
}

/** Resolves once a quorum of the cluster keeps it. */
export async function publishRevoked(
  nats: NatsPackage,
  connection: NatsConnection,
  { home, generation }: Seat,
): Promise<void> {
  await nats.jetstream(connection.raw).publish(`revoked.${home}.${String(generation)}`, '');
}
