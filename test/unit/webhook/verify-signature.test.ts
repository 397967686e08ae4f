// Which signatures are believed: by scheme, key and form, each at its boundary.
import {
  constants,
  createHash,
  createHmac,
  createSign,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { FORGERIES, forge, signBody } from '../../../simulator/src/webhooks/signature.ts';
import {
  generateSigningKeyPair,
  processKeyPair,
  type SigningKeyPair,
} from '../../../simulator/src/webhooks/signing-keys.ts';
import { type Log, silentLog } from '../../../src/support/log.ts';
import { type SignatureMethod, SignatureVerifier } from '../../../src/webhook/verify-signature.ts';
import { flipped, SIGNATURE_METHODS, type SignatureName } from '../../component/webhook/fixture.ts';
import { howOften } from '../../harness/how-often.ts';

const genuine = processKeyPair();
const stranger = generateSigningKeyPair();
const body: Buffer = Buffer.from('{"eventType":"DeviceUpdate"}');
const changed = Buffer.from('{"eventType":"DeviceUpdatf"}');

const PSS = SIGNATURE_METHODS['pss-sha256'];
const JWS = SIGNATURE_METHODS['jws-detached PS256'];
const METHODS: readonly SignatureMethod[] = Object.values(SIGNATURE_METHODS);

const pem = ({ publicKey }: SigningKeyPair): string =>
  publicKey.export({ type: 'spki', format: 'pem' }).toString();
const jwk = ({ publicKey }: SigningKeyPair, more: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({ ...publicKey.export({ format: 'jwk' }), ...more });

/** As the simulated service signs by that method. */
function simulated(method: SignatureMethod): Parameters<typeof signBody>[1] {
  const jwsAlgorithm = method.scheme === 'jws-detached' ? method.algorithm : 'PS256';
  return { scheme: method.scheme, jwsAlgorithm };
}

function signature(method: SignatureMethod, { privateKey } = genuine): string {
  return signBody(body, simulated(method), privateKey);
}

/** A detached JWS with any header, rightly signed. */
function jws(header: object | string, tagOf: (input: Buffer) => Buffer = byPss): string {
  const first = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header)).toString(
    'base64url',
  );
  const input = Buffer.from(`${first}.${body.toString('base64url')}`);
  return `${first}..${tagOf(input).toString('base64url')}`;
}

function verifier(method: SignatureMethod): { readonly lines: string[]; readonly one: SignatureVerifier } {
  const lines: string[] = [];
  const log: Log = { ...silentLog, warn: (line) => lines.push(line) };
  return { lines, one: new SignatureVerifier(method, log) };
}

const isTrue = async (
  method: SignatureMethod,
  text: string,
  keys: readonly string[],
  bytes = body,
): Promise<boolean> => verifier(method).one.verify(bytes, text, keys);

const byPssOf =
  ({ privateKey: key }: SigningKeyPair) =>
  (input: Buffer): Buffer =>
    sign('sha256', input, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 });
const byPss = byPssOf(genuine);
const byPkcs1 = (input: Buffer): Buffer =>
  sign('sha256', input, { key: genuine.privateKey, padding: constants.RSA_PKCS1_PADDING });

/** The signature of the body by the primitive that the name stands for, written here and not as the simulator does. */
const BY_HAND: Readonly<Record<SignatureName, () => string>> = {
  'pss-sha256': () => byPss(body).toString('base64'),
  'pkcs1-sha256': () => byPkcs1(body).toString('base64'),
  'jws-detached PS256': () => jws({ alg: 'PS256' }),
  'jws-detached RS256': () => jws({ alg: 'RS256' }, byPkcs1),
};

describe.each(Object.entries(BY_HAND))('a signature made by hand, as %s', (name, make) => {
  it('is believed by its own method alone', async () => {
    const answers = Object.entries(SIGNATURE_METHODS).map(
      async ([method, its]) => [method, await isTrue(its, make(), [pem(genuine)])] as const,
    );
    const believing = (await Promise.all(answers)).flatMap(([method, is]) => (is ? [method] : []));
    expect(believing).toEqual([name]);
  });
});

