// Where an account is stored: a folder outside Homebridge's storage has its warning.
import { expect, it } from 'vitest';
import { outsideWarning } from '../../../src/installation/storage-place.ts';

const HOMEBRIDGE = '/var/lib/homebridge';

it.each([
  [null],
  ['/var/lib/homebridge'],
  ['/var/lib/homebridge/latchkey'],
  ['/var/lib/homebridge/a/../latchkey'],
  ['/var/lib/homebridge/..latchkey'],
])('the storage path %s is inside', (storagePath) => {
  expect(outsideWarning({ storagePath }, HOMEBRIDGE)).toBeNull();
});

it.each([['/srv/latchkey'], ['/var/lib'], ['/var/lib/homebridge-2'], ['/var/lib/homebridge/../latchkey']])(
  'the storage path %s is outside, where no backup of Homebridge reaches',
  (storagePath) => {
    expect(outsideWarning({ storagePath }, HOMEBRIDGE)).toBe(
      `storage.path (${storagePath}) is outside the storage folder of Homebridge (/var/lib/homebridge): a backup of that folder does not have the account, and it stays when that folder goes.`,
    );
  },
);
