// Members of the credentialing interface in every known reading, and what its headers say of a rate window.
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
} from '../../../src/wire/credential-codec.ts';
import { credentialEndpoints } from '../../../src/wire/credential-endpoints.ts';
import { decodeRateFacts } from '../../../src/wire/rate-limit-codec.ts';

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
    expect(decodeCredential(RECORD)).toMatchObject({
      id: 'c-1',
      kind: 'card',
      cardNumber: 1042,
      rawCredential: null,
    });
  });

  it('of a raw credential is read with its bits and without', () => {
    const raw = { ...RECORD, payloadType: 'Raw', cardFormat: null, cardNumber: null, attributes: null };
    expect(decodeCredential(raw)).toMatchObject({
      kind: 'raw',
      rawCredential: null,
      bitLength: null,
      attributes: {},
    });
    expect(decodeCredential({ ...raw, rawCredential: '1f00', bitLength: 16 })).toMatchObject({
      kind: 'raw',
      rawCredential: '1f00',
      bitLength: 16,
    });
  });

  it.each([
    ['digits as text', { cardNumber: '1042' }, { cardNumber: 1042 }],
    ['a mobile number that is none', { mobileNumber: 'call me' }, { mobileNumber: 'call me' }],
    ['attributes of other types', { attributes: { floor: 3, gone: null } }, { attributes: { floor: '3' } }],
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
  expect(decodeCredentials([RECORD, { odd: true }])).toMatchObject({
    credentials: [{ id: 'c-1' }],
    unreadable: 1,
  });
  expect(decodeCredentials({ credentials: [RECORD] })?.credentials.length).toBe(1);
  expect(decodeCredentials({ message: 'no' })).toBeNull();
});

it('a raw credential is known by its bits where the service does not name its kind', () => {
  const nameless = { ...RECORD, payloadType: null, cardFormat: null };
  expect(decodeCredential({ ...nameless, rawCredential: '0A1B' })?.kind).toBe('raw');
  expect(decodeCredential(nameless)?.kind).toBe('card');
  expect(decodeCredential({ ...nameless, cardFormat: '26A', rawCredential: '0A1B' })?.kind).toBe('card');
});

it('attributes without a value are left out', () => {
  const record = { ...RECORD, attributes: { siteId: 7, siteName: null, isStaff: true } };
  expect(decodeCredential(record)?.attributes).toEqual({ siteId: '7', isStaff: 'true' });
});

it('tokens, payloads and created credentials are read leniently', () => {
  expect(decodeToken({ token: 't', expiresIn: 0 })).toEqual({ token: 't', lifetimeMs: 3_600_000 });
  expect(decodeToken('no')).toBeNull();
  expect(decodePayloads([{ payload: 'AA==' }, { deviceSerialNumber: 's', payload: '' }])).toEqual([
    { deviceSerialNumber: 's', payload: '' },
  ]);
  expect(decodePayloads(null)).toBeNull();
  expect(decodeToken({ token: 't', expiresIn: 60 })).toEqual({ token: 't', lifetimeMs: 60_000 });
  expect(decodeToken({ token: 't' })).toEqual({ token: 't', lifetimeMs: 3_600_000 });
  expect(decodeToken({ accessToken: 't', expiresIn: '60' })).toEqual({ token: 't', lifetimeMs: 60_000 });
  expect(decodeToken({})).toBeNull();
  expect(decodeCreated({ credentialId: 'c-1' })).toEqual({ id: 'c-1', cardNumber: null });
  expect(decodeCreated({})).toBeNull();
  expect(decodePayloads({ payloads: [{ deviceSerialNumber: 's', payload: 'AA==' }] })?.length).toBe(1);
  expect(decodePayloads(undefined)).toBeNull();
});

