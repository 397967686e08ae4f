// The doctor finds each fault that is planted in a linked account, with its grade and a remedy, and nothing else.
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { accountPlace } from '../../../../src/app/account/place.ts';
import { freePort } from '../../../harness/free-port.ts';
import { platformBlock, SimulatedHome } from '../../../homes/simulated-home.ts';
import { begin, writeConfig } from '../terminal.ts';

const findings = z.array(
  z.object({ check: z.string(), grade: z.string(), what: z.string(), advice: z.string().nullable() }),
);

const WARNED = 10;
const BROKEN = 11;
const PUBLIC_URL = 'https://home.example';

/** An account that was linked by a plugin which has ended. */
async function linkedHome(): Promise<SimulatedHome> {
  const home = await SimulatedHome.linked();
  writeConfig(home, {});
  await home.app.dispose();
  return home;
}

/** The status, and what is not well, as "grade check: what"; each has its remedy. */
async function examine(home: SimulatedHome) {
  const { status, out } = await home.answered(begin(home, ['doctor', '--json'], home.clock).ended);
  const bad = findings.parse(JSON.parse(out)).filter(({ grade }) => grade === 'warning' || grade === 'fault');
  expect(bad.filter(({ advice }) => advice === null)).toEqual([]);
  return { status, complaints: bad.map(({ check, grade, what }) => `${grade} ${check}: ${what}`) };
}

/** A port that another program listens at. */
async function takenPort(): Promise<number> {
  const port = await freePort();
  const server = createServer().listen(port, '127.0.0.1');
  onTestFinished(() => {
    server.close();
  });
  await new Promise((resolve) => {
    server.once('listening', resolve);
  });
  return port;
}

interface Fault {
  readonly fault: string;
  readonly plant: (home: SimulatedHome) => unknown;
  readonly status: number;
  readonly complaint: RegExp;
}

const partner = (home: SimulatedHome, changed: Readonly<Record<string, unknown>>): void => {
  writeConfig(home, { partner: { ...platformBlock(home.simulator).partner, ...changed } });
};

const FAULTS: readonly Fault[] = [
  {
    fault: 'an option of the wrong kind',
    plant: (home) => {
      writeConfig(home, { polling: { idleSeconds: 'fast' } });
    },
    status: BROKEN,
    complaint: /^fault configuration: polling\.idleSeconds: must be/u,
  },
  {
    fault: 'a database that others may read',
    plant: ({ folder }) => {
      chmodSync(accountPlace(folder, { name: 'Latchkey', storagePath: null }).databaseFile, 0o644);
    },
    status: WARNED,
    complaint: /^warning storage: .*latchkey\.db has mode 644 instead of 600\.$/u,
  },
  {
    fault: 'a link that the person has revoked',
    plant: async (home) => home.control('house/revoke', { userId: 'resident' }),
    status: BROKEN,
    complaint: /^fault link: The account is disconnected by the service\.$/u,
  },
  {
    fault: 'a client secret that the service does not know',
    plant: (home) => {
      partner(home, { clientSecret: 'of-another' });
    },
    status: BROKEN,
    complaint: /^fault authorization server: The service does not know this client/u,
  },
  {
    fault: 'one subscription key that is no longer good, while the other is',
    plant: (home) => {
      partner(home, {
        subscriptionKeys: [home.simulator.clients[0]?.subscriptionKeys[0], 'worn-out'],
      });
    },
    status: WARNED,
    complaint: /^warning subscription key 2: The service does not take it; the other one works\.$/u,
  },
  {
    fault: 'credentials that nobody has entered',
    plant: (home) => {
      partner(home, { clientSecret: undefined, subscriptionKeys: [] });
    },
    status: BROKEN,
    complaint: /^fault credentials: Missing: partner\.clientSecret, partner\.subscriptionKeys\.$/u,
  },
  {
    fault: 'a clock that is ten minutes off',
    plant: async (home) =>
      home.control('house/inject-fault', { kind: 'clock-skew', offsetMs: -600_000, often: 'always' }),
    status: WARNED,
    complaint: /^warning clock: This machine's clock is (599|600|601) s ahead of the service's\.$/u,
  },
  {
    fault: 'a webhook port that another program has',
    plant: async (home) => {
      writeConfig(home, { webhooks: { enabled: true, port: await takenPort(), publicUrl: PUBLIC_URL } });
    },
    status: BROKEN,
    complaint: /^fault webhooks\.port: Port \d+ is taken by/u,
  },
  {
    fault: 'a port of the pages that another program has',
    plant: async (home) => {
      writeConfig(home, { panel: { enabled: true, port: await takenPort() } });
    },
    status: BROKEN,
    complaint: /^fault panel\.port: Port \d+ is taken by/u,
  },
];

describe('latchkey doctor', () => {
  it('finds nothing where nothing is wrong', async () => {
    const home = await linkedHome();
    writeConfig(home, { webhooks: { enabled: true, port: await freePort(), publicUrl: PUBLIC_URL } });
    expect(await examine(home)).toEqual({ status: 0, complaints: [] });
  });

  it.each(FAULTS)('finds $fault', async ({ plant, status, complaint }) => {
    const home = await linkedHome();
    await plant(home);
    const found = await examine(home);
    expect(found).toEqual({ status, complaints: [expect.stringMatching(complaint)] });
  });

  it('finds a device interface that cannot be reached', async () => {
    const home = await linkedHome();
    partner(home, { baseUrl: `http://127.0.0.1:${String(await freePort())}` });
    const found = await examine(home);
    expect(found.status).toBe(BROKEN);
    expect(found.complaints).toContain('fault device interface: The service could not be reached.');
  });

  it('finds two accounts on one bridge', async () => {
    const home = await linkedHome();
    const block = platformBlock(home.simulator);
    const platforms = [block, { ...block, name: 'Beach house' }];
    writeFileSync(join(home.folder, 'config.json'), JSON.stringify({ platforms }));
    const { status, out } = await begin(home, ['doctor', '--account', 'beach'], home.clock).ended;
    expect([status, out]).toEqual([BROKEN, expect.stringContaining('2 accounts share the main bridge')]);
  });

  it.each([
    ['has no platform "Latchkey"', JSON.stringify({ platforms: [] })],
    ['is not valid JSON', ''],
  ])('finds that config.json %s', async (complaint, config) => {
    const home = await linkedHome();
    writeFileSync(join(home.folder, 'config.json'), config);
    expect((await examine(home)).complaints).toEqual([expect.stringContaining(complaint)]);
  });
});
