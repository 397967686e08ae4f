// Drafts of credentials at every limit, with the words for a fault, and when a credential at the service is the wanted one.
import { describe, expect, it } from 'vitest';
import {
  CARD_FORMATS,
  type CardDraft,
  type Credential,
  isOfSite,
  type RawDraft,
} from '../../../../src/features/credentials/policy/credential.ts';
import {
  draftFaults,
  draftWarnings,
  idProblem,
  matchesDraft,
  payloadFaults,
  userIdProblem,
} from '../../../../src/features/credentials/policy/credential-policy.ts';
import * as drafts from '../../../support/credential-drafts.ts';
import { inWords } from '../../../support/in-words.ts';

const { USER } = drafts;

const CARD: CardDraft = { ...drafts.CARD, cardNumber: 7 };
const RAW: RawDraft = { ...drafts.RAW, bitLength: 40 };
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
    ['the largest numbers', { cardFormat: '37X', facilityCode: LARGEST, cardNumber: LARGEST }],
    ['the largest numbers of 26 bits', { cardFormat: '26A', facilityCode: 255, cardNumber: 65_535 }],
    ['the smallest numbers', { facilityCode: 0, cardNumber: 1 }],
    ['a number that the service is to choose', { cardNumber: null }],
    ['the last code of a restricted format', { issueCode: 63 }],
    ['32 attributes', { attributes: many(32) }],
    ['the issue code of its format', { cardFormat: '48X', issueCode: 20 }],
    ['an attribute without a value', { attributes: { note: '' } }],
    ['a mobile number that is none', { mobileNumber: 'call me' }],
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
    ['userId', NO_USER, { userId: '00000000-0000-0000-0000-000000000000' }],
    ['mobileNumber', 'is empty', { mobileNumber: '' }],
    ['mobileNumber', 'is empty', { mobileNumber: '  ' }],
    ['mobileNumber', NOT_PLAIN, { mobileNumber: '1'.repeat(257) }],
    ['mobileNumber', NOT_PLAIN, { mobileNumber: '+1\n2' }],
    ['cardFormat', 'must be one of 26A, 34S, 35X, 37H, 37X, 48X', { cardFormat: '26a' }],
    ...['26A', '37X'].flatMap((cardFormat) =>
      [-1, 1.5, Number.NaN, LARGEST + 1].map((facilityCode): [string, string, Partial<CardDraft>] => [
        'facilityCode',
        cardFormat === '26A' ? 'must be a whole number, 0 to 255 in this format' : WHOLE,
        { cardFormat, facilityCode },
      ]),
    ),
    ['facilityCode', 'must be a whole number, 0 to 255 in this format', { facilityCode: 256 }],
    ['cardNumber', 'must be a whole number, 1 to 65535 in this format', { cardNumber: 65_536 }],
    ['cardNumber', FROM_ONE, { cardFormat: '34S', cardNumber: 0 }],
    ['issueCode', WHOLE, { issueCode: -1 }],
    ['issueCode', 'must be 0, or 1 to 63 for a restricted format', { issueCode: 64 }],
    ['issueCode', 'must be 20 for 48X', { cardFormat: '48X', issueCode: 21 }],
    ['attributes', 'must have at most 32 entries', { attributes: many(33) }],
    ['attributes.note', NOT_PLAIN, { attributes: { note: 'a\u0000b' } }],
    ['attributes.note', 'is empty', { attributes: { note: ' ' } }],
  ])('is refused for its %s, which %s', (field, problem, change) => {
    // No message repeats a value.
    expect(inWords(draftFaults({ ...CARD, ...change }))).toEqual([{ field, problem }]);
  });
});

describe('a draft of raw bits', () => {
  it.each<[string, Partial<RawDraft>]>([
    ['all bits of its digits', { bitLength: 40 }],
    ['one bit, fewer than its digits hold', { bitLength: 1 }],
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
    expect(inWords(draftFaults({ ...RAW, ...change }))).toEqual([{ field, problem }]);
  });

  it('causes a warning where a whole digit is unused, and a card never does', () => {
    const problem = 'is shorter than rawCredential; some services refuse the difference';
    expect(inWords(draftWarnings({ ...RAW, bitLength: 36 }))).toEqual([{ field: 'bitLength', problem }]);
    expect(draftWarnings({ ...RAW, bitLength: 37 })).toEqual([]);
    expect(draftWarnings(CARD)).toEqual([]);
  });
});

