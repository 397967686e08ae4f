// Measures what the simulator promises: it starts in under 0.5 s, lists 1,000 locks in under 50 ms, and answers 5,000
// device reads a second. Build first, for the start is that of the built command; then `node test/bench/simulator.ts`.
// Ends with status 1 when a figure is missed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Pool } from 'undici';
import { z } from 'zod';
import { type Simulator, startSimulator } from '../../src/simulator/partner-server.ts';

const READS = 10_000;
const CONNECTIONS = 16;
const LISTS = 20;

interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** The promise; `atLeast` for what should be large. */
  readonly limit: number;
  readonly atLeast?: boolean;
}

/** From the start of the built command's process, Node's own start and the signing key included, to the printed line. */
async function measureStart(): Promise<Figure> {
  const entry = new URL('../../dist/simulator/simulate.js', import.meta.url).href;
  const startedAt = performance.now();
  const child = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `process.exitCode = await (await import('${entry}')).simulate({})`,
  ]);
  await once(createInterface(child.stdout), 'line');
  const value = performance.now() - startedAt;
  child.kill('SIGTERM');
  await once(child, 'exit');
  return { what: 'start', value, unit: 'ms', limit: 500 };
}

async function link(simulator: Simulator): Promise<Record<string, string>> {
  const [client] = simulator.clients;
  if (client === undefined) {
    throw new Error('There is no client');
  }
  const { clientId, clientSecret, subscriptionKeys } = client;
  const redirectUri = client.redirectUris[0] ?? '';
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'email openid',
  });
  const consent = await fetch(`${simulator.authUrl}/OAuth2/authorize?${query.toString()}`, {
    redirect: 'manual',
  });
  const answer = await fetch(`${simulator.authUrl}/OAuth2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uri: redirectUri,
      code: new URL(consent.headers.get('location') ?? '').searchParams.get('code') ?? '',
    }),
  });
  const { access_token } = z.object({ access_token: z.string() }).parse(await answer.json());
  return { authorization: `Bearer ${access_token}`, 'vendor-subscription-key': subscriptionKeys[0] };
}

async function read(pool: Pool, path: string, headers: Record<string, string>): Promise<void> {
  const { statusCode, body } = await pool.request({ method: 'GET', path, headers });
  await body.dump({ limit: 10_000_000 });
  if (statusCode !== 200) {
    throw new Error(`${path} answered ${String(statusCode)}`);
  }
}

async function measureList(): Promise<Figure> {
  const locks = Array.from({ length: 1000 }, (_, index) => ({
    name: `Lock ${String(index)}`,
    type: 'WifiDeadbolt' as const,
    roles: { resident: 'owner' },
  }));
  const simulator = await startSimulator({
    scenario: { locks },
    authorization: { autoApproveUserId: 'resident' },
  });
  const pool = new Pool(simulator.url, { connections: 1 });
  try {
    const headers = await link(simulator);
    const times: number[] = [];
    for (let index = 0; index < LISTS; index += 1) {
      const startedAt = performance.now();
      await read(pool, '/api/locks/devices', headers);
      times.push(performance.now() - startedAt);
    }
    const value = times.sort((left, right) => left - right)[Math.floor(LISTS / 2)] ?? Number.NaN;
    return { what: 'list of 1,000 locks (median)', value, unit: 'ms', limit: 50 };
  } finally {
    await pool.close();
    await simulator.close();
  }
}

/** Client and simulator share one process and one core here, so that the simulator alone is faster than this. */
async function measureReads(): Promise<Figure> {
  const simulator = await startSimulator({ authorization: { autoApproveUserId: 'resident' } });
  const pool = new Pool(simulator.url, { connections: CONNECTIONS });
  try {
    const headers = await link(simulator);
    const path = `/api/locks/devices/${simulator.world.deviceIds()[0] ?? ''}`;
    let left = READS;
    const startedAt = performance.now();
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        for (; left > 0; left -= 1) {
          await read(pool, path, headers);
        }
      }),
    );
    const value = READS / ((performance.now() - startedAt) / 1000);
    return { what: 'device reads', value, unit: '1/s', limit: 5000, atLeast: true };
  } finally {
    await pool.close();
    await simulator.close();
  }
}

for (const measure of [measureStart, measureList, measureReads]) {
  const { what, value, unit, limit, atLeast = false } = await measure();
  const kept = atLeast ? value >= limit : value < limit;
  console.log(
    `${kept ? 'ok  ' : 'MISS'} ${what}: ${value.toFixed(1)} ${unit} (${atLeast ? 'at least' : 'under'} ${String(limit)})`,
  );
  if (!kept) {
    process.exitCode = 1;
  }
}