it('a draft is sent in the members of the contract, without a number that the service is to choose', () => {
  const draft = {
    kind: 'card',
    userId: RECORD.userId,
    mobileNumber: RECORD.mobileNumber,
    cardFormat: '26A',
    facilityCode: 12,
    issueCode: 0,
    cardNumber: null,
    attributes: { siteId: '7' },
  } as const;
  const {
    credentialId: _id,
    payloadType: _type,
    cardNumber: _number,
    isDownloaded: _loaded,
    ...sent
  } = RECORD;
  expect(encodeDraft(draft)).toEqual(sent);
  expect(encodeDraft({ ...draft, cardNumber: 5 })).toMatchObject({ cardNumber: 5 });
});

it('ids are encoded in paths', () => {
  expect(credentialEndpoints.get('a b/c').path).toBe('/SMC/credentials/mobile/a%20b%2Fc');
});

it('a refusing sentence names its member, and nothing else', () => {
  expect(namedMember('mobileNumber must be an international number.')).toBe('mobileNumber');
  expect(namedMember('The card number +15550100123 is in use.')).toBe('cardNumber');
  expect(namedMember('No.')).toBeNull();
});

describe('headers of a rate window', () => {
  const at = Date.UTC(2026, 3, 14, 12);
  it.each([
    ['epoch seconds', String(at / 1_000)],
    ['epoch milliseconds', String(at)],
    ['ISO 8601', '2026-04-14T12:00:00Z'],
    ['the date of HTTP', 'Tue, 14 Apr 2026 12:00:00 GMT'],
  ])('tell the reset as %s', (_, reset) => {
    const headers = { 'x-rate-limit': '100', 'x-rate-limit-remaining': '42', 'x-rate-limit-reset': reset };
    expect(decodeRateFacts({ ...headers, date: 'Tue, 14 Apr 2026 11:59:00 GMT' })).toEqual({
      limit: 100,
      remaining: 42,
      reset: at,
      date: at - 60_000,
    });
  });

  it('that make no sense are ignored', () => {
    const headers = {
      'x-rate-limit': 'many',
      'x-rate-limit-remaining': '-1',
      'x-rate-limit-reset': 'soon',
      date: 'x',
    };
    expect(decodeRateFacts(headers)).toEqual({ limit: null, remaining: null, reset: null, date: null });
    expect(decodeRateFacts({})).toEqual({ limit: null, remaining: null, reset: null, date: null });
  });
});

describe('a request', () => {
  const HOLDER = { userId: RECORD.userId, mobileNumber: RECORD.mobileNumber };

  it('holds nothing but the members of the contract', () => {
    const raw = { kind: 'raw', ...HOLDER, rawCredential: '1f00', bitLength: 16 } as const;
    expect(encodeDraft(raw)).toEqual({ ...HOLDER, rawCredential: '1f00', bitLength: 16 });
    const login = { username: 'u', password: 'p', realm: 'x' };
    expect(encodeLogin(login)).toEqual({ username: 'u', password: 'p' });
    const payload = { deviceSerialNumber: '0A', payload: 'AA==', note: 'x' };
    expect(encodePayloads([payload])).toEqual({
      payloads: [{ deviceSerialNumber: '0A', payload: 'AA==' }],
    });
  });
});

describe('an answer', () => {
  it('may have a token of any length but zero', () => {
    for (const member of ['token', 'accessToken']) {
      expect(decodeToken({ [member]: 'a-long-token', expiresIn: 60 })?.token).toBe('a-long-token');
      expect(decodeToken({ [member]: '' })).toBeNull();
    }
    expect(decodeToken({ token: 't', expiresIn: -1 })?.lifetimeMs).toBe(3_600_000);
    expect(decodeToken({ token: 't', expiresIn: 1 })?.lifetimeMs).toBe(1_000);
    expect(decodePayloads([{ deviceSerialNumber: '0000A1', payload: 'AA==' }])).toHaveLength(1);
    expect(decodePayloads([{ deviceSerialNumber: '', payload: 'AA==' }])).toEqual([]);
  });

  it('that refuses several members is reported for the first that it names', () => {
    expect(namedMember('The bit_length must fit the raw credential.')).toBe('bitLength');
    expect(namedMember('The raw-credential must fit the bit length.')).toBe('rawCredential');
  });
});