it('a mobile number is that of a phone, or causes a warning', () => {
  const problem = 'does not look like an international phone number such as +15550100123';
  const warned = (mobileNumber: string) => inWords(draftWarnings({ ...CARD, mobileNumber }));
  for (const number of [
    '+15550100123',
    '+1 (555) 010-0123',
    '+49 30/1234.56',
    '+123456',
    `+1${'2'.repeat(24)}`,
  ]) {
    expect([number, warned(number)]).toEqual([number, []]);
  }
  for (const number of [
    '15550100123',
    '+05550100123',
    '+12345',
    `+1${'2'.repeat(25)}`,
    'x+15550100123',
    '+15550100123x',
    'call me',
  ]) {
    expect([number, warned(number)]).toEqual([number, [{ field: 'mobileNumber', problem }]]);
  }
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
    expect(inWords(idProblem(id))).toBe(problem);
  });

  it.each(['a', '...', 'a.b', 'a b', 'a'.repeat(256)])('may be %j', (id) => {
    expect(idProblem(id)).toBeNull();
  });

  it('of a user is a UUID', () => {
    expect(inWords([userIdProblem(USER), userIdProblem('me')])).toEqual([null, NO_USER]);
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
      expect(inWords(payloadFaults([good, { ...other, payload }]))).toEqual([
        { field: 'payloads[1].payload', problem: NOT_BASE64 },
      ]);
    },
  );

  it('are at least one, and one for each lock', () => {
    const faults = (...payloads: readonly (typeof good)[]) =>
      payloadFaults(payloads).map(({ field, problem }) => `${field} ${String(inWords(problem))}`);
    expect(faults()).toEqual(['payloads is empty; give at least one payload']);
    expect(faults(good, other, good)).toEqual([
      'payloads[2].deviceSerialNumber is there twice; keep one payload for each lock',
    ]);
    expect(faults({ ...good, deviceSerialNumber: '..' })).toEqual([
      'payloads[0].deviceSerialNumber is not an id',
    ]);
  });
});

describe('a credential at the service', () => {
  const held: Credential = { ...drafts.HELD, cardNumber: 7 };

  it.each<Partial<CardDraft>>([
    { userId: '2b0f3c9e-7a44-4f0e-9d5e-2f6b8f0a9c11' },
    { mobileNumber: '+15550100124' },
    { mobileNumber: '( )' },
    { cardFormat: '34S' },
    { facilityCode: 13 },
    { issueCode: 1 },
    { cardNumber: 8 },
    { attributes: {} },
    { attributes: { siteId: '8' } },
    { attributes: { note: '7' } },
    { attributes: { siteId: '7', note: 'x' } },
  ])('differs where the draft has %j', (change) => {
    expect(matchesDraft(held, { ...CARD, ...change })).toBe(false);
  });

  it('is the same with a number that the service chose, and in any letter case of its user', () => {
    expect(matchesDraft(held, { ...CARD, cardNumber: null })).toBe(true);
    expect(matchesDraft(held, { ...CARD, userId: USER.toUpperCase() })).toBe(true);
  });

  it('is the same with other spaces in its mobile number, and without digits only word for word', () => {
    const same = (one: string, other: string) =>
      matchesDraft({ ...held, mobileNumber: one }, { ...CARD, mobileNumber: other });
    for (const mobileNumber of ['+1 555 0100123', '+1(555)010-0123', '+1.555.010/0123']) {
      expect(same(mobileNumber, CARD.mobileNumber)).toBe(true);
    }
    expect([same('call me', 'callme'), same('call', 'call')]).toEqual([false, true]);
  });

  it('of raw bits differs with other bits or another count of bits, where the service reports them', () => {
    const raw: Credential = { ...held, kind: 'raw', rawCredential: RAW.rawCredential.toUpperCase() };
    expect(matchesDraft({ ...raw, rawCredential: null }, RAW)).toBe(true);
    expect(matchesDraft({ ...raw, rawCredential: '1F00AA55C4', bitLength: 40 }, RAW)).toBe(false);
    expect(matchesDraft({ ...held, rawCredential: '1f00aa55c3' }, RAW)).toBe(false);
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
