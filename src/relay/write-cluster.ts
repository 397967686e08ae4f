// Writes the accounts of a new cluster: one file for its nodes, one with the keys for the relays.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeCluster } from '../nats/cluster-accounts.ts';
import { loadNats } from '../nats/nats-package.ts';
import { writePrivately } from '../support/files/private-output.ts';

/** Rejects with final (`refused`) when a file is there already: homes were signed with its keys. */
export async function writeCluster(
  folder: string,
): Promise<{ readonly accountsFile: string; readonly keysFile: string }> {
  const { accounts, keys } = await makeCluster(await loadNats());
  const [accountsFile, keysFile] = [join(folder, 'accounts.conf'), join(folder, 'keys.json')];
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const [file, text] of [
    [keysFile, `${JSON.stringify(keys, null, 2)}\n`],
    [accountsFile, accounts],
  ] as const) {
    await writePrivately({ file, kind: 'new' }, (write) => write(text));
  }
  return { accountsFile, keysFile };
}
