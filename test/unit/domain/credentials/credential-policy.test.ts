// Drafts that are refused before a call, drafts with a warning, and when a credential at the service is the wanted one.
import { describe, expect, it } from 'vitest';
import { mayCreate, SETTLES_WITHIN_MS } from '../../../../src/domain/credentials/create-attempt-policy.ts';
import {
  type CardDraft,
  type Credential,
  credentialId,
  type RawDraft,
} from '../../../../src/domain/credentials/credential.ts';
import {
  draftFaults,
  draftWarnings,
  idProblem,
  matchesDraft,
  payloadFaults,
} from '../../../../src/domain/credentials/credential-policy.ts';
import { callsOf, planImport, stepsToDo } from '../../../../src/domain/credentials/import-plan-policy.ts';

const USER = '1b0f3c9e-7a44-4f0e-9d5e-2f6b8f0a9c11';

const CARD: CardDraft = {
  kind: 'card',
  userId: USER,
  mobileNumber: '+15550100123',
  cardFormat: '26A',
  facilityCode: 12,
  issueCode: 0,
  cardNumber: null,
  attributes: { siteId: '7' },
};

const RAW: RawDraft = {
  kind: 'raw',
  userId: USER,
  mobileNumber: '+15550100123',
  rawCredential: '1f00aa55c3',
  bitLength: 37,
};

const HELD: Credential = {
  id: credentialId('c-1'),
  kind: 'card',
  userId: USER,
  mobileNumber: '+15550100123',
  cardFormat: '26A',
  cardNumber: 1042,
  facilityCode: 12,
  issueCode: 0,
  isDownloaded: false,
  attributes: { siteId: '7' },
  rawCredential: null,
  bitLength: null,
};

const fieldsOf = (draft: CardDraft | RawDraft) => draftFaults(draft).map(({ field }) => field);

describe('a draft', () => {
  it.each([
    ['a card', CARD],
    ['a raw credential', RAW],
    ['48X with its issue code', { ...CARD, cardFormat: '48X', issueCode: 20 }],
    ['a restricted format', { ...CARD, issueCode: 63 }],
    ['a mobile number that is none', { ...CARD, mobileNumber: 'call me' }],
    ['bits that are fewer than the digits hold', { ...RAW, bitLength: 8 }],
    ['an attribute without a value', { ...CARD, attributes: { note: '' } }],
  ])('is accepted: %s', (_, draft) => {
    expect(draftFaults(draft)).toEqual([]);
  });

  it.each([
    ['userId', { ...CARD, userId: 'x' }],
    ['userId', { ...CARD, userId: '00000000-0000-0000-0000-000000000000' }],
    ['mobileNumber', { ...CARD, mobileNumber: ' ' }],
    ['mobileNumber', { ...CARD, mobileNumber: 'call\u0007me' }],
    ['cardFormat', { ...CARD, cardFormat: '99Z' }],
    ['facilityCode', { ...CARD, facilityCode: -1 }],
    ['facilityCode', { ...CARD, facilityCode: Number.NaN }],
    ['issueCode', { ...CARD, issueCode: 64 }],
    ['issueCode', { ...CARD, cardFormat: '48X', issueCode: 0 }],
    ['cardNumber', { ...CARD, cardNumber: 0 }],
    ['attributes.note', { ...CARD, attributes: { note: 'a'.repeat(300) } }],
    ['rawCredential', { ...RAW, rawCredential: 'xyz' }],
    ['bitLength', { ...RAW, bitLength: 41 }],
    ['bitLength', { ...RAW, bitLength: 0 }],
  ])('is refused for its %s, and no message repeats a value', (field, draft) => {
    expect(fieldsOf(draft)).toEqual([field]);
    expect(JSON.stringify(draftFaults(draft))).not.toContain('15550100123');
  });

  it('causes a warning where services differ', () => {
    expect(draftWarnings({ ...CARD, mobileNumber: 'call me' }).map(({ field }) => field)).toEqual([
      'mobileNumber',
    ]);
    expect(draftWarnings({ ...RAW, bitLength: 8 }).map(({ field }) => field)).toEqual(['bitLength']);
    expect(draftWarnings(RAW)).toEqual([]);
  });
});

it.each(['', ' ', '.', '..', 'a/b', 'a?b', 'a#b'])('%j is not an id that could stand in a path', (id) => {
  expect(idProblem(id)).not.toBeNull();
});

it('payloads need a lock and base64, one for each lock', () => {
  const good = { deviceSerialNumber: '0000A1B2C3', payload: 'AAEC' };
  expect(payloadFaults([good])).toEqual([]);
  expect(payloadFaults([]).length).toBe(1);
  expect(payloadFaults([good, good]).map(({ field }) => field)).toEqual(['payloads[1].deviceSerialNumber']);
  expect(payloadFaults([{ ...good, payload: '***' }]).map(({ field }) => field)).toEqual([
    'payloads[0].payload',
  ]);
});

