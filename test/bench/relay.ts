// What a relay costs: a webhook through relay and broker against a listener of the home's own.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRelayInbox } from '../../src/app/relay-connection.ts';
import { ServiceTime } from '../../src/cloud/service-time.ts';
import { toConfig } from '../../src/config/config.ts';
import { optionTable } from '../../src/config/option-table.ts';
import { readEnrolment } from '../../src/config/relay-enrolment.ts';
import { enrolHome } from '../../src/relay/enrol-home.ts';
import { runRelay } from '../../src/relay/relay.ts';
import { signBody } from '../../src/simulator/webhooks/signature.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { systemClock } from '../../src/support/clock.ts';
import { silentLog } from '../../src/support/log.ts';
import { type Listener, startListener } from '../../src/webhook/listener.ts';
import { freePort } from '../harness/free-port.ts';
import { hasMosquitto, type Mosquitto, startMosquitto } from '../harness/mosquitto.ts';
import { compared, type Figure } from './figures.ts';
import { DURABLE, measureHomes, QUICK_TO_LOSE } from './relay-homes.ts';

export interface RelayRounds {
  /** One after the other, to one home. */
  readonly deliveries: number;
  /** Homes on one broker, and deliveries to them. */
  readonly homes: number;
  readonly load: number;
}

/** The goal of a person who looks at Home: half a second; what Home adds is measured with webhooks. */
const MOST_P99_MS = 250;
const WARM_UP = 20;

export async function measureRelay(rounds: RelayRounds): Promise<readonly Figure[]> {
  if (!hasMosquitto) {
    return [];
  }
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-relay-'));
  try {
    const figure = await withBroker(join(folder, 'one'), DURABLE, async (broker) =>
      measureOne(join(folder, 'one'), broker, rounds.deliveries),
    );
    const homes: Figure[] = [];
    for (const [name, lines] of [
      ['saved at every change', DURABLE],
      ['saved now and then', QUICK_TO_LOSE],
    ] as const) {
      const measured = await withBroker(join(folder, name.replaceAll(' ', '-')), lines, async (broker) =>
        measureHomes(broker, rounds, name),
      );
      homes.push(...measured);
    }
    return [figure, ...homes];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function withBroker<T>(
  folder: string,
  lines: readonly string[],
  act: (broker: Mosquitto) => Promise<T>,
): Promise<T> {
  mkdirSync(folder, { recursive: true });
  const broker = await startMosquitto({ folder: join(folder, 'broker'), lines });
  try {
    return await act(broker);
  } finally {
    await broker.stop();
  }
}

type Measure = (round: number) => Promise<number>;

async function measureOne(folder: string, broker: Mosquitto, count: number): Promise<Figure> {
  const pair = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const pem = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const port = await freePort();
  const stopping = new AbortController();
  const opened = Promise.withResolvers<void>();
  const config = {
    host: '127.0.0.1',
    port,
    statusHost: '127.0.0.1',
    statusPort: 0,
    publicUrl: `http://127.0.0.1:${String(port)}`,
    secrets: ['the secret of all relays behind one balancer'],
    broker: { url: broker.url.href },
    encrypt: true,
    signatureHeader: 'webhook-signature',
    origins: [],
    limits: { burst: 100_000, perMinute: 1_000_000, waiting: 1_000 },
    revoked: {},
    shared: null,
  };
  const relay = runRelay({
    config,
    clock: systemClock,
    log: silentLog,
    random: Math.random,
    stopped: stopping.signal,
    onOpen: () => {
      opened.resolve();
    },
  });
  await Promise.race([opened.promise, relay]);
  const { line } = enrolHome(config, { home: 'blue', generation: 1, withAddress: true });
  const relayed = await openHome(join(folder, 'relayed'), pem, line);
  const direct = await openHome(join(folder, 'direct'), pem, null);
  const sign = (body: Buffer): string =>
    signBody(body, { scheme: 'pss-sha256', jwsAlgorithm: 'PS256' }, pair.privateKey);
  const through = sender(relayed, readEnrolment(line)?.url ?? '', sign);
  const straight = sender(direct, `${direct.address}/hooks/bench`, sign);
  const samples = await inTurns(count, through, straight);
  stopping.abort();
  await Promise.all([relay, relayed.close(), direct.close()]);
  return compared(
    {
      name: 'webhook to the account through a relay (limit: to a listener)',
      unit: 'ms',
      goal: `p99 at most ${String(MOST_P99_MS)} ms`,
    },
    samples,
    ({ p99 }) => p99 <= MOST_P99_MS,
  );
}

/** Both with a ledger on the disk. `line`: null opens a listener. */
async function openHome(folder: string, pem: string, line: string | null): Promise<Listener> {
  mkdirSync(folder, { recursive: true });
  const clock = systemClock;
  const log = silentLog;
  const { ledger } = openStorage({
    path: join(folder, 'home.db'),
    clock,
    log,
    ownerId: randomUUID(),
    service: 'bench',
  });
  const keys = { keys: () => [pem], refresh: async () => Promise.resolve('current' as const) };
  if (line === null) {
    const method = { scheme: 'pss-sha256' } as const;
    const place = { host: '127.0.0.1', port: 0, path: '/hooks/bench', tls: null, callback: null };
    return startListener({
      ...place,
      method,
      signatureHeader: 'WebHook-Signature',
      keys,
      ledger,
      serviceClock: clock,
      clock,
      log,
    });
  }
  const options = optionTable.parse({
    webhooks: { enabled: true, via: 'relay', enrolment: line, keys: [pem] },
  });
  const { webhooks } = toConfig(options);
  if (webhooks === null || webhooks.relay === null) {
    throw new Error('The enrolment line cannot be read');
  }
  const callback = {
    redirectUri: 'http://127.0.0.1/',
    answer: async () => Promise.reject(new Error('Unused')),
  };
  return openRelayInbox(
    {
      webhooks,
      clients: { signingKeys: keys, serviceTime: new ServiceTime(clock) },
      storage: { ledger },
      linking: { callback },
      clock,
      log,
    },
    webhooks.relay,
  );
}

/** From the request to the event that the account hears. */
function sender(home: Listener, url: string, sign: (body: Buffer) => string): Measure {
  const waiting = new Map<string, () => void>();
  home.feed.subscribe(({ event }) => {
    waiting.get(event.eventId)?.();
  });
  return async () => {
    const eventId = randomUUID();
    const body = Buffer.from(
      JSON.stringify({
        eventId,
        eventType: 'DeviceUpdate',
        trigger: 'DeviceLockStateChanged',
        time: new Date().toISOString(),
        deviceId: 'front',
        data: { lockState: 'Locked' },
        version: '2.0',
      }),
    );
    const headers = { 'content-type': 'application/json', 'webhook-signature': sign(body) };
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.set(eventId, resolve);
    const startedAt = performance.now();
    const answered = fetch(url, { method: 'POST', body: new Uint8Array(body), headers });
    await promise;
    const tookMs = performance.now() - startedAt;
    const answer = await answered;
    await answer.arrayBuffer();
    waiting.delete(eventId);
    return tookMs;
  };
}

async function inTurns(
  count: number,
  ours: Measure,
  limit: Measure,
): Promise<{ readonly ours: number[]; readonly limit: number[] }> {
  const samples: { ours: number[]; limit: number[] } = { ours: [], limit: [] };
  for (let round = -WARM_UP; round < count; round += 1) {
    const [one, other] = [await ours(round), await limit(round)];
    if (round >= 0) {
      samples.ours.push(one);
      samples.limit.push(other);
    }
  }
  return samples;
}
