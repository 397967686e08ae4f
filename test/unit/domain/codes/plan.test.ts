// What brings the codes of a lock to those of a file: by name, judged whole, in an order that a lock can take.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AccessCode,
  accessCodeId,
  type CodeDraft,
  matchesDraft,
} from '../../../../src/domain/codes/access-code.ts';
import { faultsOfCode } from '../../../../src/domain/codes/access-code-policy.ts';
import { isChange, type PlanFacts, type PlannedCode, planCodes } from '../../../../src/domain/codes/plan.ts';
import { t } from '../../../../src/words/translate.ts';

const ALWAYS = { kind: 'always' } as const;
const STAY = { kind: 'temporary', from: 1, until: 2 } as const;

function code(name: string, pin: string, rest: Partial<AccessCode> = {}): AccessCode {
  return { id: accessCodeId(name), name, pin, schedule: ALWAYS, readOnly: false, ...rest };
}

const draft = (name: string, pin: string, rest: Partial<CodeDraft> = {}): CodeDraft => ({
  name,
  pin,
  schedule: ALWAYS,
  ...rest,
});

function plan(wanted: readonly CodeDraft[], have: readonly AccessCode[], rest: Partial<PlanFacts> = {}) {
  const rows = wanted.map((one, index) => ({ place: `Line ${String(index + 2)}`, draft: one }));
  return planCodes(rows, {
    have,
    guests: new Set(),
    pinLength: rest.anyLength === true ? null : (have[0]?.pin.length ?? null),
    anyLength: false,
    keepOthers: false,
    now: 0,
    random: () => 0,
    ...rest,
  });
}

function lines(...asked: Parameters<typeof plan>): readonly string[] {
  const made = plan(...asked);
  return made.faults.length === 0 ? made.steps.map(lineOf) : made.faults.map((fault) => t(fault));
}

function lineOf(step: PlannedCode): string {
  switch (step.kind) {
    case 'add':
      return `add ${step.draft.name}`;
    case 'change':
      return `change ${step.code.name} ${Object.entries(step.changes)
        .map(([member, value]) => (typeof value === 'string' ? value : member))
        .join(' ')}`;
    case 'remove':
    case 'unchanged':
    case 'read-only':
    case 'guest':
      return `${step.kind} ${step.code.name}`;
  }
}

