// Deliveries to many homes at once: through a relay, as the service sends them, and what runs beside that.
import { generateKeyPairSync } from 'node:crypto';
import type { Load, Sent } from '../../../test/bench/load-generator.ts';
import { startWorker } from '../../../test/bench/worker.ts';
import { requestBytes } from '../../../test/support/signed-events.ts';
import { type BenchBroker, startRelay } from './relay-program.ts';

export const BODY = Buffer.from(JSON.stringify({ eventId: 'e-1', note: 'x'.repeat(300) }));
export const AT_A_TIME = 64;
/** A broker that saves at every change is slow with many sessions. */
export const LONGEST_MS = 20_000;
const MS_PER_SECOND = 1_000;

export interface HomesLoad {
  readonly homes: readonly string[];
  /** Deliveries of each way. */
  readonly load: number;
}

export interface Relayed extends Sent {
  /** Those that were answered with 204. */
  readonly relayed: number;
  /** Of the relay, in milliseconds. */
  readonly cpuMs: number;
}

let lastId = 0;

/** By requests to a relay of its own. Each request differs, because a cluster would store equal ones once. */
export async function deliver(
  broker: BenchBroker,
  folder: string,
  { homes, load }: HomesLoad,
  connections = AT_A_TIME,
): Promise<Relayed> {
  const relay = await startRelay(folder, broker);
  const generator = startWorker(new URL('../../../test/bench/load-generator.ts', import.meta.url));
  try {
    const { x = '' } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' });
    const requests = Array.from({ length: load }, (_, at) => {
      lastId += 1;
      const headers = { 'content-type': 'application/json', 'webhook-signature': String(lastId) };
      return requestBytes(relay.pathOf(homeAt(homes, at), x), { headers, body: BODY });
    });
    const cpuBefore = relay.cpuMs();
    const order = { port: relay.port, connections, requests, withinMs: LONGEST_MS } satisfies Load;
    const sent = (await generator.ask(order)) as Sent;
    return { ...sent, relayed: sent.statuses['204'] ?? 0, cpuMs: relay.cpuMs() - cpuBefore };
  } finally {
    generator.end();
    await relay.close();
  }
}

/** The home of this number, counted on from the first one after the last. */
export function homeAt(homes: readonly string[], at: number): string {
  return homes[at % homes.length] ?? '';
}

/** Runs `act` so many times, or for the longest time; resolves with how often, after how long, and the time of each. */
export async function inParallel(
  count: number,
  act: (at: number) => Promise<unknown>,
  longestMs = 300_000,
): Promise<Pick<Sent, 'tookMs' | 'latenciesMs'>> {
  const latenciesMs: number[] = [];
  const startedAt = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: AT_A_TIME }, async () => {
      while (next < count && performance.now() < startedAt + longestMs) {
        next += 1;
        const sentAt = performance.now();
        await act(next - 1);
        latenciesMs.push(performance.now() - sentAt);
      }
    }),
  );
  return { tookMs: performance.now() - startedAt, latenciesMs };
}

export function perSecond(count: number, tookMs: number): number {
  return (count * MS_PER_SECOND) / tookMs;
}
