// Whether Matter ever gets "Locked" of an open door: commands that fail, and restarts with a cache that says Locked.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MatterHome, matterBridgeOf } from '../harness/matter-home.ts';
import { Contestant, type ContestantOptions } from './contestant.ts';
import { type Figure, none } from './figures.ts';

const LOCKS = 10;
const LOCKED = 1;
const UNLOCKED = 2;

/** The shortest interval that the options allow: open doors are read again soon. */
const IDLE_SECONDS = 5;
const KNOWN_WITHIN_MS = 90_000;
const LOOK_EVERY_MS = 100;
/** How long a bolt tries before it jams, and how long a slow service takes to accept, in milliseconds. */
const JAMS_AFTER_MS = 20;
const SLOW_MS = 300;
/** Each such command meets a service that is gone for a while. */
const DEAD_EVERY = 50;
const DEAD_FOR_MS = 1_000;

export interface TruthRounds {
  readonly commands: number;
  readonly restarts: number;
}

type Options = Pick<ContestantOptions, 'folder' | 'pluginsFolder'>;

/** Reads and reports of "Locked" while commands to lock an open door fail. */
export async function measureMatterFailures(
  options: Options,
  { commands }: TruthRounds,
): Promise<readonly Figure[]> {
  return watched(options, 'failures', async (ours, home) => commandsThatFail(ours, home, commands));
}

/** The same in restarts of a door that was locked before and is open. */
export async function measureMatterRestarts(
  options: Options,
  { restarts }: TruthRounds,
): Promise<readonly Figure[]> {
  return watched(options, 'restarts', async (ours, home) => restartsAfterLocked(ours, home, restarts));
}

async function watched(
  options: Options,
  name: string,
  measure: (ours: Contestant, home: MatterHome) => Promise<Figure>,
): Promise<readonly Figure[]> {
  const folder = `${options.folder}-${name}`;
  const setting = { ...options, folder, locks: LOCKS, idleSeconds: IDLE_SECONDS };
  return overMatter(setting, async (ours, home) => [await measure(ours, home)]);
}

/** Ours with its locks over Matter, and a controller that has joined. */
export async function overMatter<T>(
  options: Omit<ContestantOptions, 'side' | 'childBridge'>,
  act: (ours: Contestant, home: MatterHome) => Promise<T>,
): Promise<T> {
  const ours = await Contestant.open({ ...options, side: 'ours', childBridge: 'locks-over-matter' });
  const home = await joined(ours);
  const result = await act(ours, home);
  await home.close();
  await ours.close();
  return result;
}

async function commandsThatFail(ours: Contestant, home: MatterHome, commands: number): Promise<Figure> {
  const { service, locks } = ours;
  const open = (id: string): void => {
    service.locks.set(id, 'Unlocked');
  };
  for (const { id } of locks) {
    open(id);
  }
  await untilAllAre(UNLOCKED, ours, home);
  service.travel = () => ({ ms: JAMS_AFTER_MS, jams: true });
  home.reports.length = 0;
  let lies = 0;
  const command = async (round: number): Promise<void> => {
    const { id, name } = ours.lock(round);
    open(id);
    await commandedToLock(home, name);
    for (const pauseMs of [0, 2 * JAMS_AFTER_MS, 2 * JAMS_AFTER_MS]) {
      await sleep(pauseMs);
      lies += (await stateOf(home, name)) === LOCKED ? 1 : 0;
    }
  };
  for (let round = 0; round < commands; round += LOCKS) {
    service.delayMs = round % (2 * LOCKS) === 0 ? 0 : SLOW_MS;
    const isDead = round % DEAD_EVERY === 0;
    if (isDead) {
      await service.die();
    }
    await Promise.all(Array.from({ length: LOCKS }, async (_, index) => command(round + index)));
    if (isDead) {
      await sleep(DEAD_FOR_MS);
      await service.revive();
    }
  }
  service.delayMs = 0;
  lies += home.reports.filter(({ name, value }) => name === 'lockState' && value === LOCKED).length;
  const name = `reads and reports of Locked on open doors in ${String(commands)} commands that fail`;
  return none(name, 'times', lies);
}

async function restartsAfterLocked(ours: Contestant, home: MatterHome, restarts: number): Promise<Figure> {
  const { service } = ours;
  service.travel = () => ({ ms: 0, jams: false });
  let lies = 0;
  for (let restart = 0; restart < restarts; restart += 1) {
    for (const { id } of ours.locks) {
      service.lockByHand(id);
    }
    await untilAllAre(LOCKED, ours, home);
    await ours.stop();
    home.reports.length = 0;
    for (const { id } of ours.locks) {
      service.locks.set(id, 'Unlocked');
    }
    await service.die();
    await ours.start();
    await ours.homebridge.line(/Matter server is now running/, KNOWN_WITHIN_MS);
    lies += (await states(ours, home)).filter((state) => state === LOCKED).length;
    await service.revive();
    await untilAllAre(UNLOCKED, ours, home);
    lies += home.reports.filter(({ name, value }) => name === 'lockState' && value === LOCKED).length;
  }
  const name = `the same in ${String(restarts)} restarts of doors that were locked before and are open`;
  return none(name, 'times', lies);
}

/** A controller that is not answered in time gives up. What counts here is what it reads afterwards. */
async function commandedToLock(home: MatterHome, name: string): Promise<void> {
  try {
    await home.lock(name).command('lockDoor');
  } catch {
    // The controller's session has ended; reading opens another.
  }
}

/** A controller reconnects by itself after a restart; until it has, its reads fail. */
async function stateOf(home: MatterHome, name: string): Promise<number | null | undefined> {
  for (const giveUpAt = performance.now() + KNOWN_WITHIN_MS; ; await sleep(LOOK_EVERY_MS)) {
    try {
      return await home.lock(name).read();
    } catch (error) {
      if (performance.now() > giveUpAt) {
        throw error;
      }
    }
  }
}

async function states(ours: Contestant, home: MatterHome): Promise<readonly (number | null | undefined)[]> {
  return Promise.all(ours.locks.map(async ({ name }) => stateOf(home, name)));
}

/** Resolves when the controller reads this of every lock. */
async function untilAllAre(wanted: number, ours: Contestant, home: MatterHome): Promise<void> {
  const giveUpAt = performance.now() + KNOWN_WITHIN_MS;
  while (!(await states(ours, home)).every((state) => state === wanted)) {
    if (performance.now() > giveUpAt) {
      throw new Error('Matter does not show where the bolts are');
    }
    await sleep(LOOK_EVERY_MS);
  }
}

/** A controller that has every lock, once Homebridge's Matter node is online. */
export async function joined(ours: Contestant): Promise<MatterHome> {
  await ours.homebridge.line(/Matter server is now running/, KNOWN_WITHIN_MS);
  const { installation } = ours;
  return MatterHome.join(matterBridgeOf(installation), join(installation.storeFolder, 'controller'));
}
