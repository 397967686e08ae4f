// Looks whether a broker of MQTT lets a home choose its client id, with which it could take another home's session.
import { randomUUID } from 'node:crypto';
import type { Carrier, CarrierState } from '../../src/carrier/carrier.ts';
import type { RelayEnrolment } from '../../src/config/options/relay-enrolment.ts';
import { openMqttCarrier } from '../../src/mqtt/mqtt-carrier.ts';
import { loadMqtt } from '../../src/mqtt/mqtt-package.ts';
import { RetryError } from '../../src/support/errors.ts';
import { readClusterAddress } from '../../src/support/server/cluster-address.ts';
import type { BrokerParts } from './open-broker.ts';

/** `own`: the broker gives each home the id of its user. `none`: a cluster has no client ids. */
export type ClientIds = 'own' | 'chosen' | 'none';

/** A broker that gives both the same id ends the first connection with the second (our choice, in milliseconds). */
const ENDS_WITHIN_MS = 3_000;

/** The home must not be connected: its connection would end for a moment. Rejects when the login is not accepted. */
export async function checkClientIds(enrolment: RelayEnrolment, parts: BrokerParts): Promise<ClientIds> {
  if (readClusterAddress(enrolment.broker) !== null) {
    return 'none';
  }
  const mqtt = await loadMqtt();
  const open = (): Carrier =>
    openMqttCarrier({
      ...parts,
      mqtt,
      options: {
        url: new URL(enrolment.broker),
        tls: { ca: enrolment.ca ?? null, client: null },
        login: { username: enrolment.username, password: enrolment.password },
        session: { clientId: `latchkey-check-${randomUUID()}`, expirySeconds: 0, receiveAtMost: 1 },
        will: null,
        subscriptions: [],
      },
    });
  const opened: Carrier[] = [];
  try {
    const first = open();
    opened.push(first);
    await settled(first);
    const ended = new Promise<'own'>((resolve) => {
      first.subscribeState(({ kind }) => kind === 'waiting' && resolve('own'));
    });
    const second = open();
    opened.push(second);
    await settled(second);
    const chosen = Promise.withResolvers<'chosen'>();
    parts.clock.after(ENDS_WITHIN_MS, () => chosen.resolve('chosen'));
    return await Promise.race([ended, chosen.promise]);
  } finally {
    await Promise.all(opened.map(async (carrier) => carrier.close()));
  }
}

async function settled(carrier: Carrier): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const note = (state: CarrierState): void => {
    if (state.kind === 'connected') {
      resolve();
    } else if (state.kind === 'waiting') {
      reject(new RetryError('unreachable', state.reason));
    }
  };
  const forget = carrier.subscribeState(note);
  await promise.finally(forget);
}
