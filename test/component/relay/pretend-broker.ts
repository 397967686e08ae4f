// A relay over a broker that a test answers for, and homes enrolled at it.
import { onTestFinished } from 'vitest';
import type { Carrier, CarrierState, OutgoingMessage, PublishReceipt } from '../../../src/carrier/carrier.ts';
import { readEnrolment } from '../../../src/config/relay-enrolment.ts';
import { type EnrolledHome, enrolHome } from '../../../src/relay/enrol-home.ts';
import { MqttRelayBroker } from '../../../src/relay/mqtt-relay-broker.ts';
import type { RelayConfig } from '../../../src/relay/relay-config.ts';
import { HomeDeliveries } from '../../../src/relay/relay-delivery.ts';
import { RelayFigures } from '../../../src/relay/relay-figures.ts';
import { startRelayServer } from '../../../src/relay/relay-server.ts';
import { BARRIER_TOPIC } from '../../../src/relay/save-barrier.ts';
import { prometheusText } from '../../../src/support/prometheus.ts';
import { ManualClock } from '../../support/manual-clock.ts';

export const RELAY: RelayConfig = {
  host: '127.0.0.1',
  port: 0,
  statusHost: '127.0.0.1',
  statusPort: 0,
  publicUrl: 'https://relay.example',
  secrets: ['the secret of all relays behind one balancer'],
  broker: { url: 'mqtts://broker.example' },
  encrypt: true,
  signatureHeader: 'webhook-signature',
  origins: [],
  limits: { burst: 5, perMinute: 60, waiting: 3 },
  revoked: {},
  shared: null,
};

export class PretendBroker implements Carrier {
  readonly published: OutgoingMessage[] = [];
  /** Called for each message; the default acknowledges it at once. */
  onPublish: (message: OutgoingMessage) => Promise<PublishReceipt> = async () =>
    Promise.resolve({ hasSubscriber: true });

  readonly state: CarrierState = { kind: 'connected', resumed: false };

  async publish(message: OutgoingMessage): Promise<PublishReceipt> {
    if (message.topic === BARRIER_TOPIC) {
      return { hasSubscriber: false };
    }
    this.published.push(message);
    return this.onPublish(message);
  }

  subscribeState(): () => void {
    return () => {};
  }

  async close(): Promise<void> {
    await Promise.resolve();
  }
}

export interface OpenRelay {
  readonly broker: PretendBroker;
  readonly clock: ManualClock;
  /** Path of the address, on this relay. */
  call(
    path: string,
    request?: RequestInit,
  ): Promise<{ readonly status: number; readonly text: string; readonly headers: Headers }>;
  figures(): string;
}

/** Open until the test ends. */
export async function openRelay(changes: Partial<RelayConfig> = {}): Promise<OpenRelay> {
  const config = { ...RELAY, ...changes };
  const clock = new ManualClock();
  const broker = new PretendBroker();
  const deliveries = new HomeDeliveries(new MqttRelayBroker(broker), config, clock);
  const figures = new RelayFigures(clock);
  const server = await startRelayServer({ config, deliveries, figures, clock });
  onTestFinished(async () => server.close());
  return {
    broker,
    clock,
    call: async (path, request = { method: 'POST', body: '{}' }) => {
      const answer = await fetch(`http://127.0.0.1:${String(server.port)}${path}`, request);
      return { status: answer.status, text: await answer.text(), headers: answer.headers };
    },
    figures: () => prometheusText(figures.metrics(deliveries.waiting, { kind: 'connected', resumed: false })),
  };
}

export interface PretendHome extends EnrolledHome {
  readonly path: string;
  readonly key: { readonly x: string; readonly d: string };
}

export function enrolled(home: string, changes: Partial<RelayConfig> = {}, generation = 1): PretendHome {
  const made = enrolHome({ ...RELAY, ...changes }, { home, generation, withAddress: true });
  const enrolment = readEnrolment(made.line);
  if (enrolment?.url === null || enrolment?.url === undefined) {
    throw new Error('The line cannot be read');
  }
  return { ...made, path: new URL(enrolment.url).pathname, key: enrolment.key };
}
