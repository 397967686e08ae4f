// Every limit of a credential at its last good value and at the first bad one, with the words for it.
import { describe, expect, it } from 'vitest';
import {
  CARD_FORMATS,
  type CardDraft,
  type Credential,
  credentialId,
  isOfSite,
  type RawDraft,
} from '../../../../src/domain/credentials/credential.ts';
import {
  draftFaults,
  draftWarnings,
  idProblem,
  matchesDraft,
  payloadFaults,
  userIdProblem,
} from '../../../../src/domain/credentials/credential-policy.ts';

const USER = '1b0f3c9e-7a44-4f0e-9d5e-2f6b8f0a9c11';
const CARD: CardDraft = {
  kind: 'card',
  userId: USER,
  mobileNumber: '+15550100123',
  cardFormat: '26A',
  facilityCode: 12,
  issueCode: 0,
  cardNumber: 7,
  attributes: { siteId: '7' },
};
const RAW: RawDraft = {
  kind: 'raw',
  userId: USER,
  mobileNumber: '+15550100123',
  rawCredential: '1f00aa55c3',
  bitLength: 40,
};
const LARGEST = 2 ** 48 - 1;

const NOT_PLAIN = 'must be plain text of at most 256 characters';
const NO_USER = 'must be a UUID of version 4, such as 1b0f3c9e-7a44-4f0e-9d5e-2f6b8f0a9c11';
const WHOLE = 'must be a whole number, 0 or more';
const FROM_ONE = 'must be a whole number, 1 or more';
const many = (count: number): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${String(index)}`, 'x']));

describe('a draft of a card', () => {
  it.each<[string, Partial<CardDraft>]>([
    ['a text of 256 characters', { mobileNumber: '1'.repeat(256) }],
    ['the largest numbers', { facilityCode: LARGEST, cardNumber: LARGEST }],
    ['the smallest numbers', { facilityCode: 0, cardNumber: 1 }],
    ['a number that the service is to choose', { cardNumber: null }],
    ['the last code of a restricted format', { issueCode: 63 }],
    ['32 attributes', { attributes: many(32) }],
    ['a user in capitals', { userId: USER.toUpperCase() }],
    ['a user of each variant', { userId: '1b0f3c9e-7a44-4f0e-8d5e-2f6b8f0a9c11' }],
  ])('may have %s', (_, change) => {
    expect(draftFaults({ ...CARD, ...change })).toEqual([]);
  });

  it.each(CARD_FORMATS)('may have the format %s', (cardFormat) => {
    expect(draftFaults({ ...CARD, cardFormat, issueCode: cardFormat === '48X' ? 20 : 0 })).toEqual([]);
  });

  it.each<[string, string, Partial<CardDraft>]>([
    ['userId', NO_USER, { userId: `${USER}0` }],
    ['userId', NO_USER, { userId: `0${USER}` }],
    ['userId', NO_USER, { userId: '1b0f3c9e-7a44-1f0e-9d5e-2f6b8f0a9c11' }],
    ['userId', NO_USER, { userId: '1b0f3c9e-7a44-4f0e-cd5e-2f6b8f0a9c11' }],
    ['mobileNumber', 'is empty', { mobileNumber: '' }],
    ['mobileNumber', 'is empty', { mobileNumber: '  ' }],
    ['mobileNumber', NOT_PLAIN, { mobileNumber: '1'.repeat(257) }],
    ['mobileNumber', NOT_PLAIN, { mobileNumber: '+1\n2' }],
    ['cardFormat', 'must be one of 26A, 34S, 35X, 37H, 37X, 48X', { cardFormat: '26a' }],
    ['facilityCode', WHOLE, { facilityCode: -1 }],
    ['facilityCode', WHOLE, { facilityCode: 1.5 }],
    ['facilityCode', WHOLE, { facilityCode: LARGEST + 1 }],
    ['cardNumber', FROM_ONE, { cardNumber: 0 }],
    ['issueCode', WHOLE, { issueCode: -1 }],
    ['issueCode', 'must be 0, or 1 to 63 for a restricted format', { issueCode: 64 }],
    ['issueCode', 'must be 20 for 48X', { cardFormat: '48X', issueCode: 21 }],
    ['attributes', 'holds more than 32 entries', { attributes: many(33) }],
    ['attributes.note', NOT_PLAIN, { attributes: { note: 'a\u0000b' } }],
    ['attributes.note', 'is empty', { attributes: { note: ' ' } }],
  ])('is refused for its %s, which %s', (field, problem, change) => {
    expect(draftFaults({ ...CARD, ...change })).toEqual([{ field, problem }]);
  });
});

describe('a draft of raw bits', () => {
  it.each<[string, Partial<RawDraft>]>([
    ['all bits of its digits', { bitLength: 40 }],
    ['one bit', { bitLength: 1 }],
    ['capitals', { rawCredential: 'ABCDEF0123' }],
    ['256 digits', { rawCredential: 'a'.repeat(256), bitLength: 1_024 }],
  ])('may have %s', (_, change) => {
    expect(draftFaults({ ...RAW, ...change })).toEqual([]);
  });

  it.each<[string, string, Partial<RawDraft>]>([
    ['rawCredential', 'must be hexadecimal, 1 to 256 digits', { rawCredential: '' }],
    ['rawCredential', 'must be hexadecimal, 1 to 256 digits', { rawCredential: '1f00aa55cg' }],
    ['rawCredential', 'must be hexadecimal, 1 to 256 digits', { rawCredential: 'g1f00aa55c' }],
    ['rawCredential', 'must be hexadecimal, 1 to 256 digits', { rawCredential: 'a'.repeat(257) }],
    ['bitLength', 'is longer than rawCredential; it cannot exceed its bits', { bitLength: 41 }],
    ['bitLength', FROM_ONE, { bitLength: 0 }],
  ])('is refused for its %s, which %s', (field, problem, change) => {
    expect(draftFaults({ ...RAW, ...change })).toEqual([{ field, problem }]);
  });

  it('causes a warning where a whole digit is unused, and a card never does', () => {
    const problem = 'is shorter than rawCredential; some services refuse the difference';
    expect(draftWarnings({ ...RAW, bitLength: 36 })).toEqual([{ field: 'bitLength', problem }]);
    expect(draftWarnings({ ...RAW, bitLength: 37 })).toEqual([]);
    expect(draftWarnings(CARD)).toEqual([]);
  });
});

describe('a mobile number', () => {
  const problem = 'does not look like an international phone number such as +15550100123';
  const warned = (mobileNumber: string) => draftWarnings({ ...CARD, mobileNumber });

  it.each(['+15550100123', '+1 (555) 010-0123', '+49 30/1234.56', '+123456', `+1${'2'.repeat(24)}`])(
    '%j is that of a phone',
    (number) => {
      expect(warned(number)).toEqual([]);
    },
  );

  it.each(['15550100123', '+05550100123', '+12345', `+1${'2'.repeat(25)}`, 'x+15550100123', '+15550100123x'])(
    '%j causes a warning',
    (number) => {
      expect(warned(number)).toEqual([{ field: 'mobileNumber', problem }]);
    },
  );
});

describe('an id', () => {
  it.each([
    ['', 'is empty; name one'],
    [' ', 'is empty; name one'],
    ['.', 'is not an id'],
    ['..', 'is not an id'],
    ['a/b', 'is not an id'],
    ['a\\b', 'is not an id'],
    ['a?b', 'is not an id'],
    ['a#b', 'is not an id'],
    ['a\tb', NOT_PLAIN],
    ['a'.repeat(257), NOT_PLAIN],
  ])('%j %s', (id, problem) => {
    expect(idProblem(id)).toBe(problem);
  });

  it.each(['a', '...', 'a.b', 'a b', 'a'.repeat(256)])('may be %j', (id) => {
    expect(idProblem(id)).toBeNull();
  });

  it('of a user is a UUID', () => {
    expect([userIdProblem(USER), userIdProblem('me')]).toEqual([null, NO_USER]);
  });
});

describe('payloads', () => {
  const good = { deviceSerialNumber: '0000A1B2C3', payload: 'AAEC' };
  const other = { ...good, deviceSerialNumber: '0000A1B2C4' };
  const NOT_BASE64 = 'must be base64, at most 65536 characters';

  it.each(['AA==', 'AAE=', 'AAEC', '+/+/', 'A'.repeat(65_536)])('may be base64 (%#)', (payload) => {
    expect(payloadFaults([{ ...good, payload }])).toEqual([]);
  });

  it.each(['', 'A', 'AA', 'AAE', 'AAEC=', '=AAEC', ' AAEC', 'AAEC ', 'A_E-', 'A'.repeat(65_540)])(
    'are refused in another form (%#)',
    (payload) => {
      expect(payloadFaults([good, { ...other, payload }])).toEqual([
        { field: 'payloads[1].payload', problem: NOT_BASE64 },
      ]);
    },
  );

  it('are at least one, and one for each lock', () => {
    expect(payloadFaults([])).toEqual([
      { field: 'payloads', problem: 'is empty; give at least one payload' },
    ]);
    expect(payloadFaults([good, other, good])).toEqual([
      {
        field: 'payloads[2].deviceSerialNumber',
        problem: 'is there twice; keep one payload for each lock',
      },
    ]);
    expect(payloadFaults([{ ...good, deviceSerialNumber: '..' }])).toEqual([
      { field: 'payloads[0].deviceSerialNumber', problem: 'is not an id' },
    ]);
  });
});

describe('a credential at the service', () => {
  const held: Credential = {
    id: credentialId('c-1'),
    kind: 'card',
    userId: USER,
    mobileNumber: '+15550100123',
    cardFormat: '26A',
    cardNumber: 7,
    facilityCode: 12,
    issueCode: 0,
    isDownloaded: false,
    attributes: { siteId: '7' },
    rawCredential: null,
    bitLength: null,
  };

  it.each<[string, Partial<CardDraft>]>([
    ['user', { userId: '2b0f3c9e-7a44-4f0e-9d5e-2f6b8f0a9c11' }],
    ['issue code', { issueCode: 1 }],
    ['attributes, more of them', { attributes: { siteId: '7', note: 'x' } }],
    ['attributes, others of them', { attributes: { note: '7' } }],
    ['mobile number without digits', { mobileNumber: '( )' }],
  ])('differs with another %s', (_, change) => {
    expect(matchesDraft(held, { ...CARD, ...change })).toBe(false);
  });

  it('is the same with other spaces in its mobile number, and without digits only word for word', () => {
    for (const mobileNumber of ['+1 555 0100123', '+1(555)010-0123', '+1.555.010/0123']) {
      expect(matchesDraft({ ...held, mobileNumber }, CARD)).toBe(true);
    }
    expect(matchesDraft({ ...held, mobileNumber: 'call me' }, { ...CARD, mobileNumber: 'callme' })).toBe(
      false,
    );
    expect(matchesDraft({ ...held, mobileNumber: 'call' }, { ...CARD, mobileNumber: 'call' })).toBe(true);
  });

  it('of raw bits differs with another count of bits, where the service reports it', () => {
    const raw: Credential = { ...held, kind: 'raw', rawCredential: RAW.rawCredential.toUpperCase() };
    expect(matchesDraft({ ...raw, bitLength: 40 }, { ...RAW, rawCredential: '1F00aa55c3' })).toBe(true);
    expect(matchesDraft({ ...raw, bitLength: 39 }, RAW)).toBe(false);
    expect(matchesDraft({ ...raw, bitLength: null }, RAW)).toBe(true);
    expect(matchesDraft({ ...raw, cardFormat: '26A' }, CARD)).toBe(false);
  });

  it('belongs to a site by its attribute, and to every site when none is asked for', () => {
    expect([isOfSite(held, '7'), isOfSite(held, '8'), isOfSite(held, null)]).toEqual([true, false, true]);
    expect(isOfSite({ attributes: {} }, '7')).toBe(false);
  });
});
