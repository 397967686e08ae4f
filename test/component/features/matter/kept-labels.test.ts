// The name of a lock in an app: it is on the disk at once, because Homebridge may be killed the moment after.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lockId } from '../../../../src/domain/locks/lock.ts';
import { KeptLabels } from '../../../../src/features/matter/host/kept-labels.ts';
import { silentLog } from '../../../../src/support/log.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { openedStorage } from '../../storage/place.ts';

const FRONT = lockId('front');

it('a label is there for the next process, for its lock alone, until it is erased (faults#131)', () => {
  const path = join(temporaryFolder(), 'house.db');
  const labels = new KeptLabels(openedStorage(path).settings, silentLog);
  const next = new KeptLabels(openedStorage(path).settings, silentLog);
  expect(labels.read(FRONT)).toBeNull();
  labels.save(FRONT, 'The red door');
  expect([next.read(FRONT), next.read(lockId('back'))]).toEqual(['The red door', null]);
  labels.save(FRONT, 'The blue door');
  expect(next.read(FRONT)).toBe('The blue door');
  labels.erase(FRONT);
  expect(next.read(FRONT)).toBeNull();
});

it('a label costs a warning, and no lock, where the disk fails', () => {
  const storage = openedStorage(join(temporaryFolder(), 'house.db'));
  storage.close();
  const warnings: string[] = [];
  const log = { ...silentLog, warn: (line: string) => warnings.push(line) };
  const labels = new KeptLabels(storage.settings, log);
  labels.save(FRONT, 'The red door');
  labels.erase(FRONT);
  expect(labels.read(FRONT)).toBeNull();
  expect(warnings).toHaveLength(3);
  expect(warnings[0]).toContain("A lock's name in an app could not be kept: ");
});
