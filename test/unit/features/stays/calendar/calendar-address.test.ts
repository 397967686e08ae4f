// Which addresses of calendars may be asked, and where they may redirect to (faults#59).
import type { LookupAddress } from 'node:dns';
import { describe, expect, it } from 'vitest';
import { readAddress, readRedirect } from '../../../../../src/features/stays/calendar/calendar-address.ts';
import { guardedLookup } from '../../../../../src/features/stays/calendar/guarded-lookup.ts';
import type { AddressPermissions } from '../../../../../src/support/server/private-hosts.ts';

const NOTHING: AddressPermissions = { insecureLoopback: false, privateHosts: false };
const SIMULATOR = { ...NOTHING, insecureLoopback: true };
const PRIVATE = { ...NOTHING, privateHosts: true };

const shown = (read: URL | string): string => (typeof read === 'string' ? read : read.href);

describe('the address of a calendar', () => {
  it.each([
    ['https://portal.example/c/secret.ics?s=1&t=2', 'https://portal.example/c/secret.ics?s=1&t=2'],
    [' https://portal.example/c.ics\n', 'https://portal.example/c.ics'],
    ['webcal://portal.example/c.ics', 'https://portal.example/c.ics'],
    ['WEBCALS://portal.example/c.ics', 'https://portal.example/c.ics'],
    ['http://portal.example/c.ics', 'address-insecure'],
    ['ftp://portal.example/c.ics', 'address-insecure'],
    ['file:///etc/passwd', 'address-invalid'],
    ['http://127.0.0.1:8080/c.ics', 'address-insecure'],
    ['https://user:password@portal.example/c.ics', 'address-with-password'],
    ['https://user@portal.example/c.ics', 'address-with-password'],
    ['https://127.0.0.1/c.ics', 'address-private'],
    ['https://0x7f000001/c.ics', 'address-private'],
    ['https://[::ffff:10.0.0.1]/c.ics', 'address-private'],
    ['https://router.lan/c.ics', 'address-private'],
    ['webcal://192.168.1.1/c.ics', 'address-private'],
    ['https://169.254.169.254/latest', 'address-private'],
    ['portal.example/c.ics', 'address-invalid'],
    ['', 'address-invalid'],
    [`https://portal.example/${'x'.repeat(4_000)}`, 'address-invalid'],
  ])('%j is %s', (written, expected) => {
    expect(shown(readAddress(written, NOTHING))).toBe(expected);
  });

  it('may be of this machine for the simulator, and of a private network when that is allowed', () => {
    expect(shown(readAddress('http://127.0.0.1:8080/c.ics', SIMULATOR))).toBe('http://127.0.0.1:8080/c.ics');
    expect(shown(readAddress('http://localhost/c.ics', SIMULATOR))).toBe('http://localhost/c.ics');
    expect(shown(readAddress('http://10.0.0.1/c.ics', SIMULATOR))).toBe('address-insecure');
    expect(shown(readAddress('https://10.0.0.1/c.ics', SIMULATOR))).toBe('address-private');
    expect(shown(readAddress('https://10.0.0.1/c.ics', PRIVATE))).toBe('https://10.0.0.1/c.ics');
    expect(shown(readAddress('http://10.0.0.1/c.ics', PRIVATE))).toBe('address-insecure');
  });
});

describe('a redirect', () => {
  const portal = new URL('https://portal.example/a/c.ics');

  it.each([
    ['/b.ics', 'https://portal.example/b.ics'],
    ['https://files.example/b.ics', 'https://files.example/b.ics'],
    ['http://portal.example/b.ics', 'redirect-insecure'],
    ['webcal://portal.example/b.ics', 'redirect-insecure'],
    ['ftp://portal.example/', 'redirect-insecure'],
    ['https://[::1]/', 'redirect-private'],
    ['https://nas.local/', 'redirect-private'],
    ['//10.0.0.1/b.ics', 'redirect-private'],
    ['https://localhost/b.ics', 'redirect-private'],
    ['https://user:password@files.example/', 'redirect-invalid'],
    ['https://', 'redirect-invalid'],
    [undefined, 'redirect-invalid'],
    [`/${'x'.repeat(4_001)}`, 'redirect-invalid'],
  ])('to %j is %s', (location, expected) => {
    expect(shown(readRedirect(location, portal, NOTHING))).toBe(expected);
  });

  it('leads to this machine from the simulator alone, and never from https to http', () => {
    expect(shown(readRedirect('http://127.0.0.1/b.ics', portal, SIMULATOR))).toBe('redirect-insecure');
    expect(shown(readRedirect('https://127.0.0.1/b.ics', portal, SIMULATOR))).toBe('redirect-private');
    const simulator = new URL('http://127.0.0.1:8080/c.ics');
    expect(shown(readRedirect('/b.ics', simulator, SIMULATOR))).toBe('http://127.0.0.1:8080/b.ics');
    expect(shown(readRedirect('http://portal.example/', simulator, SIMULATOR))).toBe('redirect-insecure');
  });
});

describe('the lookup of a name', () => {
  const look = (found: readonly LookupAddress[], allowed: AddressPermissions, all: boolean): unknown[] => {
    const seen: unknown[] = [];
    guardedLookup(allowed, (_host, options, callback) => {
      expect(options.all).toBe(true);
      callback(null, [...found]);
    })('portal.example', { all }, (error, ...rest) => {
      seen.push(error?.code ?? null, ...rest);
    });
    return seen;
  };
  const OPEN = { address: '8.8.8.8', family: 4 };
  const OPEN_6 = { address: '2606:4700::1111', family: 6 };
  const CLOSED = ['127.0.0.1', '10.0.0.1', '169.254.169.254'].map((address) => ({ address, family: 4 }));
  const CLOSED_6 = ['::1', 'fe80::1%eth0', 'fd00::1', '::ffff:10.0.0.1'].map((address) => ({
    address,
    family: 6,
  }));

  it('leaves out private addresses', () => {
    expect(look([...CLOSED, OPEN, ...CLOSED_6, OPEN_6], NOTHING, true)).toEqual([null, [OPEN, OPEN_6]]);
    expect(look([...CLOSED, OPEN_6], NOTHING, false)).toEqual([null, OPEN_6.address, 6]);
  });

  it('fails where only private addresses are left', () => {
    expect(look([...CLOSED, ...CLOSED_6], NOTHING, true)).toEqual(['ERR_PRIVATE_ADDRESS', []]);
    expect(look([...CLOSED, ...CLOSED_6], NOTHING, false)).toEqual(['ERR_PRIVATE_ADDRESS', []]);
  });

  it('keeps private addresses that are allowed', () => {
    expect(look(CLOSED, PRIVATE, true)).toEqual([null, CLOSED]);
    expect(look([...CLOSED, ...CLOSED_6], SIMULATOR, true)).toEqual([null, [CLOSED[0], CLOSED_6[0]]]);
  });

  it('passes on the error of the system', () => {
    const error = Object.assign(new Error('no'), { code: 'ENOTFOUND' });
    const seen: unknown[] = [];
    guardedLookup(NOTHING, (_host, _options, callback) => {
      callback(error, []);
    })('portal.example', {}, (...answer) => {
      seen.push(...answer);
    });
    expect(seen).toEqual([error, []]);
  });
});