describe.each(METHODS)('a signature by %o', (method) => {
  it('is believed over exactly these bytes, under the key of the service', async () => {
    expect(await isTrue(method, signature(method), [pem(genuine)])).toBe(true);
    expect(await isTrue(method, signature(method), [jwk(genuine)])).toBe(true);
    expect(await isTrue(method, signature(method), [pem(genuine)], changed)).toBe(false);
    expect(await isTrue(method, signature(method, stranger), [pem(genuine)])).toBe(false);
  });

  it('is believed under any of the keys, and under none where there is none', async () => {
    expect(await isTrue(method, signature(method), [pem(stranger), pem(genuine)])).toBe(true);
    expect(await isTrue(method, signature(method), [pem(stranger)])).toBe(false);
    expect(await isTrue(method, signature(method), [])).toBe(false);
  });

  it('is not believed when it is of another method, or forged', async () => {
    const others = METHODS.filter((other) => other !== method).map((other) => signature(other));
    const forged = FORGERIES.map((forgery) => forge(body, simulated(method), { genuine, stranger }, forgery));
    const answers = await Promise.all([
      ...others.map(async (text) => isTrue(method, text, [pem(genuine)])),
      ...forged.map(async (one) => isTrue(method, one.signature ?? '', [pem(genuine)], one.body)),
    ]);
    expect(answers).toEqual(answers.map(() => false));
  });

  it('is not believed with any bit of the body or of itself changed (faults#41)', async () => {
    const { one } = verifier(method);
    const text = Buffer.from(signature(method), 'latin1');
    const isBelieved = async (bytes: Buffer, other: Buffer): Promise<boolean> =>
      one.isWellFormed(other.toString('latin1')) &&
      one.verify(bytes, other.toString('latin1'), [pem(genuine)]);
    expect(await isBelieved(body, text)).toBe(true);
    for (let bit = 0; bit < body.length * 8; bit += 1) {
      expect(await isBelieved(flipped(body, bit), text)).toBe(false);
    }
    // Each letter has another of its bits changed.
    for (let bit = 0; bit < text.length * 8; bit += howOften(5, 1)) {
      expect(await isBelieved(body, flipped(text, bit))).toBe(false);
    }
  });

  it('has one form and one spelling', () => {
    const { one } = verifier(method);
    const text = signature(method);
    expect(one.isWellFormed(text)).toBe(true);
    const isOther = METHODS.filter(
      ({ scheme }) => (scheme === 'jws-detached') !== (method.scheme === 'jws-detached'),
    );
    const strange = [
      ...isOther.map((other) => signature(other)),
      '',
      ' ',
      '.',
      '..',
      `${text} `,
      `${text}.`,
      `.${text}`,
    ];
    expect(strange.filter((each) => one.isWellFormed(each))).toEqual([]);
  });
});

