// The file of a cluster's keys that a relay reads, checked.

import { FinalError } from '../../src/support/errors.ts';
import { readOptionFile } from '../../src/support/files/option-file.ts';
import { jsonIn } from '../../src/support/text/foreign-json.ts';
import { type ClusterKeys, clusterKeys } from './cluster/cluster-accounts.ts';
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
