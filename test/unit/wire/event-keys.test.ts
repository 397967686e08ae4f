// Public keys as people and services hand them out.
import { describe, expect, it } from 'vitest';
import { publicKeysOf, publicKeyTexts } from '../../../src/wire/public-key-codec.ts';

const PEM = '-----BEGIN PUBLIC KEY-----\nMIIBAAAA\n-----END PUBLIC KEY-----';
const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nMIIC\n-----END CERTIFICATE-----';
const PRIVATE = '-----BEGIN PRIVATE KEY-----\nMIID\n-----END PRIVATE KEY-----';
const jwk = { kty: 'RSA', n: 'AQAB', e: 'AQAB' };

describe('the keys of a text', () => {
  it('are its PEM blocks, a certificate included, and no private key', () => {
    expect(publicKeyTexts(`# keys of 2026\n${PEM}\r\n${PRIVATE}\n${CERTIFICATE}\n`)).toEqual([
      PEM,
      CERTIFICATE,
    ]);
    expect(publicKeyTexts(PRIVATE)).toEqual([]);
  });

  it.each([
    ['without line breaks, as a form with one line leaves it', PEM.replaceAll('\n', '')],
    ['with blanks in their place', PEM.replaceAll('\n', ' ')],
    ['with escaped ones', PEM.replaceAll('\n', String.raw`\n`)],
    ['with the ones of Windows', PEM.replaceAll('\n', '\r\n')],
    ['with the ones of old Macs', PEM.replaceAll('\n', '\r')],
    ['with indented lines', PEM.replaceAll('\n', '\n    ')],
    ['with shorter lines', PEM.replace('MIIBAAAA', 'MIIB\nAAAA')],
  ])('are the same %s', (_, text) => {
    expect(publicKeyTexts(text)).toEqual([PEM]);
  });

  it('are those of a JWK or JWKS, without what is private or of another kind', () => {
    const written = { ...jwk, kid: 'key-1', d: 'canary', p: 'canary' };
    expect(publicKeyTexts(JSON.stringify(written))).toEqual([JSON.stringify({ ...jwk, kid: 'key-1' })]);
    const unnamed = { ...jwk, kid: null, alg: null };
    expect(publicKeyTexts(JSON.stringify(unnamed))).toEqual([JSON.stringify(unnamed)]);
    const set = { keys: [jwk, { kty: 'oct', k: 'canary' }, { kty: 'EC' }, 'x', null] };
    expect(publicKeyTexts(` ${JSON.stringify(set)}`)).toEqual([JSON.stringify(jwk)]);
  });

  it('are empty for any other text', () => {
    for (const text of [
      '',
      'key',
      '{',
      '{}',
      '[]',
      '-----BEGIN PUBLIC KEY-----',
      '{"kty":"RSA","n":"=","e":"AQAB"}',
      '{"kty":"RSA","n":"AQAB=","e":"AQAB"}',
      '{"kty":"RSA","n":"AQAB","e":" AQAB"}',
    ]) {
      expect([text, publicKeyTexts(text)]).toEqual([text, []]);
    }
  });

  it('are all that there are (faults#181)', () => {
    expect(publicKeyTexts(`${PEM}\n`.repeat(20))).toHaveLength(20);
    expect(publicKeyTexts(JSON.stringify({ keys: Array.from({ length: 500 }, () => jwk) }))).toHaveLength(
      500,
    );
  });

  it('keep what a JWK says of their purpose', () => {
    const signing = { ...jwk, use: 'sig', key_ops: ['verify'] };
    expect(publicKeyTexts(JSON.stringify(signing)).map((text) => JSON.parse(text) as unknown)).toEqual([
      signing,
    ]);
  });
});

describe('an answer with keys', () => {
  it('holds a PEM, a JWK or a JWKS, inside or by itself; its algorithm is not looked at', () => {
    expect(publicKeysOf({ algorithm: 'none', publicKey: `${PEM}\n` })).toEqual([PEM]);
    expect(publicKeysOf({ publicKey: jwk })).toEqual([JSON.stringify(jwk)]);
    expect(publicKeysOf({ publicKey: { keys: [jwk] } })).toEqual([JSON.stringify(jwk)]);
    expect(publicKeysOf({ keys: [jwk] })).toEqual([JSON.stringify(jwk)]);
    expect(publicKeysOf(jwk)).toEqual([JSON.stringify(jwk)]);
  });

  it('may be empty', () => {
    for (const answer of [
      undefined,
      null,
      [],
      {},
      { publicKey: 7 },
      { publicKey: { publicKey: { publicKey: PEM } } },
    ]) {
      expect(publicKeysOf(answer)).toEqual([]);
    }
  });
});