describe('a signature over the body alone', () => {
  it.each([0, 20, 32, 64])('may have a salt of %i bytes', async (saltLength) => {
    const padding = constants.RSA_PKCS1_PSS_PADDING;
    const tag = sign('sha256', body, { key: genuine.privateKey, padding, saltLength });
    expect(await isTrue(PSS, tag.toString('base64'), [pem(genuine)])).toBe(true);
  });

  it('with unused bits set is malformed, because a change of them would go unseen', () => {
    const { one } = verifier(PSS);
    expect([one.isWellFormed('QQ=='), one.isWellFormed('QR=='), one.isWellFormed('QQ')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('a detached JWS', () => {
  it('needs a header and a tag of one spelling each, and no payload', () => {
    const { one } = verifier(JWS);
    const forms = {
      'QQ..QQ': true,
      'QR..QQ': false,
      'QQ..QR': false,
      'QQ.QQ.QQ': false,
      '..QQ': false,
      'QQ..': false,
    };
    const found = Object.keys(forms).map((form) => [form, one.isWellFormed(form)]);
    expect(Object.fromEntries(found)).toEqual(forms);
  });

  it('names its key or none, and is not believed when it names another (faults#42)', async () => {
    const keys = [jwk(genuine, { kid: 'k1' })];
    expect(await isTrue(JWS, jws({ alg: 'PS256', kid: 'k1' }), keys)).toBe(true);
    expect(await isTrue(JWS, jws({ alg: 'PS256' }), keys)).toBe(true);
    expect(await isTrue(JWS, jws({ alg: 'PS256', kid: 'k2' }), keys)).toBe(false);
    // A key without a name cannot be another.
    expect(await isTrue(JWS, jws({ alg: 'PS256', kid: 'k2' }), [jwk(genuine)])).toBe(true);
    expect(await isTrue(JWS, jws({ alg: 'PS256', kid: 'k2' }), [jwk(genuine, { kid: 7 })])).toBe(true);
  });

  it('is believed under a key for its own algorithm only', async () => {
    const keyFor = (alg: string): readonly string[] => [jwk(genuine, { alg })];
    expect(await isTrue(JWS, signature(JWS), keyFor('PS256'))).toBe(true);
    expect(await isTrue(JWS, signature(JWS), keyFor('RS256'))).toBe(false);
    // A signature over the body alone names no algorithm.
    expect(await isTrue(PSS, signature(PSS), keyFor('RS256'))).toBe(true);
  });

  const hmacWith =
    (secret: string | Buffer): typeof byPss =>
    (input) =>
      createHmac('sha256', secret).update(input).digest();
  const der = genuine.publicKey.export({ type: 'spki', format: 'der' });

  it.each([
    ['no algorithm', { alg: 'none' }, () => Buffer.alloc(256)],
    ['no algorithm in other letters', { alg: 'nOnE' }, () => Buffer.alloc(256)],
    ['HMAC with the public key as secret', { alg: 'HS256' }, hmacWith(pem(genuine))],
    ['HMAC with the bytes of the public key', { alg: 'HS256' }, hmacWith(der)],
    ['a missing algorithm', {}, byPss],
    ['another algorithm than was used', { alg: 'RS256' }, byPss],
    ['an algorithm of another family', { alg: 'ES256' }, byPss],
    ['an extension that must be understood', { alg: 'PS256', crit: ['exp'], exp: 1 }, byPss],
    ['an extension that changes nothing', { alg: 'PS256', crit: ['b64'], b64: true }, byPss],
    ['an unencoded payload', { alg: 'PS256', crit: ['b64'], b64: false }, byPss],
  ])('with %s is not believed (faults#42)', async (_, header, tagOf) => {
    expect(await isTrue(JWS, jws(header, tagOf), [pem(genuine)])).toBe(false);
  });

  it('is not believed by a key that it brings along (faults#42)', async () => {
    const header = { alg: 'PS256', jwk: stranger.publicKey.export({ format: 'jwk' }) };
    expect(await isTrue(JWS, jws(header, byPssOf(stranger)), [pem(genuine)])).toBe(false);
  });

  it('with a type of its own is believed', async () => {
    expect(await isTrue(JWS, jws({ alg: 'PS256', typ: 'JWT' }), [pem(genuine)])).toBe(true);
  });

  it.each(['', 'text', '[]', 'null', '{"alg":"PS256"'])(
    'with the header %j is not believed',
    async (header) => {
      expect(await isTrue(JWS, jws(header), [pem(genuine)])).toBe(false);
    },
  );

  it('under a key that breaks the verification is an error, and no forgery', async () => {
    const broken = Buffer.from('x');
    Object.defineProperty(broken, 'toString', {
      value: () => {
        throw new RangeError('out of memory');
      },
    });
    await expect(isTrue(JWS, signature(JWS), [pem(genuine)], broken)).rejects.toThrow('out of memory');
  });
});

describe('a key', () => {
  const rsa = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength });
  const asPem = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString();

  it('of 2,048 bits is the shortest that is accepted', async () => {
    const [weak, strong] = [rsa(2_040), genuine];
    const signedBy = (key: KeyObject): string =>
      createSign('sha256')
        .update(body)
        .sign({ key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 })
        .toString('base64');
    expect(await isTrue(PSS, signedBy(strong.privateKey), [asPem(strong.publicKey)])).toBe(true);
    const { one, lines } = verifier(PSS);
    expect(await one.verify(body, signedBy(weak.privateKey), [asPem(weak.publicKey)])).toBe(false);
    expect(lines).toEqual([
      'A key for verifying webhooks cannot be used: it is no RSA key of at least 2048 bits',
    ]);
  });

  it('of another kind, or a missing one, is named once and skipped', async () => {
    const curve = asPem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey);
    const other = asPem(generateKeyPairSync('ed25519').publicKey);
    const { one, lines } = verifier(PSS);
    for (let times = 0; times < 2; times += 1) {
      expect(await one.verify(body, signature(PSS), [curve, other, 'canary', '{"kty":', pem(genuine)])).toBe(
        true,
      );
    }
    expect(lines).toHaveLength(4);
    for (const line of lines.slice(0, 2)) {
      expect(line).toContain('it is no RSA key of at least 2048 bits');
    }
    expect(lines.join()).not.toContain('canary');
  });

  it('is parsed once and cached, with 1,023 others; one more empties the cache', async () => {
    const { one, lines } = verifier(PSS);
    const tell = async (text: string): Promise<boolean> => one.verify(body, signature(PSS), [text]);
    for (let index = 0; index < 1_024; index += 1) {
      await tell(`no key ${String(index)}`);
    }
    await tell('no key 0');
    expect(lines).toHaveLength(1_024);
    await tell('no key 1024');
    await tell('no key 0');
    expect(lines).toHaveLength(1_026);
  });

  it.each([
    ['AQ', 'its exponent is 1, with which anybody could sign'],
    ['Ag', 'its exponent is 2, with which anybody could sign'],
    ['AQAA', 'its exponent is 65536, with which anybody could sign'],
  ])('whose exponent is %s is refused in words, and verifies nothing (faults#181)', async (e, words) => {
    for (const method of METHODS) {
      const { one, lines } = verifier(method);
      expect(await one.verify(body, signature(method), [jwk(genuine, { e })])).toBe(false);
      expect(lines).toEqual([`A key for verifying webhooks cannot be used: ${words}`]);
    }
  });

  it('whose exponent is 1 would take what anybody signs: padding alone (faults#181)', async () => {
    const modulus = Buffer.from(genuine.publicKey.export({ format: 'jwk' }).n ?? '', 'base64url');
    const digest = createHash('sha256').update(body).digest();
    const prefix = Buffer.from('3031300d060960864801650304020105000420', 'hex');
    const filler = Buffer.alloc(modulus.length - prefix.length - digest.length - 3, 0xff);
    const forged = Buffer.concat([Buffer.from([0, 1]), filler, Buffer.from([0]), prefix, digest]);
    const PKCS1 = SIGNATURE_METHODS['pkcs1-sha256'];
    expect(await isTrue(PKCS1, forged.toString('base64'), [jwk(genuine, { e: 'AQ' })])).toBe(false);
  });

  it.each<[Readonly<Record<string, unknown>>, boolean]>([
    [{ use: 'sig' }, true],
    [{ use: null, key_ops: null }, true],
    [{ key_ops: ['verify'] }, true],
    [{ key_ops: ['verify', 'encrypt'] }, true],
    [{ use: 'enc' }, false],
    [{ use: 'something' }, false],
    [{ key_ops: ['encrypt'] }, false],
    [{ key_ops: [] }, false],
    [{ use: 'sig', key_ops: ['sign'] }, false],
  ])(
    'for a purpose of its own, such as %j, is used for no other: %s (faults#181)',
    async (purpose, isUsed) => {
      for (const method of METHODS) {
        const { one, lines } = verifier(method);
        expect(await one.verify(body, signature(method), [jwk(genuine, purpose)])).toBe(isUsed);
        expect(lines).toHaveLength(isUsed ? 0 : 1);
      }
    },
  );

  it.each([9, 500])('is found among %i by the id that a JWS names (faults#181)', async (count) => {
    const strangers = Array.from({ length: count - 1 }, (_, index) =>
      jwk(stranger, { kid: `k${String(index)}` }),
    );
    const keys = [...strangers, jwk(genuine, { kid: 'last' })];
    const { one, lines } = verifier(JWS);
    expect(await one.verify(body, jws({ alg: 'PS256', kid: 'last' }), keys)).toBe(true);
    expect(lines).toEqual([]);
  });

  it('among the first 64 is tried where signatures name none; the log says that the rest is not', async () => {
    const keysWith = (at: number) =>
      Array.from({ length: 65 }, (_, index) =>
        jwk(index === at ? genuine : stranger, { kid: `k${String(index)}` }),
      );
    const { one, lines } = verifier(PSS);
    expect(await one.verify(body, signature(PSS), keysWith(63))).toBe(true);
    expect(await one.verify(body, signature(PSS), keysWith(64))).toBe(false);
    expect(lines).toEqual([
      'There are 65 keys for verifying webhooks, of which the first 64 are tried, because signatures do not name their key.',
    ]);
  });
});

it('keys for PSS alone verify it, and with another hash or scheme are named as unusable (RFC 4055)', async () => {
  const pairOf = (hash: string) =>
    generateKeyPairSync('rsa-pss', { modulusLength: 2_048, hashAlgorithm: hash, mgf1HashAlgorithm: hash });
  const [own, other] = [pairOf('sha256'), pairOf('sha512')];
  const pems = [other, own].map(({ publicKey }) =>
    publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  );
  const pss = verifier(PSS);
  const tag = createSign('sha256').update(body).sign(own.privateKey).toString('base64');
  expect(await pss.one.verify(body, tag, pems)).toBe(true);
  expect(pss.lines).toEqual([expect.stringMatching(/^A key for verifying webhooks cannot be used: /)]);
  for (const method of [SIGNATURE_METHODS['pkcs1-sha256'], JWS]) {
    const { one, lines } = verifier(method);
    expect(await one.verify(body, signature(method), pems)).toBe(false);
    expect(lines).toHaveLength(2);
  }
});
