// Which addresses may be called: the ways an address can point where it should not (faults#59).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultOfAddress, faultOfRedirectUri } from '../../../src/config/options/address.ts';
import { isPrivateHost } from '../../../src/support/server/private-hosts.ts';

const NOTHING_ALLOWED = { insecureLoopback: false, privateHosts: false };
const SIMULATOR = { insecureLoopback: true, privateHosts: false };
const OWN_SERVICE = { insecureLoopback: false, privateHosts: true };

/** Spellings of hosts that are not on the public internet. */
const PRIVATE = [
  '127.0.0.1 127.1 0x7f000001 2130706433 0177.0.0.1 0.0.0.0 10.1.2.3',
  '100.64.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.168.1.1 198.18.0.1 192.0.2.1',
  '198.51.100.7 203.0.113.9 224.0.0.1 240.0.0.1 255.255.255.255 [::1] [::]',
  '[::ffff:10.0.0.1] [fe80::1] [fd00::1] [fc00::1] [ff02::1] [2001:db8::1] [2002:a00:1::]',
  '192.0.0.1 0.1.2.3 [2001:0:1::1] [2001::1] [64:ff9b::a00:1] localhost LOCALHOST localhost. a.localhost printer.local',
  'nas.lan router.home.arpa vault.internal router %6cocalhost',
].flatMap((line) => line.split(' '));

const PUBLIC = [
  'api.partner.example',
  '8.8.8.8',
  '172.15.0.1',
  '172.32.0.1',
  '100.128.0.1',
  '[2606:4700::1111]',
  '[2000::1]',
  '[3fff::1]',
  '[2001:4860::8888]',
  '[2606:db8::1]',
  '1.2.3.4.example',
  'a.1.2.3.4.example',
  'locals.example',
];

describe('an address that the plugin calls (faults#59)', () => {
  it.each(PRIVATE)('may be %s only when private hosts are allowed', (host) => {
    expect(faultOfAddress(`https://${host}/path`, NOTHING_ALLOWED)?.text).toMatch(/^is in a private network/);
    expect(faultOfAddress(`https://${host}/path`, OWN_SERVICE)).toBeNull();
  });

  it.each(PUBLIC)('may be %s', (host) => {
    expect(faultOfAddress(`https://${host}/path`, NOTHING_ALLOWED)).toBeNull();
  });

  it.each(['127.0.0.1', 'localhost', '[::1]'])('may be http on %s for the simulator only', (host) => {
    expect(faultOfAddress(`http://${host}:8080`, SIMULATOR)).toBeNull();
    expect(faultOfAddress(`http://${host}:8080`, NOTHING_ALLOWED)?.text).toContain('for the simulator');
    expect(faultOfAddress(`http://${host}:8080`, OWN_SERVICE)?.text).toContain('for the simulator');
  });

  it.each([
    'http://api.partner.example',
    'http://127.0.0.2',
    'http://localhost.partner.example',
    'http://10.0.0.1',
    'ftp://127.0.0.1',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,x',
  ])('is refused as %s even for the simulator', (address) => {
    expect(faultOfAddress(address, SIMULATOR)?.text).toBe('must start with {scheme}');
  });

  it.each([
    ['https://user@api.partner.example', 'user name'],
    ['https://:secret@api.partner.example', 'user name'],
    ['https://api.partner.example@10.0.0.1', 'user name'],
    ['https://api.partner.example/#x', '?'],
    ['https://api.partner.example/#', '?'],
    ['https://api.partner.example/?', '?'],
    ['https://api.partner.example/?a=b', '?'],
    ['not an address', 'not an address'],
    ['//api.partner.example', 'not an address'],
    ['https://', 'not an address'],
  ])('is refused as %s', (address, word) => {
    expect(faultOfAddress(address, OWN_SERVICE)?.text).toContain(word);
  });

  it('is judged alike in every spelling of an IPv4 address', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (number) => {
        const dotted = [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
        const spellings = [dotted, String(number), `0x${number.toString(16)}`, `0${number.toString(8)}`];
        const verdicts = spellings.map(
          (host) => faultOfAddress(`https://${host}`, NOTHING_ALLOWED)?.text ?? null,
        );
        expect(new Set(verdicts).size).toBe(1);
        expect(verdicts[0] === null).toBe(!isPrivateHost(dotted));
      }),
    );
  });
});

describe('a redirect URI, which only a browser opens', () => {
  it.each([
    'https://home.example/callback',
    'https://homebridge.local:8443/callback',
    'https://home.example/callback?tenant=1',
    'http://127.0.0.1:18582/callback',
    'http://[::1]:18582/callback',
    'http://localhost:18582/callback',
    'https://home.example/call*back',
    'https://home.example/c%61llback',
    'https://home.example/callback?to=*',
    'https://home.example/*back/call*',
  ])('may be %s', (address) => {
    expect(faultOfRedirectUri(address)).toBeNull();
  });

  it.each([
    'http://home.example/callback',
    'http://192.168.1.2/callback',
    'app://callback',
    'https://home.example/callback#x',
    'https://user@home.example/callback',
    'callback',
    'https://*.home.example/callback',
    'https://home.example/callback/*',
    'https://home.example/**',
  ])('may not be %s', (address) => {
    expect(faultOfRedirectUri(address)).not.toBeNull();
  });
});
