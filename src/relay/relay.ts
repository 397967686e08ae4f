// Runs a relay until it is stopped: no state of its own, so that any number may run behind a load balancer.
import { randomUUID } from 'node:crypto';
import type { BrokerOptions } from '../mqtt/broker-options.ts';
import type { Carrier, CarrierState } from '../mqtt/carrier.ts';
import { openMqttCarrier } from '../mqtt/mqtt-carrier.ts';
import { loadMqtt } from '../mqtt/mqtt-package.ts';
import type { Clock } from '../support/clock.ts';
import type { Log } from '../support/log.ts';
import { readOptionFile } from '../support/option-file.ts';
import { startStatusServer } from '../support/status-server.ts';
import type { RelayConfig } from './relay-config.ts';
import { HomeDeliveries } from './relay-delivery.ts';
import { RelayFigures } from './relay-figures.ts';
import { startRelayServer } from './relay-server.ts';

export interface RelayParts {
  readonly config: RelayConfig;
  readonly clock: Clock;
  readonly log: Log;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  /** Aborted by the system's request to stop. */
  readonly stopped: AbortSignal;
  /** Called with the ports once requests are answered. */
  readonly onOpen?: (ports: { readonly port: number; readonly statusPort: number }) => void;
}

/** Relays are few, and nothing arrives without them: they come back to a broker sooner than homes do (our choice). */
const LONGEST_PAUSE_MS = 5_000;

/** Resolves once it was stopped and everything is closed. Rejects when it cannot be started. */
export async function runRelay(parts: RelayParts): Promise<void> {
  const { config, clock, log, random, stopped, onOpen } = parts;
  const mqtt = await loadMqtt();
  const options = brokerOptions(config);
  const carrier = openMqttCarrier({
    mqtt,
    options,
    clock,
    random,
    longestPauseMs: LONGEST_PAUSE_MS,
    log,
  });
  logChanges(carrier, log);
  const deliveries = new HomeDeliveries(carrier, config, clock);
  const figures = new RelayFigures(clock);
  const opened: { close(): Promise<void> }[] = [carrier];
  try {
    const server = await startRelayServer({ config, deliveries, figures, clock });
    opened.unshift(server);
    const status = await startStatusServer({
      host: config.statusHost,
      port: config.statusPort,
      unready: async () => Promise.resolve(unready(carrier.state)),
      metrics: async () => Promise.resolve(figures.metrics(deliveries.waiting, carrier.state)),
    });
    opened.unshift(status);
    log.info(
      `The relay listens at http://${config.host}:${String(server.port)}; health, readiness and figures are at http://${config.statusHost}:${String(status.port)}.`,
    );
    onOpen?.({ port: server.port, statusPort: status.port });
    await untilAborted(stopped);
  } finally {
    for (const each of opened) {
      await each.close();
    }
  }
}

function brokerOptions({ broker }: RelayConfig): BrokerOptions {
  const { url, username, password, caFile } = broker;
  return {
    url: new URL(url),
    tls: { ca: caFile === undefined ? null : readOptionFile(caFile, 'broker.caFile'), client: null },
    login: username === undefined ? null : { username, password: password ?? null },
    session: { clientId: `latchkey-relay-${randomUUID()}`, expirySeconds: 0, receiveAtMost: 1 },
    will: null,
    subscriptions: [],
  };
}

/** One line for each loss and each return. */
function logChanges(carrier: Carrier, log: Log): void {
  let reported = '';
  carrier.subscribeState((state) => {
    if (state.kind === 'connected') {
      reported = '';
      log.info('Connected to the broker.');
    } else if (state.kind === 'waiting' && state.reason !== reported) {
      reported = state.reason;
      log.warn(`No broker: ${state.reason} Deliveries are answered with 503 until it is back.`);
    }
  });
}

function unready({ kind }: CarrierState): string | null {
  return kind === 'connected' ? null : 'no-broker';
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener(
    'abort',
    () => {
      resolve();
    },
    { once: true },
  );
  if (!signal.aborted) {
    await promise;
  }
}
