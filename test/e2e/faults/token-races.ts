// Three real processes that want a token of one account in the same moment, round after round.
import { setTimeout } from 'node:timers/promises';
import { Account } from './account.ts';

/** The shortest life that a service can give a token. */
const TOKEN_LIFE_MS = 1_000;

/** The number of renewals in each round, and uncaught errors in any of the processes. */
export interface Races {
  readonly posts: readonly number[];
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
  const [lock] = account.simulator.world.deviceIds();
  const posts: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await setTimeout(TOKEN_LIFE_MS + 50);
    const before = (await account.renewals()).length;
    await Promise.all(all.map(async (one) => one.ask('history', { lock, limit: 1, deviceTime: false })));
    posts.push((await account.renewals()).length - before);
  }
  return { posts, uncaught: all.flatMap(({ uncaught }) => uncaught) };
}
