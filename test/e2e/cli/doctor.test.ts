// The doctor beside real processes: an owner in every state, and Homebridge in insecure mode.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { HomebridgeProcess, installHomebridge } from '../../harness/homebridge.ts';
import { Household } from './household.ts';

const findings = z.array(
  z.object({ check: z.string(), grade: z.string(), what: z.string(), advice: z.string().nullable() }),
);

interface Examination {
  readonly status: number | null;
  /** The findings that are not fine, as "grade check: what". */
  readonly complaints: readonly string[];
}

const WELL: Examination = { status: 0, complaints: [] };
const WARNED = 10;
const BROKEN = 11;

describe('latchkey doctor', () => {
  let household: Household;
  const endings: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    household = await Household.open();
  });

  afterAll(async () => {
    for (const end of endings) {
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

  it('prints a line for each finding, with the next step', async () => {
    const doctor = household.latchkey('doctor');
    expect(await doctor.status()).toBe(BROKEN);
    expect(doctor.out).toMatch(/^ok {5}node {18}Node v\d+/mu);
    expect(doctor.out).toMatch(
      /^FAULT {2}link {18}The account is not connected\. Run: npx homebridge-latchkey link$/mu,
    );
  });

  it('finds Homebridge in insecure mode, asked as a stranger would, and nothing otherwise (faults#77)', async () => {
    await household.link();
    const installation = await installHomebridge({
      storeFolder: join(household.folder, 'homebridge'),
      pluginsFolder: inject('packed').pluginsFolder,
      platform: { platform: 'none' },
    });
    household.configure({ whole: { bridge: { port: installation.bridge.port } } });
    const insecure = await HomebridgeProcess.start(installation, { insecure: true });
    endings.push(async () => insecure.stop());
    expect(await examine()).toEqual({
      status: WARNED,
      complaints: ['warning insecure mode: Homebridge runs in insecure mode.'],
    });
    await insecure.stop();
    const secure = await HomebridgeProcess.start(installation);
    endings.push(async () => secure.stop());
    expect(await examine()).toEqual(WELL);
    await secure.stop();
    household.configure({});
  });

  it('tells an owner that is well from one that does not answer, and from one that was killed', async () => {
    const { child, ended } = await household.owner();
    expect(await examine()).toEqual(WELL);
    child.kill('SIGSTOP');
    expect(await examine()).toEqual({
      status: BROKEN,
      complaints: [`fault owner: Process ${String(child.pid)} owns the account and does not answer.`],
    });
    child.kill('SIGKILL');
    await ended;
    expect(await examine()).toEqual({
      status: WARNED,
      complaints: [
        `warning owner: Process ${String(child.pid)} owned the account and ended without giving it back.`,
      ],
    });
  });
});
