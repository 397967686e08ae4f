// The doctor reports each planted fault with its remedy.
import { chmodSync, readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { freePort } from '../../harness/free-port.ts';
import { HomebridgeProcess, installHomebridge } from '../../harness/homebridge.ts';
import { Household, type HouseholdOptions } from './household.ts';

const findings = z.array(
  z.object({ check: z.string(), grade: z.string(), what: z.string(), advice: z.string().nullable() }),
);

interface Examination {
  readonly status: number | null;
  /** What is not well, as "grade check: what". */
  readonly complaints: readonly string[];
}

const WARNED = 10;
const BROKEN = 11;

describe('latchkey doctor', () => {
  let household: Household;
  const endings: (() => Promise<void>)[] = [];

  beforeEach(async () => {
    household = await Household.open();
  });

  afterEach(async () => {
    for (const end of endings.splice(0)) {
      await end();
    }
    await household.leave();
  });

  async function examine(): Promise<Examination> {
    const doctor = household.latchkey('doctor', '--json');
    const status = await doctor.status();
    const found = findings.parse(JSON.parse(doctor.out));
    const bad = found.filter(({ grade }) => grade === 'warning' || grade === 'fault');
    expect(bad.filter(({ advice }) => advice === null)).toEqual([]);
    return { status, complaints: bad.map(({ check, grade, what }) => `${grade} ${check}: ${what}`) };
  }

  async function linkedWith(options: HouseholdOptions): Promise<Examination> {
    await household.link();
    household.configure(options);
    return examine();
  }

  async function occupied(): Promise<number> {
    const server: Server = createServer();
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    endings.push(
      async () =>
        new Promise((resolve) => {
          server.close(() => {
            resolve();
          });
        }),
    );
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  it('finds nothing where nothing is wrong, with and without an owner', async () => {
    const webhooks = { enabled: true, port: await freePort(), publicUrl: 'https://home.example' };
    expect(await linkedWith({ options: { webhooks } })).toEqual({ status: 0, complaints: [] });
    // An owner that receives would learn that its public address leads nowhere.
    household.configure({});
    await household.owner();
    expect(await examine()).toEqual({ status: 0, complaints: [] });
  });

  it('prints a line for each thing, with what to do', async () => {
    const doctor = household.latchkey('doctor');
    expect(await doctor.status()).toBe(BROKEN);
    expect(doctor.out).toMatch(/^ok {5}node {18}Node v\d+/mu);
    expect(doctor.out).toMatch(
      /^FAULT {2}link {18}The account is not linked\. Run: npx homebridge-latchkey link$/mu,
    );
  });

  it('1: an option of the wrong kind', async () => {
    const found = await linkedWith({ options: { polling: { idleSeconds: 'fast' } } });
    expect(found.status).toBe(BROKEN);
    expect(found.complaints).toEqual([
      expect.stringMatching(/^fault configuration: polling\.idleSeconds: must be/u),
    ]);
  });

  it('2: a database that others may read', async () => {
    await household.link();
    const folder = join(household.folder, 'latchkey');
    const [account = ''] = readdirSync(folder);
    chmodSync(join(folder, account, 'latchkey.db'), 0o644);
    const found = await examine();
    expect(found.status).toBe(WARNED);
    expect(found.complaints).toEqual([
      expect.stringMatching(/^warning storage: .*latchkey\.db has mode 644 instead of 600\.$/u),
    ]);
  });

  it('3: an owner that does not answer', async () => {
    await household.link();
    const owner = await household.owner();
    owner.child.kill('SIGSTOP');
    const found = await examine();
    owner.child.kill('SIGCONT');
    expect(found.status).toBe(BROKEN);
    expect(found.complaints).toEqual([
      `fault owner: Process ${String(owner.child.pid)} owns the account and does not answer.`,
    ]);
  });

  it('4: a link that the person has revoked', async () => {
    await household.link();
    await household.runtime('revoke', { userId: 'resident' });
    const found = await examine();
    expect(found.status).toBe(BROKEN);
    expect(found.complaints).toEqual(['fault link: The account is no longer accepted by the service.']);
  });

  it('5: a device interface that cannot be reached', async () => {
    const found = await linkedWith({ partner: { baseUrl: `http://127.0.0.1:${await freePort()}` } });
    expect(found.status).toBe(BROKEN);
    expect(found.complaints).toContain('fault device interface: The service could not be reached.');
  });

  it('6: a client secret that the service does not know', async () => {
    const found = await linkedWith({ partner: { clientSecret: 'of-another' } });
    expect(found.status).toBe(BROKEN);
    expect(found.complaints).toEqual([
      expect.stringMatching(/^fault authorization server: The service does not know this client/u),
    ]);
  });

  it('7: one subscription key that is no longer good, while the other is', async () => {
    const [good] = household.simulator.clients[0]?.subscriptionKeys ?? [];
    const found = await linkedWith({ partner: { subscriptionKeys: [good, 'worn-out'] } });
    expect(found.status).toBe(WARNED);
    expect(found.complaints).toEqual([
      'warning subscription key 2: The service does not take it; the other one works.',
    ]);
  });

  it('8: a clock that is ten minutes off', async () => {
    await household.link();
    await household.runtime('inject-fault', { kind: 'clock-skew', offsetMs: -600_000, often: 'always' });
    const found = await examine();
    expect(found.status).toBe(WARNED);
    expect(found.complaints).toEqual([
      expect.stringMatching(
        /^warning clock: This machine's clock is (599|600|601) s ahead of the service's\.$/u,
      ),
    ]);
  });

  it('9: a webhook port that another program has', async () => {
    const port = await occupied();
    const webhooks = { enabled: true, port, publicUrl: 'https://home.example' };
    const found = await linkedWith({ options: { webhooks } });
    expect(found.status).toBe(BROKEN);
    expect(found.complaints).toEqual([
      expect.stringMatching(new RegExp(`^fault webhooks\\.port: Port ${port} is taken by`, 'u')),
    ]);
  });

  it('10: a port of the pages that another program has', async () => {
    const port = await occupied();
    const found = await linkedWith({ options: { panel: { enabled: true, port } } });
    expect(found.status).toBe(BROKEN);
    expect(found.complaints).toContainEqual(
      expect.stringMatching(new RegExp(`^fault panel\\.port: Port ${port} is taken by`, 'u')),
    );
  });

  it('11: Homebridge in insecure mode, asked as a stranger would (faults#77)', async () => {
    await household.link();
    const { pluginsFolder } = inject('packed');
    const installation = await installHomebridge({
      storeFolder: join(household.folder, 'homebridge'),
      pluginsFolder,
      platform: { platform: 'none' },
    });
    household.configure({ whole: { bridge: { port: installation.bridge.port } } });
    const insecure = await HomebridgeProcess.start(installation, { insecure: true });
    endings.push(async () => insecure.stop());
    const found = await examine();
    expect(found.status).toBe(WARNED);
    expect(found.complaints).toEqual(['warning insecure mode: Homebridge runs in insecure mode.']);
    await insecure.stop();
    const secure = await HomebridgeProcess.start(installation);
    endings.push(async () => secure.stop());
    expect(await examine()).toEqual({ status: 0, complaints: [] });
  });

  it('12: two accounts on one bridge', async () => {
    await household.link();
    const block = { platform: 'Latchkey', name: 'Latchkey' };
    household.write({ platforms: [block, { ...block, name: 'Beach house' }] });
    const doctor = household.latchkey('doctor', '--account', 'beach');
    expect(await doctor.status()).toBe(BROKEN);
    expect(doctor.out).toContain('2 accounts share the main bridge');
  });

  it('13: no configuration at all, or none that is JSON', async () => {
    household.write({ platforms: [] });
    expect((await examine()).complaints).toEqual([expect.stringContaining('has no platform "Latchkey"')]);
    household.write(undefined);
    expect((await examine()).complaints).toEqual([expect.stringContaining('is not valid JSON')]);
  });

  it('14: an owner that was killed', async () => {
    await household.link();
    const owner = await household.owner();
    owner.child.kill('SIGKILL');
    await owner.status();
    const found = await examine();
    expect(found.status).toBe(WARNED);
    expect(found.complaints).toEqual([
      `warning owner: Process ${String(owner.child.pid)} owned the account and ended without giving it back.`,
    ]);
  });

  it('15: credentials that nobody has entered', async () => {
    household.configure({ partner: { clientSecret: undefined, subscriptionKeys: [] } });
    expect(await examine()).toEqual({
      status: BROKEN,
      complaints: ['fault credentials: Missing: partner.clientSecret, partner.subscriptionKeys.'],
    });
  });
});
