// A certificate for 127.0.0.1 that signs itself, made on the spot: no private key lies about in the repository.
import { sign } from 'node:crypto';
import { KEYS } from './harness.ts';

/** DER: tag, length, content (X.690, 8.1). */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.byteLength;
  const length = size < 128 ? [size] : [0x82, Math.floor(size / 256), size % 256];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const bits = (content: Uint8Array): Buffer => der(0x03, Buffer.from([0]), content);
const NULL = der(0x05);

const SHA256_WITH_RSA = sequence(oid('2a864886f70d01010b'), NULL);
const COMMON_NAME = oid('550403');
const SUBJECT_ALTERNATIVE_NAME = oid('551d11');

/** PEM of certificate and key (RFC 5280, 4.1), valid from 2020 to 2049. */
export function selfSigned(): { readonly cert: string; readonly key: string } {
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from('loopback')))));
  const validity = sequence(der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('491231235959Z')));
  const address = der(0x87, Buffer.from([127, 0, 0, 1]));
  const extensions = der(0xa3, sequence(sequence(SUBJECT_ALTERNATIVE_NAME, der(0x04, sequence(address)))));
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    SHA256_WITH_RSA,
    name,
    validity,
    name,
    KEYS.publicKey.export({ type: 'spki', format: 'der' }),
    extensions,
  );
  const certificate = sequence(
    toBeSigned,
    SHA256_WITH_RSA,
    bits(sign('sha256', toBeSigned, KEYS.privateKey)),
  );
  const base64 = certificate.toString('base64').replaceAll(/.{64}/g, '$&\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
    key: KEYS.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
