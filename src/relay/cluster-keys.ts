// The file of a cluster's keys that a relay reads, checked.
import { type ClusterKeys, clusterKeys } from '../nats/cluster-accounts.ts';
import { FinalError } from '../support/errors.ts';
import { readOptionFile } from '../support/files/option-file.ts';
import { jsonIn } from '../support/text/foreign-json.ts';
import type { RelayConfig } from './relay-config.ts';

/** Throws a final error (`bad-configuration`), whose message repeats nothing of the file. */
export function readClusterKeys({ broker }: Pick<RelayConfig, 'broker'>): ClusterKeys {
  if (broker.keysFile === undefined) {
    throw new FinalError(
      'bad-configuration',
      'broker.keysFile is missing; name the keys.json that `latchkey relay cluster` wrote.',
    );
  }
  const text = readOptionFile(broker.keysFile, 'broker.keysFile');
  const keys = clusterKeys.safeParse(jsonIn(text)).data;
  if (keys === undefined) {
    throw new FinalError(
      'bad-configuration',
      'broker.keysFile names a file that is no keys.json of `latchkey relay cluster`.',
    );
  }
  return keys;
}
