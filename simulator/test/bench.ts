// Measures the promises of the simulator: it starts in under 0.5 s, lists 1,000 locks in under 50 ms, answers 5,000
// device reads a second, and lives a busy day of 100 locks in under 10 s. Run by `npm run bench:simulator`, which builds
// first, for the start is that of the built program. Ends with status 1 when a figure is missed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { z } from 'zod';
import { percentile } from '../../test/bench/figures.ts';
import { consent, control, partnerOptions } from '../../test/stand-ins/service/simulated.ts';
import { type Simulator, startSimulator } from '../src/partner-server.ts';

const READS = 10_000;
const CONNECTIONS = 16;
const LISTS = 20;
const STARTS = 5;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const STEP_MS = 5 * MINUTE_MS;

interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** The promise; `atLeast` for what should be large. */
  readonly limit: number;
  readonly atLeast?: boolean;
}

const median = (values: readonly number[]): number => percentile(values, 0.5);

/** Doors of one person, as a scenario has them. */
function doors(count: number, more: object = {}) {
  return Array.from({ length: count }, (_, index) => ({
    name: `Lock ${String(index)}`,
    type: 'WifiDeadbolt' as const,
    roles: { resident: 'owner' as const },
    ...more,
  }));
}

/** From the start of the built program's process, Node's own start and the signing key included, to the printed line. */
async function measureStart(): Promise<Figure> {
  const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
  const times: number[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    const startedAt = performance.now();
    const child = spawn(process.execPath, [program, 'simulate'], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(createInterface(child.stdout), 'line');
    times.push(performance.now() - startedAt);
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  return {
    what: '`npx homebridge-latchkey simulate` starts (median)',
    value: median(times),
    unit: 'ms',
    limit: 500,
  };
}

async function link(simulator: Simulator): Promise<Record<string, string>> {
  const { clientId, clientSecret, subscriptionKeys = [], redirectUri = '' } = partnerOptions(simulator);
  const client = { client_id: clientId ?? '', redirect_uri: redirectUri };
  const query = new URLSearchParams({ ...client, response_type: 'code', scope: 'email openid' });
  const redirected = await consent(`${simulator.authUrl}/OAuth2/authorize?${query.toString()}`);
  const answer = await fetch(`${simulator.authUrl}/OAuth2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      ...client,
      client_secret: clientSecret ?? '',
      grant_type: 'authorization_code',
      code: new URL(redirected).searchParams.get('code') ?? '',
    }),
  });
  const { access_token } = z.object({ access_token: z.string() }).parse(await answer.json());
  return { authorization: `Bearer ${access_token}`, 'vendor-subscription-key': subscriptionKeys[0] ?? '' };
}

async function read(pool: Pool, path: string, headers: Record<string, string>): Promise<void> {
  const { statusCode, body } = await pool.request({ method: 'GET', path, headers });
  await body.dump({ limit: 10_000_000 });
  if (statusCode !== 200) {
    throw new Error(`${path} answered ${String(statusCode)}`);
  }
}

async function measureList(): Promise<Figure> {
  const simulator = await startSimulator({
    scenario: { locks: doors(1_000) },
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
    return { what: 'list of 1,000 locks (median)', value: median(times), unit: 'ms', limit: 50 };
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

/** Every lock is used every five minutes, by command, code, hand and a wrong code in turn, and relocks by itself. */
async function measureDay(): Promise<Figure> {
  const simulator = await startSimulator({
    scenario: {
      locks: doors(100, {
        accessCodes: [{ name: 'Resident', code: '1234' }],
        settings: { autoRelockMs: 2 * MINUTE_MS, scheduledLockAt: '22:00' },
      }),
    },
  });
  const { world, controlUrl } = simulator;
  const acts = [
    (door: string) => world.submitCommand('resident', door, 'ChangeLockState', { lockState: 'Unlocked' }),
    (door: string) => world.typeCode(door, '1234'),
    (door: string) => world.turnThumbturn(door),
    (door: string) => world.typeCode(door, '9999'),
  ];
  let happened = 0;
  world.onEvent(() => {
    happened += 1;
  });
  const startedAt = performance.now();
  for (let round = 0; round < DAY_MS / STEP_MS; round += 1) {
    for (const [index, door] of world.deviceIds().entries()) {
      acts[(round + index) % acts.length]?.(door);
    }
    await control(controlUrl, 'time/advance', { ms: STEP_MS });
  }
  const value = (performance.now() - startedAt) / 1000;
  await simulator.close();
  return {
    what: `24 hours of 100 locks, ${happened.toLocaleString('en')} events`,
    value,
    unit: 's',
    limit: 10,
  };
}

for (const measure of [measureStart, measureList, measureReads, measureDay]) {
  const { what, value, unit, limit, atLeast = false } = await measure();
  const kept = atLeast ? value >= limit : value < limit;
  console.log(
    `${kept ? 'ok  ' : 'MISS'} ${what}: ${value.toLocaleString('en', { maximumFractionDigits: 1 })} ${unit} (${atLeast ? 'at least' : 'under'} ${limit.toLocaleString('en')})`,
  );
  if (!kept) {
    process.exitCode = 1;
  }
}
