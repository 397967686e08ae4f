// Where an account is stored: a folder outside Homebridge's storage needs a written reason.
import { expect, it } from 'vitest';
import { outsideWithoutReason } from '../../../src/installation/storage-place.ts';

const HOMEBRIDGE = '/var/lib/homebridge';

it.each([
  [null],
  ['/var/lib/homebridge'],
  ['/var/lib/homebridge/latchkey'],
  ['/var/lib/homebridge/a/../latchkey'],
  ['/var/lib/homebridge/..latchkey'],
])('the storage path %s is inside', (storagePath) => {
  expect(outsideWithoutReason({ storagePath, storageOutsideReason: null }, HOMEBRIDGE)).toBeNull();
});

it.each([['/srv/latchkey'], ['/var/lib'], ['/var/lib/homebridge-2'], ['/var/lib/homebridge/../latchkey']])(
  'the storage path %s is outside, and needs a reason',
  (storagePath) => {
    const outside = outsideWithoutReason({ storagePath, storageOutsideReason: null }, HOMEBRIDGE);
    expect(outside?.what).toContain(`storage.path (${storagePath}) is outside`);
    expect(outside?.remedy).toContain('storage.outsideReason');
    expect(
      outsideWithoutReason({ storagePath, storageOutsideReason: 'A read-only card.' }, HOMEBRIDGE),
    ).toBeNull();
  },
);
