// What an import of credentials adds, keeps, changes and removes, and when a create may be sent for a user.
import { describe, expect, it } from 'vitest';
import {
  mayCreate,
  SETTLES_WITHIN_MS,
} from '../../../../src/features/credentials/policy/create-attempt-policy.ts';
import { credentialId } from '../../../../src/features/credentials/policy/credential.ts';
import {
  callsOf,
  planImport,
  stepsToDo,
} from '../../../../src/features/credentials/policy/import-plan-policy.ts';
import { CARD, HELD, RAW, USER } from '../../../support/credential-drafts.ts';

describe('a create for a user', () => {
  const startedAt = 1_000_000;
  it.each([
    ['none was begun', null, 0, true],
    ['one is open', { startedAt, settledAt: null }, startedAt + SETTLES_WITHIN_MS, false],
    ['one is too old', { startedAt, settledAt: null }, startedAt + SETTLES_WITHIN_MS + 1, true],
    ['one was settled later than that', { startedAt, settledAt: startedAt + 10 }, startedAt, false],
    ['the service was asked later', { startedAt, settledAt: startedAt + 10 }, startedAt + 11, true],
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
