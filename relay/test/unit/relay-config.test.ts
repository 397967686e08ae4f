// The relay's configuration file: optional members, and faults that name the member and never its value.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { readRelayConfig } from '../../src/relay-config.ts';

const LEAST = {
  publicUrl: 'https://relay.example/',
  secrets: ['the secret of all relays behind one balancer'],
  broker: { url: 'mqtts://broker.example' },
};
const KEY = 'k'.repeat(43);
const SHARED = { token: 't'.repeat(40), homes: { blue: KEY }, devices: { front: ['blue'] } };

function read(content: unknown): ReturnType<typeof readRelayConfig> {
  const file = join(temporaryFolder(), 'relay.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return readRelayConfig(file);
}

describe("the relay's configuration", () => {
  it('needs an address, a secret and a broker; encryption is on unless it is switched off', () => {
    expect(read(LEAST)).toMatchObject({
      publicUrl: 'https://relay.example',
      encrypt: true,
      port: 18_591,
      signatureHeader: 'webhook-signature',
      shared: null,
    });
    const later = { ...SHARED.homes, green: { key: KEY, generation: 2 } };
    expect(read({ ...LEAST, encrypt: false, shared: { ...SHARED, homes: later } })).toMatchObject({
      encrypt: false,
      shared: {
        ...SHARED,
        homes: { blue: { publicKey: KEY, generation: 1 }, green: { publicKey: KEY, generation: 2 } },
      },
    });
  });

  it.each([
    [{ ...LEAST, secrets: ['short'] }, 'secrets.0'],
    [{ ...LEAST, secrets: [] }, 'secrets'],
    [{ ...LEAST, broker: { url: 'https://broker.example' } }, 'broker.url'],
    [{ ...LEAST, publicUrl: undefined }, 'publicUrl'],
    [{ ...LEAST, revoked: { 'not a home': 1 } }, 'revoked'],
    [{ ...LEAST, shared: { ...SHARED, token: 'short' } }, 'shared.token'],
    [{ ...LEAST, shared: { ...SHARED, devices: { front: ['green'] } } }, 'shared.homes'],
    [{ ...LEAST, encripted: true }, 'encripted'],
  ])('has its fault named: %#', (content, member) => {
    expect(() => read(content)).toThrow(member);
  });

  it('is refused in a message without its secrets, and without the text of a file that is no JSON', () => {
    const secret = 'x'.repeat(31);
    expect(() => read({ ...LEAST, secrets: [secret] })).toThrow(/^(?!.*xxx)/u);
    expect(() => read(`{ "secrets": ["${secret}"`)).toThrow(/^(?!.*xxx).*cannot be read as JSON/u);
    expect(() => readRelayConfig('/nowhere/relay.json')).toThrow('(ENOENT). Name the relay');
  });
});
