// A process that renews the token of an account and is killed on the way: it kills itself at exactly the point that it is given.
//
// `node token-process.ts <database file> <point> <settings of the authorization server as JSON>`
import { flushCompileCache } from 'node:module';
import { OAuthClient, type OAuthClientSettings } from '../../../src/cloud/account/oauth-client.ts';
import { TokenSession } from '../../../src/cloud/account/token-session.ts';
import type { TokenVault } from '../../../src/domain/ports.ts';
import { openStorage } from '../../../src/storage/storage.ts';
import { systemClock } from '../../../src/support/clock.ts';
import { silentLog } from '../../../src/support/log.ts';
import { systemRandom } from '../../../src/support/random.ts';
import type { ClientCredentials } from '../../../src/wire/oauth-codec.ts';

// It ends by being killed, and would leave the next one nothing of what it has compiled.
flushCompileCache();
const [path = '', point = '', settings = ''] = process.argv.slice(2);
const clock = systemClock;
const { vault } = openStorage({ path, clock, log: silentLog });

/** Ends the process as a power cut or the system's killer does: without a close. */
function dieAt(here: string): void {
  if (point === here) {
    process.kill(process.pid, 'SIGKILL');
  }
}

const mortal: TokenVault = {
  read: () => vault.read(),
  endRenewal: () => {
    vault.endRenewal();
  },
  beginRenewal: (token) => {
    vault.beginRenewal(token);
    dieAt('before-request');
  },
  write: (state, tokens, over) => {
    dieAt('between-answer-and-row');
    const generation = vault.write(state, tokens, over);
    dieAt('after-row');
    return generation;
  },
};
const { client, ...server } = JSON.parse(settings) as Omit<OAuthClientSettings, 'clock' | 'client'> & {
  readonly client: ClientCredentials;
};
const session = new TokenSession({
  vault: mortal,
  server: new OAuthClient({ ...server, client: () => client, clock }),
  clock,
  log: silentLog,
  random: systemRandom,
});
session.invalidate(await session.accessToken());
await session.accessToken();
throw new Error(`The process outlived ${point}`);
