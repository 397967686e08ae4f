// Writes the accounts of a new cluster: one file for its nodes, one with the keys for the relays, and the operator's logins.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadNats } from '../../src/nats/nats-package.ts';
import { writePrivately } from '../../src/support/files/private-output.ts';
import { makeCluster } from './cluster/cluster-accounts.ts';

export interface ClusterFiles {
  readonly accountsFile: string;
  readonly keysFile: string;
  /** For the tool `nats`: what the stream of all homes keeps, and the nodes themselves. */
  readonly streamLogin: string;
  readonly systemLogin: string;
}

export function hasCluster(folder: string): boolean {
  return existsSync(join(folder, 'keys.json'));
}

/** Rejects with final (`refused`) when a file is there already: homes were signed with its keys. */
export async function writeCluster(folder: string): Promise<ClusterFiles> {
  const { accounts, keys, logins } = await makeCluster(await loadNats());
  const operator = join(folder, 'operator');
  const files = {
    accountsFile: join(folder, 'accounts.conf'),
    keysFile: join(folder, 'keys.json'),
    streamLogin: join(operator, 'stream.creds'),
    systemLogin: join(operator, 'system.creds'),
  };
  for (const place of [folder, operator]) {
    mkdirSync(place, { recursive: true, mode: 0o700 });
  }
  for (const [file, text] of [
    [files.keysFile, `${JSON.stringify(keys, null, 2)}\n`],
    [files.accountsFile, accounts],
    [files.streamLogin, logins.stream],
    [files.systemLogin, logins.system],
  ] as const) {
    await writePrivately({ file, kind: 'new' }, (write) => write(text));
  }
  return files;
}
