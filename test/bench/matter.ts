// Locks over Matter beside the same locks over HAP: how soon each hears and reaches the service, and what Matter takes.
import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'undici';
import type { MatterHome } from '../harness/matter-home.ts';
import { signed } from '../support/signed-events.ts';
import { Contestant, type ContestantOptions, WEBHOOK_PATH } from './contestant.ts';
import { compared, type Figure } from './figures.ts';
import { joined, measureTruth, type TruthRounds } from './matter-truth.ts';

const MANY_LOCKS = 149;
const SOME_LOCKS = 10;
const ONLINE_WITHIN_MS = 90_000;
const WARM_UP = 10;

/** hap-nodejs holds events for a quarter of a second; Matter reports need not be later. */
const MOST_REPORT_P50_MS = 255;
const MOST_BEYOND_HAP_MS = 10;

/** What our locks may add to Homebridge's own cost of Matter, in MB: some for the module, more for each lock (our choice). */
const MOST_BASE_MB = 25;
const MOST_PER_LOCK_MB = 0.5;

export interface MatterRounds {
  readonly reports: number;
  readonly commands: number;
  /** How long a process rests before its memory is read, in milliseconds. */
  readonly memoryAfterMs: number;
  readonly truth: TruthRounds;
}

type Options = Pick<ContestantOptions, 'folder' | 'pluginsFolder'>;

export async function measureMatter(options: Options, rounds: MatterRounds): Promise<readonly Figure[]> {
  const memory = await measureMemory(options, rounds.memoryAfterMs);
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const ours = await Contestant.open({
    ...options,
    folder: `${options.folder}-delays`,
    side: 'ours',
    locks: MANY_LOCKS,
    idleSeconds: 3_600,
    childBridge: 'locks-over-matter',
    webhooks: {
      publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      fastEvents: false,
    },
  });
  const home = await joined(ours);
  const delays = [
    await measureReports(ours, home, privateKey, rounds.reports),
    await measureCommands(ours, home, rounds.commands),
  ];
  await home.close();
  await ours.close();
  return [...delays, ...memory, ...(await measureTruth(options, rounds.truth))];
}

/** One event, heard by both: the controller of HAP waits for hap-nodejs's hold. */
async function measureReports(
  ours: Contestant,
  home: MatterHome,
  key: KeyObject,
  reports: number,
): Promise<Figure> {
  const messenger = new Client(`http://127.0.0.1:${String(ours.routePort)}`);
  const samples: { ours: number[]; limit: number[] } = { ours: [], limit: [] };
  for (let round = 0; round < WARM_UP + reports; round += 1) {
    const { id, name, current } = ours.lock(round);
    const state = ours.service.locks.get(id) === 'Locked' ? 'Unlocked' : 'Locked';
    ours.service.locks.set(id, state);
    const value = state === 'Locked' ? 1 : 0;
    const delivery = await signed({ id: randomUUID(), lockId: id, state, at: Date.now() }, key);
    home.reports.length = 0;
    const hap = ours.controller.heard({ [current]: value });
    const matter = home.lock(name).told('lockState', (told) => told === (value === 1 ? 1 : 2));
    const startedAt = performance.now();
    const { body } = await messenger.request({ method: 'POST', path: WEBHOOK_PATH, ...delivery });
    await body.dump();
    const [{ at }, heardAt] = await Promise.all([matter, hap]);
    if (round >= WARM_UP) {
      samples.ours.push(at - startedAt);
      samples.limit.push(heardAt - startedAt);
    }
  }
  await messenger.close();
  return compared(
    {
      name: 'webhook to its Matter report (limit: to its HAP event, held)',
      unit: 'ms',
      goal: `p50 at most ${String(MOST_REPORT_P50_MS)} ms`,
    },
    samples,
    ({ p50 }) => p50 <= MOST_REPORT_P50_MS,
  );
}

async function measureCommands(ours: Contestant, home: MatterHome, commands: number): Promise<Figure> {
  const samples: { ours: number[]; limit: number[] } = { ours: [], limit: [] };
  for (let round = 0; round < 2 * (WARM_UP + commands); round += 1) {
    const { id, name, target } = ours.lock(round);
    const toLocked = ours.service.locks.get(id) !== 'Locked';
    const arrival = ours.service.arrival(id);
    const rested = ours.service.rest(id);
    const startedAt = performance.now();
    const answered =
      round % 2 === 0
        ? home.lock(name).command(toLocked ? 'lockDoor' : 'unlockDoor')
        : ours.controller.write({ [target]: toLocked ? 1 : 0 });
    const { at } = await arrival;
    await Promise.all([answered, rested]);
    if (round >= 2 * WARM_UP) {
      samples[round % 2 === 0 ? 'ours' : 'limit'].push(at - startedAt);
    }
  }
  return compared(
    {
      name: 'Matter command to its arrival at the service (limit: HAP write)',
      unit: 'ms',
      goal: `p50 at most ${String(MOST_BEYOND_HAP_MS)} ms beyond HAP`,
    },
    samples,
    (matter, hap) => matter.p50 <= hap.p50 + MOST_BEYOND_HAP_MS,
  );
}

/** The process of the child bridge: without Matter, with Homebridge's Matter alone, and with our locks on it. */
async function measureMemory(options: Options, afterMs: number): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const locks of [SOME_LOCKS, MANY_LOCKS]) {
    const measure = async (childBridge: NonNullable<ContestantOptions['childBridge']>): Promise<number> => {
      const folder = `${options.folder}-${childBridge}-${String(locks)}`;
      const ours = await Contestant.open({ ...options, folder, side: 'ours', locks, childBridge });
      if (childBridge !== 'plain') {
        await ours.homebridge.line(/Matter server is now running/, ONLINE_WITHIN_MS);
      }
      await sleep(afterMs);
      const megabytes = childRssMb(ours.homebridge.pid);
      await ours.close();
      return megabytes;
    };
    const without = await measure('plain');
    const own = await measure('with-matter');
    const shown = await measure('locks-over-matter');
    const most = own + MOST_BASE_MB + MOST_PER_LOCK_MB * locks;
    figures.push(
      compared(
        {
          name: `memory of the child bridge, ${String(locks)} locks over Matter (limit: Matter on, locks in HomeKit alone; without Matter ${without.toFixed(0)})`,
          unit: 'MB',
          goal: `Homebridge's own and ${String(MOST_BASE_MB)} MB, and ${String(MOST_PER_LOCK_MB)} MB a lock`,
        },
        { ours: [shown], limit: [own] },
        () => shown <= most,
      ),
    );
  }
  return figures;
}

/** Resident set of the largest child process. Linux only; not a number elsewhere. */
function childRssMb(parent: number | undefined): number {
  const sizes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8');
        const isChild = status.includes(`PPid:\t${String(parent)}\n`);
        return isChild ? [Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1_000] : [];
      } catch {
        // The process has ended meanwhile.
        return [];
      }
    });
  return Math.max(...sizes);
}
