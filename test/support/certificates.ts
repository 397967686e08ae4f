// Makes certificates for tests: signed by themselves or by another, for any name and any dates (X.509, RFC 5280).
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

export interface Certificate {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
}

export interface CertificateWish {
  /** The names that it is for; "localhost" and 127.0.0.1 by default. */
  readonly names?: readonly string[];
  /** From and until; from 2020 to 2049 by default. */
  readonly from?: number;
  readonly until?: number;
  /** Who signs it; itself by default. */
  readonly by?: Authority;
}

/** One that may sign others. */
export interface Authority extends Certificate {
  readonly name: string;
  readonly privateKey: KeyObject;
}

let serial = 0;

export function makeAuthority(name = 'An authority of tests'): Authority {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const cert = certificateOf({
    subject: name,
    issuer: name,
    subjectKey: keys.publicKey,
    signer: keys.privateKey,
  });
  return { ...pemOf(cert, keys.privateKey), name, privateKey: keys.privateKey };
}

export function makeCertificate({
  names = ['localhost'],
  from,
  until,
  by,
}: CertificateWish = {}): Certificate {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const subject = names[0] ?? 'nobody';
  const cert = certificateOf({
    subject,
    issuer: by?.name ?? subject,
    subjectKey: keys.publicKey,
    signer: by?.privateKey ?? keys.privateKey,
    names,
    from,
    until,
  });
  return pemOf(cert, keys.privateKey);
}

interface Content {
  readonly subject: string;
  readonly issuer: string;
  readonly subjectKey: KeyObject;
  readonly signer: KeyObject;
  /** Null for an authority. */
  readonly names?: readonly string[];
  readonly from?: number | undefined;
  readonly until?: number | undefined;
}

function certificateOf({ subject, issuer, subjectKey, signer, names, from, until }: Content): Buffer {
  serial += 1;
  const algorithm = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
  // One that is signed by itself is its own authority.
  const isAuthority = issuer === subject;
  const constraints = sequence(
    oid(0x55, 0x1d, 0x13),
    octets(sequence(...(isAuthority ? [tagged(0x01, Buffer.from([0xff]))] : []))),
  );
  const alternatives = sequence(
    oid(0x55, 0x1d, 0x11),
    octets(
      sequence(
        ...(names ?? []).map((name) => tagged(0x82, Buffer.from(name))),
        ...(names?.includes('localhost') === true ? [tagged(0x87, Buffer.from([127, 0, 0, 1]))] : []),
      ),
    ),
  );
  const content = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.from([0x40, serial >> 8, serial & 0xff])),
    algorithm,
    nameOf(issuer),
    sequence(timeOf(from ?? Date.UTC(2020, 0, 1)), timeOf(until ?? Date.UTC(2049, 0, 1))),
    nameOf(subject),
    subjectKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(constraints, ...(names === undefined ? [] : [alternatives]))),
  );
  const signature = sign('sha256', content, signer);
  return sequence(content, algorithm, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])));
}

function pemOf(cert: Buffer, privateKey: KeyObject): Certificate {
  const lines =
    cert
      .toString('base64')
      .match(/.{1,64}/gu)
      ?.join('\n') ?? '';
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function nameOf(name: string): Buffer {
  return sequence(tagged(0x31, sequence(oid(0x55, 0x04, 0x03), tagged(0x0c, Buffer.from(name)))));
}

/** UTCTime, which reaches to 2049. */
function timeOf(at: number): Buffer {
  const text = new Date(at).toISOString().replaceAll(/[-:T]|\.\d+/gu, '');
  return tagged(0x17, Buffer.from(text.slice(2)));
}

function oid(...bytes: readonly number[]): Buffer {
  return tagged(0x06, Buffer.from(bytes));
}

function octets(content: Buffer): Buffer {
  return tagged(0x04, content);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

/** DER: tag, length, content. */
function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const head =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}
