// Locks over Matter beside the same locks over HAP: the delays of events and commands, and the cost of Matter.
import type { KeyObject } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MatterHome } from '../harness/matter-home.ts';
import { newServiceKey } from '../support/signed-events.ts';
import { Contestant, type ContestantOptions, type Side, SMALL_COMPUTER } from './contestant.ts';
import { compared, type Figure } from './figures.ts';
import { joined, overMatter, type TruthRounds } from './matter-truth.ts';
import { Messenger } from './messenger.ts';

const MANY_LOCKS = 149;
const SOME_LOCKS = 10;
const ONLINE_WITHIN_MS = 90_000;
const WARM_UP = 10;

/** hap-nodejs holds events for a quarter of a second; Matter reports need not be later. */
const MOST_REPORT_P50_MS = 255;
const MOST_BEYOND_HAP_MS = 10;

/** What ours may take beyond Homebridge's own locks, in MB: as much as in HomeKit, and some for each lock (our choice). */
const MOST_EXTRA_MB = 25;
const MOST_EXTRA_PER_LOCK_MB = 0.1;
/** Most of a join is the controller's own work, which differs from run to run. */
const MOST_JOIN_RATIO = 1.5;

export interface MatterRounds {
  readonly reports: number;
  readonly commands: number;
  /** How long a process rests before its memory is read, in milliseconds. */
  readonly memoryAfterMs: number;
  readonly truth: TruthRounds;
}

type Options = Pick<ContestantOptions, 'folder' | 'pluginsFolder'>;

/** The delay of a turn to a controller, and of its command to the service, with as many locks as HomeKit takes. */
export async function measureMatterDelays(
  options: Options,
  rounds: MatterRounds,
): Promise<readonly Figure[]> {
  const { privateKey, publicKeyPem } = newServiceKey();
  const setting = {
    ...options,
    folder: `${options.folder}-delays`,
    locks: MANY_LOCKS,
    idleSeconds: 3_600,
    webhooks: { publicKeyPem, fastEvents: false },
  };
  return overMatter(setting, async (ours, home) => [
    await measureReports(ours, home, privateKey, rounds.reports),
    await measureCommands(ours, home, rounds.commands),
  ]);
}

/** One event, received by both: the controller of HAP waits for hap-nodejs's hold. */
async function measureReports(
  ours: Contestant,
  home: MatterHome,
  key: KeyObject,
  reports: number,
): Promise<Figure> {
  const messenger = new Messenger(ours, key);
  const samples: { ours: number[]; limit: number[] } = { ours: [], limit: [] };
  for (let round = 0; round < WARM_UP + reports; round += 1) {
    home.reports.length = 0;
    const { toHomeMs, elsewhereMs } = await messenger.turn(round, async ({ name, state }) => {
      const value = state === 'Locked' ? 1 : 2;
      return (await home.lock(name).reported('lockState', (reported) => reported === value)).at;
    });
    if (round >= WARM_UP) {
      samples.ours.push(elsewhereMs);
      samples.limit.push(toHomeMs);
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

interface Reading {
  readonly megabytes: number;
  /** From the first packet of a controller until it has subscribed, in milliseconds; null where no lock is shown. */
  readonly joinMs: number | null;
}

/**
 * The process of the child bridge: without Matter, with Homebridge's Matter and no lock on it, and with locks: the limit's,
 * which are Homebridge's own, and ours.
 */
export async function measureMatterMemory(
  options: {
    readonly folder: string;
    readonly pluginsFolders: { readonly ours: string; readonly limit: string };
  },
  rounds: MatterRounds,
): Promise<readonly Figure[]> {
  const measure = async (
    locks: number,
    side: Side,
    childBridge: NonNullable<ContestantOptions['childBridge']>,
  ): Promise<Reading> => {
    const folder = `${options.folder}-${side}-${childBridge}-${String(locks)}`;
    const pluginsFolder = options.pluginsFolders[side];
    const contestant = await Contestant.open({
      folder,
      pluginsFolder,
      side,
      locks,
      childBridge,
      nodeOptions: SMALL_COMPUTER,
    });
    if (childBridge !== 'plain') {
      await contestant.homebridge.line(/Matter server is now running/, ONLINE_WITHIN_MS);
    }
    await sleep(rounds.memoryAfterMs);
    const megabytes = childRssMb(contestant.homebridge.pid);
    const joinMs = childBridge === 'locks-over-matter' ? await timeToJoin(contestant) : null;
    await contestant.close();
    return { megabytes, joinMs };
  };
  const figures: Figure[] = [];
  for (const locks of [SOME_LOCKS, MANY_LOCKS]) {
    const without = await measure(locks, 'ours', 'plain');
    const empty = await measure(locks, 'ours', 'with-matter');
    const limit = await measure(locks, 'limit', 'locks-over-matter');
    const ours = await measure(locks, 'ours', 'locks-over-matter');
    figures.push(memoryFigure(locks, { without, empty, limit, ours }), joinFigure(locks, { limit, ours }));
  }
  return figures;
}

async function timeToJoin(contestant: Contestant): Promise<number> {
  const startedAt = performance.now();
  const home = await joined(contestant);
  const joinMs = performance.now() - startedAt;
  await home.close();
  return joinMs;
}

function memoryFigure(
  locks: number,
  readings: Readonly<Record<'without' | 'empty' | 'limit' | 'ours', Reading>>,
): Figure {
  const { without, empty, limit, ours } = readings;
  const extra = MOST_EXTRA_MB + MOST_EXTRA_PER_LOCK_MB * locks;
  const others = `ours without Matter ${without.megabytes.toFixed(0)}, with none over Matter ${empty.megabytes.toFixed(0)}`;
  return compared(
    {
      name: `memory of the child bridge, ${String(locks)} locks over Matter (limit: Homebridge's own; ${others})`,
      unit: 'MB',
      goal: `the limit's and ${extra.toFixed(0)} MB`,
    },
    { ours: [ours.megabytes], limit: [limit.megabytes] },
    () => ours.megabytes <= limit.megabytes + extra,
  );
}

function joinFigure(locks: number, { limit, ours }: Readonly<Record<'limit' | 'ours', Reading>>): Figure {
  return compared(
    {
      name: `new controller until it has subscribed, ${String(locks)} locks (limit: Homebridge's own)`,
      unit: 'ms',
      goal: `ratio at most ${String(MOST_JOIN_RATIO)}`,
    },
    { ours: [ours.joinMs ?? Number.NaN], limit: [limit.joinMs ?? Number.NaN] },
    (our, its) => our.p50 <= MOST_JOIN_RATIO * its.p50,
  );
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
