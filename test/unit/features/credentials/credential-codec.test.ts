// Members of the credentialing interface in every known reading.
import { describe, expect, it } from 'vitest';
import {
  decodeCreated,
  decodeCredential,
  decodeCredentials,
  decodePayloads,
  decodeToken,
  encodeDraft,
  encodeLogin,
  encodePayloads,
  namedMember,
} from '../../../../src/features/credentials/client/credential-codec.ts';

const RECORD = {
  credentialId: 'c-1',
  userId: '1b0f3c9e-7a44-4f0e-9d5e-2f6b8f0a9c11',
  mobileNumber: '+15550100123',
  payloadType: 'Basic',
  cardFormat: '26A',
  cardNumber: 1042,
  facilityCode: 12,
  issueCode: 0,
  isDownloaded: false,
  attributes: { siteId: '7' },
};

describe('a record', () => {
  it('is read as the contract shows it', () => {
    const { credentialId: id, payloadType: _type, ...members } = RECORD;
    const credential = { ...members, id, kind: 'card', rawCredential: null, bitLength: null };
    expect(decodeCredential(RECORD)).toEqual(credential);
  });

  it('of a raw credential is read with its bits and without', () => {
    const raw = { ...RECORD, payloadType: 'Raw', cardFormat: null, cardNumber: null, attributes: null };
    const hidden = { kind: 'raw', rawCredential: null, bitLength: null, attributes: {} };
    expect(decodeCredential(raw)).toMatchObject(hidden);
    const bits = { rawCredential: '1f00', bitLength: 16 };
    expect(decodeCredential({ ...raw, ...bits })).toMatchObject({ kind: 'raw', ...bits });
  });

  it('of a raw credential is known by its bits where the service does not name its kind', () => {
    const nameless = { ...RECORD, payloadType: null, cardFormat: null };
    expect(decodeCredential({ ...nameless, rawCredential: '0A1B' })?.kind).toBe('raw');
    expect(decodeCredential(nameless)?.kind).toBe('card');
    expect(decodeCredential({ ...nameless, cardFormat: '26A', rawCredential: '0A1B' })?.kind).toBe('card');
  });

  it.each([
    ['digits as text', { cardNumber: '1042' }, { cardNumber: 1042 }],
    ['a mobile number that is none', { mobileNumber: 'call me' }, { mobileNumber: 'call me' }],
    ['other attributes', { attributes: { a: 3, b: null, c: true } }, { attributes: { a: '3', c: 'true' } }],
    ['unknown members', { colour: 'red' }, { id: 'c-1' }],
  ])('is read with %s', (_, change, expected) => {
    expect(decodeCredential({ ...RECORD, ...change })).toMatchObject(expected);
  });

  it.each([{ credentialId: '' }, { credentialId: null }, { userId: undefined }, { credentialId: '..' }])(
    'without usable ids is skipped: %j',
    (change) => {
      expect(decodeCredential({ ...RECORD, ...change })).toBeNull();
    },
  );
});

it('a list is read bare or under its name, and counts its unreadable items', () => {
  const listed = decodeCredentials([RECORD, { odd: true }]);
  expect(listed).toMatchObject({ credentials: [{ id: 'c-1' }], unreadable: 1 });
  expect(decodeCredentials({ credentials: [RECORD] })?.credentials.length).toBe(1);
  expect(decodeCredentials({ message: 'no' })).toBeNull();
});

it('a list that has one credential twice shows it once, and counts another with the same id as unreadable (faults#183)', () => {
  expect(decodeCredentials([RECORD, { ...RECORD }])).toMatchObject({
    credentials: [{ id: 'c-1' }],
    unreadable: 0,
  });
  const other = { ...RECORD, userId: 'somebody-else' };
  expect(decodeCredentials([RECORD, other])).toMatchObject({
    credentials: [{ userId: RECORD.userId }],
    unreadable: 1,
  });
});

describe('a token', () => {
  it.each([
    [{ token: 't', expiresIn: 60 }, 60_000],
    [{ accessToken: 't', expiresIn: '60' }, 60_000],
    [{ token: 't', expiresIn: 1 }, 1_000],
    [{ token: 't', expiresIn: 0 }, 3_600_000],
    [{ token: 't', expiresIn: -1 }, 3_600_000],
    [{ token: 't' }, 3_600_000],
  ])('in %j is good for %d ms', (body, lifetimeMs) => {
    expect(decodeToken(body)).toEqual({ token: 't', lifetimeMs });
  });

  it('may have any length but zero', () => {
    for (const member of ['token', 'accessToken']) {
      expect(decodeToken({ [member]: 'a-long-token', expiresIn: 60 })?.token).toBe('a-long-token');
      expect(decodeToken({ [member]: '' })).toBeNull();
    }
    expect(['no', {}].map(decodeToken)).toEqual([null, null]);
  });
});

it('payloads and created credentials are read leniently', () => {
  const payload = { deviceSerialNumber: 's', payload: '' };
  expect(decodePayloads([{ payload: 'AA==' }, { ...payload, deviceSerialNumber: '' }, payload])).toEqual([
    payload,
  ]);
  expect(decodePayloads({ payloads: [{ deviceSerialNumber: '0000A1', payload: 'AA==' }] })?.length).toBe(1);
  expect([null, undefined].map(decodePayloads)).toEqual([null, null]);
  expect(decodeCreated({ credentialId: 'c-1' })).toEqual({ id: 'c-1', cardNumber: null });
  expect(decodeCreated({})).toBeNull();
});

describe('a request', () => {
  const holder = { userId: RECORD.userId, mobileNumber: RECORD.mobileNumber };

  it('of a card holds no number that the service is to choose', () => {
    const members = {
      ...holder,
      cardFormat: '26A',
      facilityCode: 12,
      issueCode: 0,
      attributes: { siteId: '7' },
    };
    expect(encodeDraft({ kind: 'card', ...members, cardNumber: null })).toEqual(members);
    expect(encodeDraft({ kind: 'card', ...members, cardNumber: 5 })).toEqual({ ...members, cardNumber: 5 });
  });

  it('holds nothing but the members of the contract', () => {
    const bits = { rawCredential: '1f00', bitLength: 16 };
    expect(encodeDraft({ kind: 'raw', ...holder, ...bits })).toEqual({ ...holder, ...bits });
    const login = { username: 'u', password: 'p', realm: 'x' };
    expect(encodeLogin(login)).toEqual({ username: 'u', password: 'p' });
    const payload = { deviceSerialNumber: '0A', payload: 'AA==' };
    expect(encodePayloads([{ ...payload, note: 'x' } as typeof payload])).toEqual({ payloads: [payload] });
  });
});

it('a refusing sentence names the first of its members, and nothing else', () => {
  expect(namedMember('mobileNumber must be an international number.')).toBe('mobileNumber');
  expect(namedMember('The card number +15550100123 is in use.')).toBe('cardNumber');
  expect(namedMember('The bit_length must fit the raw credential.')).toBe('bitLength');
  expect(namedMember('The raw-credential must fit the bit length.')).toBe('rawCredential');
  expect(namedMember('No.')).toBeNull();
});
