// A home at a cluster without an account behind it: what arrives is handed to the test.
import type { RelayEnrolment } from '../../../src/config/options/relay-enrolment.ts';
import { type NatsHomeParts, openNatsHome } from '../../../src/nats/nats-home.ts';
import { loadNats } from '../../../src/nats/nats-package.ts';
import { seatSubjects } from '../../../src/nats/seat.ts';
import type { Clock } from '../../../src/support/clock.ts';
import { silentLog } from '../../../src/support/log.ts';
import { readClusterAddress } from '../../../src/support/server/cluster-address.ts';

/** Connects from now on. */
export async function openHome(
  { broker, username: seat, password: seed, jwt = '', topic: subject, ca }: RelayEnrolment,
  clock: Clock,
  handle: NatsHomeParts['handle'],
): Promise<ReturnType<typeof openNatsHome>> {
  const address = readClusterAddress(broker);
  if (address === null) {
    throw new Error('The home is not at a cluster');
  }
  return openNatsHome({
    nats: await loadNats(),
    options: {
      address,
      ca: ca ?? null,
      login: { jwt, seed },
      inboxPrefix: seatSubjects(seat).inbox,
      pingEveryMs: 15_000,
    },
    seat,
    subject,
    handle,
    clock,
    random: Math.random,
    longestPauseMs: 60_000,
    log: silentLog,
  });
}
