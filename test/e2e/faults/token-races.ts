// Three real processes that want a token of one account in the same moment, round after round.
import { setTimeout } from 'node:timers/promises';
import { Account } from './account.ts';

/** The shortest life that a service can give a token. */
const TOKEN_LIFE_MS = 1_000;
/** A token is renewed before its end: never sooner than this after the last one. */
const RENEWED_AFTER_MS = 800;

export interface Race {
  /** Renewals in this round. */
  readonly posts: number;
  /** More than one only where the round outlasted a token, as on a busy machine. */
  readonly mostPosts: number;
}

export interface Races {
  readonly races: readonly Race[];
  /** Uncaught errors in any of the processes. */
  readonly uncaught: readonly string[];
}

/** The plugin and two tools beside it, as the server of the Homebridge UI and a command line are. */
export async function raceForTokens(rounds: number): Promise<Races> {
  const account = await Account.open({ authorization: { accessTokenLifetimeMs: TOKEN_LIFE_MS } });
  const plugin = account.process('plugin');
  await plugin.ready;
  await account.link(plugin);
  const all = [plugin, account.process('tool'), account.process('tool')];
  await Promise.all(all.map(async ({ ready }) => ready));
  const locks = account.simulator.world.deviceIds();
  const races: Race[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await setTimeout(TOKEN_LIFE_MS + 50);
    const startedAt = performance.now();
    const before = (await account.renewals()).length;
    // Each its own lock, because one reading of a history answers all who ask for it.
    const asked = all.map(async (one, index) =>
      one.ask('history', { lock: locks[index], limit: 1, deviceTime: false }),
    );
    await Promise.all(asked);
    const posts = (await account.renewals()).length - before;
    races.push({ posts, mostPosts: 1 + Math.floor((performance.now() - startedAt) / RENEWED_AFTER_MS) });
  }
  return { races, uncaught: all.flatMap(({ uncaught }) => uncaught) };
}
