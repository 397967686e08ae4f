// Runs a relay until it is stopped: it has no state of its own, so that any number may run behind a load balancer.
import type { CarrierState } from '../carrier/carrier.ts';
import type { Log } from '../support/log.ts';
import { startStatusServer } from '../support/server/status-server.ts';
import { inEnglish, t } from '../words/translate.ts';
import { type BrokerParts, openBroker } from './open-broker.ts';
import type { RelayBroker } from './relay-broker.ts';
import type { RelayConfig } from './relay-config.ts';
import { HomeDeliveries } from './relay-delivery.ts';
import { RelayFigures } from './relay-figures.ts';
import { startRelayServer } from './relay-server.ts';

export interface RelayParts extends BrokerParts {
  readonly config: RelayConfig;
  /** Aborted by the system's request to stop. */
  readonly stopped: AbortSignal;
  /** Called with the ports once requests are answered. */
  readonly onOpen?: (ports: { readonly port: number; readonly statusPort: number }) => void;
}

/** Resolves once the relay was stopped and everything is closed. Rejects when it cannot be started. */
export async function runRelay(parts: RelayParts): Promise<void> {
  const { config, clock, log, random, stopped, onOpen } = parts;
  const broker = await openBroker(config, { clock, random, log });
  logChanges(broker, log);
  const deliveries = new HomeDeliveries(broker, config, clock);
  const figures = new RelayFigures(clock);
  const opened: { close(): Promise<void> }[] = [broker];
  try {
    const server = await startRelayServer({ config, deliveries, figures, clock });
    opened.unshift(server);
    const status = await startStatusServer({
      host: config.statusHost,
      port: config.statusPort,
      unready: async () => Promise.resolve(unready(broker.state)),
      metrics: async () => Promise.resolve(figures.metrics(deliveries.waiting, broker.state)),
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

/** Writes one line for each loss and each return of the broker. */
function logChanges(broker: RelayBroker, log: Log): void {
  let reported = '';
  broker.subscribeState((state) => {
    if (state.kind === 'connected') {
      reported = '';
      log.info('Connected to the broker.');
    } else if (state.kind === 'waiting') {
      // The relay logs in English, whatever language the machine speaks.
      const reason = inEnglish(() => t(state.reason));
      if (reason !== reported) {
        reported = reason;
        log.warn(`No broker: ${reason} Deliveries are answered with 503 until it is back.`);
      }
    }
  });
}

function unready({ kind }: CarrierState): string | null {
  return kind === 'connected' ? null : 'no-broker';
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  if (!signal.aborted) {
    await promise;
  }
}
