// The state of a guest's code on one lock, where neither a next step nor a story shows it: after a list, an operation, a decision.
import { describe, expect, it } from 'vitest';
import type { AccessCode } from '../../../../../src/domain/codes/access-code.ts';
import {
  decided,
  type ListedFacts,
  leftThere,
  reconciled,
  sent,
} from '../../../../../src/domain/codes/code-machine.ts';
import type { CodeFailureReason } from '../../../../../src/domain/codes/failure.ts';
import type { GuestCode, GuestDecision } from '../../../../../src/domain/codes/guest.ts';
import { codeFailure } from '../../../../../src/words/code-failures.ts';
import {
  APPS,
  DOOR,
  FORMER,
  failed,
  ID,
  listed,
  NOW,
  OTHER_ID,
  sending,
  succeeded,
  UNKNOWN,
  WANTED,
  WRITTEN,
} from '../../../../support/guest-codes.ts';

const MINUTE = 60_000;
const setback = { failure: codeFailure('lock-silent'), draft: WANTED, retryAt: NOW + 1, tries: 3 };
const overwrite: GuestDecision = { choice: 'overwrite', seen: APPS };
const gone: GuestDecision = { choice: 'overwrite', seen: null };
const busy: GuestCode = { ...WRITTEN, sending: sending(FORMER) };

function seen(before: GuestCode | null, codes: readonly AccessCode[], facts: Partial<ListedFacts> = {}) {
  return reconciled(before, { lockId: DOOR, codes, wanted: WANTED, now: NOW, ...facts });
}

describe('a list', () => {
  const changed: GuestCode = { ...WRITTEN, written: FORMER };

  it('is searched by the members of the code, and by its id where two are the same', () => {
    const twin = listed(WANTED, OTHER_ID);
    expect(seen(WRITTEN, [twin, listed(WANTED)]).codeId).toBe(ID);
    // The service may give an id to another code; what has the same digits is looked for when the guest goes.
    expect(seen(WRITTEN, [listed(APPS), twin])).toEqual({ ...WRITTEN, codeId: OTHER_ID });
    expect(seen(changed, [listed(APPS), listed(FORMER, OTHER_ID)])).toEqual({ ...changed, codeId: OTHER_ID });
    // What failed, and is there all the same, is changed in place.
    const stored = seen({ ...UNKNOWN, attempted: [FORMER] }, [listed(FORMER, OTHER_ID)]);
    expect(stored).toMatchObject({ codeId: OTHER_ID, written: FORMER });
  });

  it('keeps former codes in mind, since a list that lacks their digits may be wrong: each once, and the latest 20', () => {
    const pins = Array.from({ length: 30 }, (_, index) => ({ ...WANTED, pin: String(2_000 + index) }));
    const many = { ...changed, former: [...pins, ...pins, FORMER] };
    expect(seen(many, [listed(FORMER)], { wanted: FORMER }).former).toEqual(pins.slice(-20));
  });

  it('without the code ends a removal that was under way, and keeps the record of the written code', () => {
    const going: GuestCode = { ...WRITTEN, sending: sending(null), unsettledUntil: NOW + 1, setback };
    expect(seen(going, [], { wanted: null })).toEqual({ ...WRITTEN, setback });
    expect(seen(going, [listed(WANTED)], { wanted: null })).toEqual(going);
    // Wanted again, it may be added: what stood there is remembered.
    expect(seen(going, [])).toEqual({ ...UNKNOWN, attempted: [WANTED] });
  });

  it('keeps a decision while the lock has the code that the person saw', () => {
    const kept = (decision: GuestDecision, codes: readonly AccessCode[], facts: Partial<ListedFacts> = {}) =>
      seen({ ...WRITTEN, decision }, codes, facts).decision === decision;
    const anne = listed(APPS, OTHER_ID);
    expect([kept(overwrite, [listed(APPS)]), kept(gone, [])]).toEqual([true, true]);
    expect([kept(overwrite, []), kept(gone, [listed(APPS)])]).toEqual([false, false]);
    // Of a code that is to be removed, any code may be the one.
    expect([kept(overwrite, [anne]), kept(overwrite, [anne], { wanted: null })]).toEqual([false, true]);
  });
});

describe('an operation', () => {
  const leaves = sent(WRITTEN, FORMER);

  it.each<[CodeFailureReason, boolean, boolean]>([
    ['general-failure', true, true],
    ['lock-silent', true, true],
    ['claims-success', true, true],
    ['outcome-unknown', true, true],
    ['list-disagrees', true, true],
    ['relink', true, true],
    ['service-trouble', true, true],
    ['lock-busy', false, true],
    ['bolt-jammed', false, true],
    ['not-sent', false, true],
    ['not-permitted', true, false],
    ['lock-gone', true, false],
    ['code-exists', false, false],
    ['pin-out-of-range', false, false],
  ])('that fails as %s may have stored its code: %s; and may pass: %s', (reason, may, passes) => {
    const { attempted, setback: next } = failed(leaves, reason);
    expect(attempted).toEqual(may ? [FORMER] : []);
    expect(next?.retryAt).toBe(passes ? NOW + 5 * MINUTE : null);
  });

  it('may have stored the code of an earlier try, whatever the outcome of the last one', () => {
    const again = sent(failed(leaves, 'lock-silent'), FORMER);
    expect(again.attempted).toEqual([FORMER, FORMER]);
    expect(failed(again, 'code-exists').attempted).toEqual([FORMER]);
    expect(sent(again, FORMER).attempted).toHaveLength(2);
  });

  it('that succeeded leaves the code as it was sent, under the id that the service named', () => {
    const done = { ...WRITTEN, written: FORMER, former: [WANTED], decision: overwrite };
    const code = { ...busy, unsettledUntil: NOW, decision: overwrite, setback };
    expect(succeeded(code)).toEqual(done);
    expect(succeeded(code, OTHER_ID)).toEqual({ ...done, codeId: OTHER_ID });
    expect(succeeded({ ...code, sending: null })).toEqual({ ...WRITTEN, decision: overwrite });
  });

  it('that failed causes no setback when nothing was sent, or when the codes had changed meanwhile', () => {
    expect(failed({ ...WRITTEN, setback, unsettledUntil: NOW }, 'lock-silent')).toEqual(WRITTEN);
    expect(failed({ ...busy, setback }, 'changed-meanwhile')).toEqual(busy);
    expect(failed(busy, 'code-id-invalid').setback).not.toBeNull();
    // Ever later, as `retry-policy.ts` says.
    const fourth = failed({ ...busy, setback }, 'lock-silent').setback;
    expect(fourth).toEqual({ ...setback, draft: FORMER, retryAt: NOW + 40 * MINUTE, tries: 4 });
  });
});

it('a person who leaves a code is remembered once, until they decide otherwise', () => {
  const left = leftThere(leftThere({ ...WRITTEN, setback, decision: overwrite }, APPS), APPS);
  expect(left).toEqual({ ...WRITTEN, left: [APPS] });
  expect(decided(left, overwrite)).toEqual({ ...WRITTEN, decision: overwrite });
  expect(decided(left, { choice: 'overwrite', seen: FORMER }).left).toEqual([APPS]);
});
