// What brings the codes of a lock to those of a file, by their names.
import { describe, expect, it } from 'vitest';
import { type AccessCode, accessCodeId, type CodeDraft } from '../../../src/domain/access-code.ts';
import { isChange, planCodes } from '../../../src/domain/code-plan-policy.ts';

const ALWAYS = { kind: 'always' } as const;
const STAY = { kind: 'temporary', from: 1, until: 2 } as const;

function code(name: string, rest: Partial<AccessCode> = {}): AccessCode {
  return { id: accessCodeId(name), name, pin: '4711', schedule: ALWAYS, readOnly: false, ...rest };
}
const draft = (name: string, rest: Partial<CodeDraft> = {}): CodeDraft => ({
  name,
  pin: '4711',
  schedule: ALWAYS,
  ...rest,
});

describe('the plan of a file of codes', () => {
  it('changes what differs alone, by name without regard to case', () => {
    const anna = code('Anna');
    expect(planCodes([draft('Anna')], [anna], false)).toEqual([{ kind: 'unchanged', code: anna }]);
    expect(planCodes([draft('ANNA')], [anna], false)).toEqual([
      { kind: 'change', code: anna, changes: { name: 'ANNA' } },
    ]);
    expect(planCodes([draft('Anna', { pin: '2580' })], [anna], false)).toEqual([
      { kind: 'change', code: anna, changes: { pin: '2580' } },
    ]);
    expect(planCodes([draft('Anna', { schedule: STAY })], [anna], false)).toEqual([
      { kind: 'change', code: anna, changes: { schedule: STAY } },
    ]);
  });

  it('removes what the file does not name, unless others stay, and never read-only codes', () => {
    const [anna, bob] = [code('Anna'), code('Bob', { readOnly: true })];
    expect(planCodes([], [anna, bob], false)).toEqual([
      { kind: 'read-only', code: bob },
      { kind: 'remove', code: anna },
    ]);
    expect(planCodes([draft('Bob', { pin: '2580' })], [anna, bob], true)).toEqual([
      { kind: 'read-only', code: bob },
    ]);
  });

  it('goes in the order that frees names and codes before they are needed', () => {
    const have = [code('Change'), code('Same'), code('Gone'), code('Fixed', { readOnly: true })];
    const wanted = [draft('New'), draft('Change', { pin: '2580' }), draft('Same')];
    const plan = planCodes(wanted, have, false);
    expect(plan.map(({ kind }) => kind)).toEqual(['read-only', 'unchanged', 'remove', 'change', 'add']);
    expect(plan.map(isChange)).toEqual([false, false, true, true, true]);
    expect(plan.at(-1)).toEqual({ kind: 'add', draft: draft('New') });
  });
});
