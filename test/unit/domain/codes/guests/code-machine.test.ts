// The state of a guest's code on one lock: after the list, after an operation, after a restart, after a decision.
import { describe, expect, it } from 'vitest';
import type { AccessCode } from '../../../../../src/domain/codes/access-code.ts';
import {
  decided,
  encouraged,
  type ListedFacts,
  leftThere,
  recalled,
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
  SETTLED_MS,
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

function seen(before: GuestCode | null, codes: readonly AccessCode[], facts: Partial<ListedFacts> = {}) {
  return reconciled(before, { lockId: DOOR, codes, wanted: WANTED, now: NOW, ...facts });
}

describe('a list', () => {
  const changed: GuestCode = { ...WRITTEN, written: FORMER };
  const anne = listed(APPS, OTHER_ID);
  const twin = listed(WANTED, OTHER_ID);

  it('with the wanted code ends the operation under way, a decision and a setback', () => {
    const busy = {
      ...UNKNOWN,
      sending: sending(WANTED),
      unsettledUntil: NOW + 1,
      decision: overwrite,
      setback,
    };
    expect(seen(busy, [listed(WANTED)])).toEqual(WRITTEN);
  });

  it('with the code that was sent counts it as written; a decision for the former request stays', () => {
    const code = { ...WRITTEN, sending: sending(FORMER), unsettledUntil: NOW, decision: overwrite, setback };
    const former = [WANTED];
    expect(seen(code, [listed(FORMER)])).toEqual({ ...changed, former, decision: overwrite, setback });
    // Also while the guest is being removed.
    const other = { ...UNKNOWN, sending: sending(WANTED) };
    expect(seen(other, [listed(WANTED)], { wanted: null })).toEqual(WRITTEN);
  });

  it('is searched by the members of the code, and by its id where two are the same', () => {
    expect(seen(WRITTEN, [twin, listed(WANTED)]).codeId).toBe(ID);
    expect(seen(null, [listed(APPS), twin]).codeId).toBe(OTHER_ID);
    // The service may give an id to another code; what has the same digits is looked for when the guest goes.
    expect(seen(WRITTEN, [listed(APPS), twin])).toEqual({ ...WRITTEN, codeId: OTHER_ID });
    expect(seen(changed, [listed(APPS), listed(FORMER, OTHER_ID)])).toEqual({ ...changed, codeId: OTHER_ID });
    expect(seen(changed, [listed(APPS)])).toEqual(changed);
    // What failed, and is there all the same, is changed in place.
    const stored = seen({ ...UNKNOWN, attempted: [FORMER] }, [listed(FORMER, OTHER_ID)]);
    expect(stored).toMatchObject({ codeId: OTHER_ID, written: FORMER });
  });

  it('keeps former codes in mind, since a list that lacks their digits may be wrong: each once, and the latest 20', () => {
    const code = { ...changed, former: [WANTED] };
    for (const codes of [[listed(FORMER), anne], [listed(FORMER)]]) {
      expect(seen(code, codes, { wanted: FORMER })).toEqual(code);
    }
    const pins = Array.from({ length: 30 }, (_, index) => ({ ...WANTED, pin: String(2_000 + index) }));
    const many = { ...changed, former: [...pins, ...pins, FORMER] };
    expect(seen(many, [listed(FORMER)], { wanted: FORMER }).former).toEqual(pins.slice(-20));
  });

  it('without the code proves after the settling time that it was not stored, and nothing before', () => {
    const waiting: GuestCode = { ...UNKNOWN, sending: sending(WANTED), unsettledUntil: NOW };
    expect(seen(waiting, [])).toEqual(UNKNOWN);
    expect(seen(waiting, [], { now: NOW - 1 })).toEqual(waiting);
    expect(seen({ ...waiting, unsettledUntil: null }, [])).toEqual(UNKNOWN);
  });

  it('without the code ends a removal that was under way, and keeps the record of the written code', () => {
    const going: GuestCode = { ...WRITTEN, sending: sending(null), unsettledUntil: NOW + 1, setback };
    const again = { ...UNKNOWN, attempted: [WANTED] };
    expect(seen(going, [], { wanted: null })).toEqual({ ...WRITTEN, setback });
    expect(seen(going, [listed(WANTED)], { wanted: null })).toEqual(going);
    // Wanted again, it may be added: what stood there is remembered.
    expect(seen(going, [])).toEqual(again);
    const removed = { ...WRITTEN, absent: { said: 'removed', since: null } } as const;
    expect(seen(removed, [])).toEqual(again);
    expect(seen(removed, [listed(APPS)])).toEqual(WRITTEN);
    // Without a removal, a code that is gone was removed elsewhere.
    expect(seen(WRITTEN, [])).toEqual(WRITTEN);
  });

  it('keeps a decision while the lock has the code that the person saw', () => {
    const kept = (decision: GuestDecision, codes: readonly AccessCode[], facts: Partial<ListedFacts> = {}) =>
      seen({ ...WRITTEN, decision }, codes, facts).decision === decision;
    expect([kept(overwrite, [listed(APPS)]), kept(gone, [])]).toEqual([true, true]);
    expect(kept(overwrite, [listed({ ...APPS, pin: '9999' })])).toBe(false);
    expect([kept(overwrite, []), kept(gone, [listed(APPS)])]).toEqual([false, false]);
    // Of a code that is to be removed, any code may be the one.
    expect([kept(overwrite, [anne]), kept(overwrite, [anne], { wanted: null })]).toEqual([false, true]);
    expect(kept(overwrite, [listed(FORMER, OTHER_ID)], { wanted: null })).toBe(false);
  });
});

describe('an operation that is sent', () => {
  const leaves = sent(WRITTEN, FORMER);

  it('is remembered until a list shows the guest’s code', () => {
    expect(leaves).toEqual({
      ...WRITTEN,
      sending: { draft: FORMER },
      attempted: [FORMER],
    });
    expect(sent(leaves, null)).toMatchObject({ sending: { draft: null }, attempted: [FORMER] });
    expect(seen(leaves, [listed(FORMER)])).toMatchObject({ written: FORMER, attempted: [] });
    expect(seen(leaves, [])).toMatchObject({ written: WANTED, attempted: [FORMER], sending: null });
  });

  it.each<[CodeFailureReason, boolean]>([
    ['lock-silent', true],
    ['general-failure', true],
    ['claims-success', true],
    ['outcome-unknown', true],
    ['list-disagrees', true],
    ['relink', true],
    ['not-sent', false],
    ['changed-meanwhile', false],
    ['code-exists', false],
    ['pin-out-of-range', false],
    ['lock-busy', false],
  ])('and fails as %s may have stored its code: %s', (reason, may) => {
    expect(failed(leaves, reason).attempted).toEqual(may ? [FORMER] : []);
  });

  it('may have stored the code of an earlier try, whatever the outcome of the last one', () => {
    const again = sent(failed(leaves, 'lock-silent'), FORMER);
    expect(again.attempted).toEqual([FORMER, FORMER]);
    expect(failed(again, 'code-exists').attempted).toEqual([FORMER]);
    expect(sent(again, FORMER).attempted).toHaveLength(2);
  });
});

describe('a decision of a person', () => {
  it('ends the setback of earlier tries', () => {
    expect(decided({ ...WRITTEN, setback }, overwrite)).toEqual({ ...WRITTEN, decision: overwrite });
  });

  it('to leave a code is remembered once, until the person decides otherwise', () => {
    const left = leftThere(leftThere({ ...WRITTEN, setback, decision: overwrite }, APPS), APPS);
    expect(left).toEqual({ ...WRITTEN, left: [APPS] });
    expect(decided(left, overwrite)).toEqual({ ...WRITTEN, decision: overwrite });
    expect(decided(left, { choice: 'overwrite', seen: FORMER }).left).toEqual([APPS]);
  });
});

describe('an operation that succeeded', () => {
  const busy: GuestCode = { ...WRITTEN, unsettledUntil: NOW, decision: overwrite, setback };
  const done = { ...WRITTEN, written: FORMER, former: [WANTED], decision: overwrite };
  const going = { ...busy, sending: sending(null) };

  it('leaves the code as it was sent, under the id that the service named', () => {
    const code = { ...busy, sending: sending(FORMER) };
    expect(succeeded(code)).toEqual(done);
    expect(succeeded(code, OTHER_ID)).toEqual({ ...done, codeId: OTHER_ID });
  });

  it('without sending anything leaves the record of the written code', () => {
    expect(succeeded(busy)).toEqual({ ...WRITTEN, decision: overwrite });
  });

  it('as a removal is noted with what the service said: that it removed the code, or knows no such id', () => {
    expect(succeeded(going, ID)).toEqual({ ...WRITTEN, absent: { said: 'removed', since: null } });
    const unknown = { ...WRITTEN, absent: { said: 'no-such-id', since: 5 } };
    const asked = { ...going, absent: { said: null, since: 5 } };
    expect(succeeded(asked, ID, false)).toEqual(unknown);
    expect(failed(asked, 'code-id-invalid')).toEqual({
      ...unknown,
      sending: sending(null),
      decision: overwrite,
    });
  });
});

describe('an operation that failed', () => {
  const busy: GuestCode = { ...WRITTEN, sending: sending(FORMER) };

  it('causes no setback when nothing was sent, or when the codes had changed meanwhile', () => {
    expect(failed({ ...WRITTEN, setback, unsettledUntil: NOW }, 'lock-silent')).toEqual(WRITTEN);
    expect(failed({ ...busy, setback }, 'changed-meanwhile')).toEqual(busy);
    expect(failed({ ...WRITTEN, sending: sending(null), setback }, 'code-id-invalid').setback).toBeNull();
    expect(failed(busy, 'code-id-invalid').setback).not.toBeNull();
    const unknown = failed({ ...WRITTEN, setback }, 'outcome-unknown');
    expect(unknown).toEqual({ ...WRITTEN, unsettledUntil: NOW + SETTLED_MS });
  });

  it('is tried again ever later, as `retry-policy.ts` says', () => {
    const fourth = failed({ ...busy, setback }, 'lock-silent').setback;
    expect(fourth).toEqual({ ...setback, draft: FORMER, retryAt: NOW + 40 * MINUTE, tries: 4 });
  });

  it('begins with the first pause where there was no setback, and may take effect only if its outcome is unknown', () => {
    const failure = codeFailure('outcome-unknown');
    expect(failed(busy, 'outcome-unknown')).toEqual({
      ...busy,
      unsettledUntil: NOW + SETTLED_MS,
      setback: { failure, draft: FORMER, retryAt: NOW + 5 * MINUTE, tries: 1 },
    });
    expect(failed({ ...busy, unsettledUntil: NOW }, 'not-sent').unsettledUntil).toBeNull();
  });

  it.each<[CodeFailureReason, boolean]>([
    ['general-failure', true],
    ['lock-silent', true],
    ['lock-busy', true],
    ['claims-success', true],
    ['bolt-jammed', true],
    ['not-sent', true],
    ['outcome-unknown', true],
    ['relink', true],
    ['service-trouble', true],
    ['pin-out-of-range', false],
    ['code-exists', false],
    ['not-permitted', false],
    ['read-only', false],
    ['lock-gone', false],
  ])('as %s may pass: %s', (reason, may) => {
    expect(failed(busy, reason).setback?.retryAt).toBe(may ? NOW + 5 * MINUTE : null);
  });
});

it('a code that was sent before a restart may still take effect for the usual time, and no other', () => {
  const busy: GuestCode = { ...UNKNOWN, sending: sending(WANTED) };
  expect(recalled(busy, NOW)).toEqual({ ...busy, unsettledUntil: NOW + SETTLED_MS });
  expect(recalled(WRITTEN, NOW)).toBe(WRITTEN);
});

it('a lock that is back has its failed operation tried at once, and the count of failures goes on', () => {
  expect(encouraged({ ...WRITTEN, setback })).toEqual({ ...WRITTEN, setback: { ...setback, retryAt: 0 } });
  expect(encouraged(WRITTEN)).toBe(WRITTEN);
});
