// A database folder outside Homebridge's storage: a warning, unless the configuration allows it.
import { expect, it } from 'vitest';
import { storageWarning } from '../../../src/plugin/storage-warning.ts';

const HOMEBRIDGE = '/var/lib/homebridge';

it.each([
  [null],
  ['/var/lib/homebridge'],
  ['/var/lib/homebridge/latchkey'],
  ['/var/lib/homebridge/a/../latchkey'],
  ['/var/lib/homebridge/..latchkey'],
])('%s is inside', (storagePath) => {
  expect(storageWarning({ storagePath, storageMayBeOutside: false }, HOMEBRIDGE)).toEqual([]);
});

it.each([['/srv/latchkey'], ['/var/lib'], ['/var/lib/homebridge-2'], ['/var/lib/homebridge/../latchkey']])(
  '%s is outside: one line says what to do, unless it is allowed',
  (storagePath) => {
    expect(storageWarning({ storagePath, storageMayBeOutside: false }, HOMEBRIDGE)).toEqual([
      'storage.path: is outside the Homebridge storage folder, which backups leave out; move the folder there, or set storage.allowOutside to true',
    ]);
    expect(storageWarning({ storagePath, storageMayBeOutside: true }, HOMEBRIDGE)).toEqual([]);
  },
);