describe('a credential at the service', () => {
  it.each([
    ['the number that the service chose', CARD],
    ['other letter case of the user', { ...CARD, userId: USER.toUpperCase() }],
    ['spaces in the mobile number', { ...CARD, mobileNumber: '+1 555 010-0123' }],
  ])('is the wanted one whatever %s', (_, draft) => {
    expect(matchesDraft(HELD, draft)).toBe(true);
  });

  it.each([
    { cardNumber: 7 },
    { facilityCode: 13 },
    { cardFormat: '34S' },
    { mobileNumber: '+15550100124' },
    { attributes: {} },
    { attributes: { siteId: '8' } },
    { attributes: { siteId: '7', note: 'x' } },
  ])('differs where the draft has %j', (change) => {
    expect(matchesDraft(HELD, { ...CARD, ...change })).toBe(false);
  });

  it('of raw bits is compared by its bits where the service repeats them', () => {
    const raw: Credential = { ...HELD, kind: 'raw', cardFormat: null, attributes: {} };
    expect(matchesDraft(raw, RAW)).toBe(true);
    expect(matchesDraft({ ...raw, rawCredential: '1F00AA55C3', bitLength: 37 }, RAW)).toBe(true);
    expect(matchesDraft({ ...raw, rawCredential: '1F00AA55C4', bitLength: 37 }, RAW)).toBe(false);
    expect(matchesDraft(HELD, RAW)).toBe(false);
  });
});

describe('a create for a user', () => {
  const startedAt = 1_000_000;
  it.each([
    ['none was begun', null, 0, true],
    ['one is open', { startedAt, settledAt: null }, startedAt + SETTLES_WITHIN_MS, false],
    [
      'one is too old to be carried out',
      { startedAt, settledAt: null },
      startedAt + SETTLES_WITHIN_MS + 1,
      true,
    ],
    [
      'one was settled after the service was asked',
      { startedAt, settledAt: startedAt + 10 },
      startedAt,
      false,
    ],
    [
      'the service was asked after one was settled',
      { startedAt, settledAt: startedAt + 10 },
      startedAt + 11,
      true,
    ],
  ] as const)('is judged where %s', (_, attempt, since, may) => {
    expect(mayCreate(attempt, since)).toBe(may);
  });
});

describe('a plan', () => {
  const other = { ...HELD, id: credentialId('c-2'), userId: '2b0f3c9e-7a44-4f0e-9d5e-2f6b8f0a9c12' };
  const rows = [
    { line: 2, draft: CARD },
    { line: 3, draft: { ...RAW, userId: '3b0f3c9e-7a44-4f0e-9d5e-2f6b8f0a9c13' } },
  ];

  it('adds, keeps and changes by user, and counts the calls', () => {
    const choices = { replace: true, removeMissing: true, site: null };
    const plan = planImport(rows, [{ ...HELD, facilityCode: 9 }, other], choices);
    expect(plan.rows.map(({ kind }) => kind)).toEqual(['change', 'add']);
    expect(plan.missing).toEqual([other]);
    expect(Object.fromEntries(callsOf(plan))).toEqual({ create: 1, 'create-raw': 1, delete: 2 });
    const careful = { ...plan, choices: { replace: false, removeMissing: false, site: null } };
    expect(stepsToDo(careful)).toMatchObject({ removals: [], changes: [] });
    expect(Object.fromEntries(callsOf(careful))).toEqual({ 'create-raw': 1 });
  });

  it('keeps a credential that is as its row wants it, alone, and in any letter case of the user', () => {
    const choices = { replace: true, removeMissing: true, site: null };
    const held = { ...HELD, userId: USER.toUpperCase() };
    expect(planImport(rows.slice(0, 1), [held], choices)).toEqual({
      choices,
      rows: [{ kind: 'keep', row: rows[0], credential: held }],
      missing: [],
    });
  });

  it('marks only credentials of the site as missing', () => {
    const choices = { replace: false, removeMissing: true, site: '8' };
    expect(planImport(rows, [other], choices).missing).toEqual([]);
    expect(planImport(rows, [other], { ...choices, site: '7' }).missing).toEqual([other]);
  });

  it('changes a user who has several credentials to one', () => {
    const twice = { ...HELD, id: credentialId('c-3') };
    const plan = planImport(rows, [HELD, twice], { replace: true, removeMissing: false, site: null });
    expect(plan.rows[0]).toMatchObject({ kind: 'change', existing: [HELD, twice] });
  });
});
