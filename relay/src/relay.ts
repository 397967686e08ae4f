// Runs a relay until it is stopped: it has no state of its own, so that any number may run behind a load balancer.
import type { CarrierState } from '../../src/carrier/carrier.ts';
import { messageOf } from '../../src/support/errors.ts';
import type { Log } from '../../src/support/log.ts';
import { startStatusServer } from '../../src/support/server/status-server.ts';
import { inEnglish, t } from '../../src/words/translate.ts';
import { LiveConfig } from './live-config.ts';
import { type BrokerParts, openBroker } from './open-broker.ts';
import type { RelayBroker } from './relay-broker.ts';
import type { RelayConfig } from './relay-config.ts';
import { type DeliveryTarget, HomeDeliveries } from './relay-delivery.ts';
import { RelayFigures } from './relay-figures.ts';
import { startRelayServer } from './relay-server.ts';

export interface RelayParts extends BrokerParts {
  readonly config: RelayConfig;
  /** Aborted by the system's request to stop. */
  readonly stopped: AbortSignal;
  /** Called at once with what reads the configuration anew, which a signal may then call. */
  readonly onRereadable?: (reread: () => void) => void;
  /** Reads the file again. Throws as at the start. */
  readonly read?: () => RelayConfig;
  /** Called with the ports once requests are answered. */
  readonly onOpen?: (ports: { readonly port: number; readonly statusPort: number }) => void;
}

/** Resolves once the relay was stopped and everything is closed. Rejects when it cannot be started. */
export async function runRelay(parts: RelayParts): Promise<void> {
  const { config: first, clock, log, random, stopped, onOpen } = parts;
  const config = new LiveConfig(first);
  const broker = await openBroker(config, { clock, random, log });
  logChanges(broker, log);
  const deliveries = new HomeDeliveries(broker, config, { clock, log });
  const figures = new RelayFigures(clock);
  const opened: { close(): Promise<void> }[] = [broker];
  try {
    const isRevoked = (target: DeliveryTarget): boolean => broker.isRevoked?.(target) ?? false;
    const server = await startRelayServer({ config, deliveries, figures, clock, isRevoked });
    opened.unshift(server);
    const status = await startStatusServer({
      host: first.statusHost,
      port: first.statusPort,
      unready: async () => Promise.resolve(unready(broker.state)),
      metrics: async () =>
        Promise.resolve([
          ...figures.metrics(deliveries.waiting, broker.state),
          ...(broker.metrics?.() ?? []),
        ]),
    });
    opened.unshift(status);
    log.info(
      `The relay listens at http://${first.host}:${String(server.port)}; health, readiness and figures are at http://${first.statusHost}:${String(status.port)}.`,
    );
    parts.onRereadable?.(() => reread(parts, config, broker));
    onOpen?.({ port: server.port, statusPort: status.port });
    await untilAborted(stopped);
  } finally {
    for (const each of opened) {
      await each.close();
    }
  }
}

/** Never throws: a file with faults changes nothing. */
function reread({ read, log }: RelayParts, config: LiveConfig, broker: RelayBroker): void {
  if (read === undefined) {
    return;
  }
  try {
    const unchanged = config.take(read());
    broker.reread?.();
    log.info('The configuration was read again.');
    if (unchanged.length > 0) {
      log.warn(`Restart the relay for its new values of: ${unchanged.join(', ')}.`);
    }
  } catch (error) {
    log.error(`The relay goes on as before. ${messageOf(error)}`);
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