describe('the plan of a file of codes', () => {
  it('leaves the codes of guests and read-only ones alone, and says so where a row wants another (faults#117)', () => {
    const have = [code('Anna', '4711'), code('Bob', '4712')];
    const guests = new Set([accessCodeId('Anna')]);
    expect(lines([draft('Cleo', '1111')], have, { guests })).toEqual([
      'guest Anna',
      'add Cleo',
      'remove Bob',
    ]);
    expect(lines([draft('Anna', '4711')], have, { guests })).toEqual(['guest Anna', 'remove Bob']);
    expect(lines([draft('anna', '1111')], have, { guests })).toEqual([
      'Line 2: this is a guest’s code. Change it with "latchkey guests", or add --include-guests.',
    ]);
    expect(lines([draft('Bob', '2580')], [code('Bob', '4712', { readOnly: true })])).toEqual([
      'Line 2: this code is read-only. Change it in the lock’s own app, or take the row out.',
    ]);
  });

  it('adds before it removes, and turns one code into another where there is no room for both (faults#117)', () => {
    const full = Array.from({ length: 100 }, (_, at) => code(`Old ${String(at)}`, String(1_000 + at)));
    expect(lines([draft('New', '2580')], [code('Old', '4711')])).toEqual(['add New', 'remove Old']);
    expect(lines([draft('New', '4711')], [code('Old', '4711')])).toEqual(['change Old New']);
    const rows = full.slice(1).map(({ name, pin }) => draft(name, pin));
    expect(lines([draft('New', '2580'), ...rows], full).slice(-1)).toEqual(['change Old 0 New 2580']);
  });

  it('lets two codes swap their digits by way of others (faults#117)', () => {
    const have = [code('Anna', '1111'), code('Bob', '2222')];
    expect(lines([draft('Anna', '2222'), draft('Bob', '1111')], have)).toEqual([
      'change Anna 0000',
      'change Bob 1111',
      'change Anna 2222',
    ]);
  });

  it('names every fault of every row, without digits (faults#117)', () => {
    const rows = [
      draft('Anna', '12345'),
      draft('Cleo', '2580'),
      draft('CLEO', '2581'),
      draft('Dora', '2580'),
      draft('Eve', '25', { schedule: STAY }),
    ];
    const faults = lines(rows, [code('Anna', '4711')], { now: 10 });
    expect(faults).toContain('Line 2: All codes on this lock must have the same number of digits. Use 4.');
    expect(faults).toContain('Line 4: the same lock and name as in Line 3.');
    expect(faults).toContain('Line 5: Another code on this lock is the same. Choose a different one.');
    expect(faults).toContain('Line 6: Use 4 to 8 digits.');
    expect(faults).toContain('Line 6: The end is in the past.');
    expect(faults.join(' ')).not.toMatch(/12345|258/u);
  });

  it('is accepted by the lock at every step, never with fewer codes than before or after (faults#117)', () => {
    const pins = fc.constantFrom('1111', '2222', '3333', '11112', '11113', '22221', '222211', '44444444');
    const names = fc.constantFrom('Ann', 'Ben', 'Cleo', 'Dora', 'Eve', 'Finn');
    const codes = fc.uniqueArray(fc.record({ name: names, pin: pins }), {
      selector: ({ name }) => name,
      maxLength: 6,
    });
    const made = { plans: 0 };
    fc.assert(
      fc.property(
        codes,
        codes,
        fc.boolean(),
        fc.constantFrom(0, 3, 94, 97),
        (before, rows, keepOthers, crowd) => {
          const others = Array.from({ length: crowd }, (_, at) =>
            code(`Other ${String(at)}`, String(90_000_000 + at), { readOnly: true }),
          );
          const valid: AccessCode[] = [];
          for (const { name, pin } of before) {
            if (valid.every((one) => !pin.startsWith(one.pin) && !one.pin.startsWith(pin))) {
              valid.push(code(name, pin));
            }
          }
          const have = [...others, ...valid];
          const wanted = rows.map(({ name, pin }) => draft(name, pin));
          const planned = plan(wanted, have, { anyLength: true, keepOthers, random: () => 0.1 });
          if (planned.faults.length > 0) {
            return;
          }
          made.plans += 1;
          const counts = [have.length];
          let now: readonly AccessCode[] = have;
          for (const step of planned.steps.filter(isChange)) {
            now = taken(now, step);
            counts.push(now.length);
          }
          const kept = (keepOthers ? have : others).filter(({ name }) =>
            wanted.every((one) => one.name !== name),
          );
          expect(now.length).toBe(wanted.length + kept.length);
          expect(wanted.every((one) => now.some((found) => matchesDraft(found, one)))).toBe(true);
          expect(Math.min(...counts)).toBe(Math.min(have.length, now.length));
        },
      ),
      { numRuns: 1_000 },
    );
    expect(made.plans).toBeGreaterThan(300);
  });
});

/** What a lock with room for 100 codes makes of a step; fails for one that it would refuse. */
function taken(codes: readonly AccessCode[], step: PlannedCode): readonly AccessCode[] {
  if (step.kind === 'remove') {
    return codes.filter(({ id }) => id !== step.code.id);
  }
  const old = step.kind === 'change' ? codes.find(({ id }) => id === step.code.id) : undefined;
  const next =
    step.kind === 'add'
      ? step.draft
      : { ...(old ?? step.code), ...(step.kind === 'change' ? step.changes : {}) };
  const replaces = step.kind === 'change' ? step.code.id : null;
  expect(faultsOfCode(next, { codes, variableLength: true, replaces, now: 0 })).toEqual([]);
  return step.kind === 'add'
    ? [...codes, { ...step.draft, id: accessCodeId(step.draft.name), readOnly: false }]
    : codes.map((one) => (one.id === replaces ? { ...one, ...next } : one));
}
