// The state of a guest's code on one lock: after the list, after an operation, after a restart, after a decision.
import { describe, expect, it } from 'vitest';
import {
  type AccessCode,
  accessCodeId,
  type CodeDraft,
} from '../../../../../src/domain/codes/access-code.ts';
import type { CodeFailureReason } from '../../../../../src/domain/codes/failure.ts';
import {
  afterEnd,
  decided,
  encouraged,
  type ListedFacts,
  leftThere,
  recalled,
  reconciled,
  sent,
  unknownCode,
} from '../../../../../src/domain/codes/guests/code-machine.ts';
import type { GuestCode, GuestDecision } from '../../../../../src/domain/codes/guests/guest.ts';
import { lockId } from '../../../../../src/domain/locks/lock.ts';
import { codeFailure } from '../../../../../src/words/code-failures.ts';

const DOOR = lockId('door');
const ID = accessCodeId('code-1');
const OTHER_ID = accessCodeId('code-2');
const NOW = 1_000_000_000;
const SETTLED_MS = 125_000;
const MINUTE = 60_000;
const WANTED: CodeDraft = { name: 'Anna', pin: '4711', schedule: { kind: 'always' } };
const FORMER: CodeDraft = { ...WANTED, pin: '0815' };
const APPS: CodeDraft = { ...WANTED, name: 'Anne' };

const UNKNOWN = unknownCode(DOOR);
const WRITTEN: GuestCode = { ...UNKNOWN, codeId: ID, written: WANTED };
const sending = (draft: CodeDraft | null) => ({ operationId: 'o', draft });
const listed = (draft: CodeDraft, id = ID): AccessCode => ({ id, readOnly: false, ...draft });
const setback = { failure: codeFailure('lock-silent'), draft: WANTED, retryAt: NOW + 1, tries: 3 };
const overwrite: GuestDecision = { choice: 'overwrite', seen: APPS };

function seen(before: GuestCode | null, codes: readonly AccessCode[], facts: Partial<ListedFacts> = {}) {
  return reconciled(before, { lockId: DOOR, codes, wanted: WANTED, now: NOW, ...facts });
}

function failed(code: GuestCode, reason: CodeFailureReason): GuestCode {
  return afterEnd(
    code,
    { failure: codeFailure(reason), codeId: null, isConfirmed: false, isDoubted: false },
    NOW,
  );
}

describe('a list with the wanted code', () => {
  it('ends the operation under way, a decision and a setback', () => {
    const busy: GuestCode = {
      ...UNKNOWN,
      sending: sending(WANTED),
      unsettledUntil: NOW + 1,
      decision: overwrite,
      setback,
    };
    expect(seen(busy, [listed(WANTED)])).toEqual(WRITTEN);
  });

  it('is recognised by the members of the code, and by its id where two are the same', () => {
    const twin = listed(WANTED, OTHER_ID);
    expect(seen(WRITTEN, [twin, listed(WANTED)]).codeId).toBe(ID);
    expect(seen(null, [listed(APPS), twin]).codeId).toBe(OTHER_ID);
    // The service may give an id to another code; what has the same digits is looked for when the guest goes.
    expect(seen(WRITTEN, [listed(APPS), twin])).toEqual({ ...WRITTEN, codeId: OTHER_ID, former: [WANTED] });
    const former = { ...WRITTEN, written: FORMER };
    expect(seen(former, [listed(APPS), listed(FORMER, OTHER_ID)])).toEqual({ ...former, codeId: OTHER_ID });
    expect(seen(former, [listed(APPS)]).codeId).toBe(ID);
    // What failed, and is there all the same, is changed in place.
    expect(seen({ ...UNKNOWN, attempted: [FORMER] }, [listed(FORMER, OTHER_ID)])).toMatchObject({
      codeId: OTHER_ID,
      written: FORMER,
    });
  });
});

describe('a list with the code that was sent', () => {
  it('counts the code as written; a decision for the former request stays', () => {
    const code: GuestCode = {
      ...WRITTEN,
      sending: sending(FORMER),
      unsettledUntil: NOW,
      decision: overwrite,
      setback,
    };
    expect(seen(code, [listed(FORMER)])).toEqual({
      ...WRITTEN,
      written: FORMER,
      decision: overwrite,
      setback,
    });
  });

  it('counts the code as written, too, while the guest is being removed', () => {
    const code: GuestCode = { ...UNKNOWN, sending: sending(WANTED) };
    expect(seen(code, [listed(WANTED)], { wanted: null })).toEqual(WRITTEN);
  });
});

describe('an operation that is sent', () => {
  it('is remembered until a list shows the guest’s code', () => {
    const leaves = sent(WRITTEN, FORMER);
    expect(leaves).toEqual({
      ...WRITTEN,
      sending: { operationId: null, draft: FORMER },
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
    expect(failed(sent(WRITTEN, FORMER), reason).attempted).toEqual(may ? [FORMER] : []);
  });

  it('may have stored the code of an earlier command, whatever the outcome of the last one', () => {
    const end = { failure: codeFailure('code-exists'), codeId: null, isConfirmed: false };
    expect(afterEnd(sent(WRITTEN, FORMER), { ...end, isDoubted: true }, NOW).attempted).toEqual([FORMER]);
    expect(afterEnd(sent(WRITTEN, FORMER), { ...end, isDoubted: false }, NOW).attempted).toEqual([]);
  });

  it('may have stored the code of an earlier try, whatever the outcome of a later one', () => {
    const again = sent(failed(sent(WRITTEN, FORMER), 'lock-silent'), FORMER);
    expect(again.attempted).toEqual([FORMER, FORMER]);
    expect(failed(again, 'code-exists').attempted).toEqual([FORMER]);
    expect(sent(again, FORMER).attempted).toHaveLength(2);
  });
});

describe('the former code of a guest', () => {
  it('is remembered while another code has its digits', () => {
    const changed = { ...WRITTEN, written: FORMER, former: [WANTED] };
    const anne = listed(APPS, OTHER_ID);
    const facts = { wanted: FORMER };
    expect(seen(changed, [listed(FORMER), anne], facts)).toEqual(changed);
    expect(seen(changed, [listed(FORMER)], facts).former).toEqual([]);
  });
});

describe('a code that a person chose to leave', () => {
  it('is remembered once, until the person decides otherwise', () => {
    const left = leftThere(leftThere({ ...WRITTEN, setback, decision: overwrite }, APPS), APPS);
    expect(left).toEqual({ ...WRITTEN, left: [APPS] });
    expect(decided(left, overwrite)).toEqual({ ...WRITTEN, decision: overwrite });
    expect(decided(left, { choice: 'overwrite', seen: FORMER }).left).toEqual([APPS]);
  });
});

describe('a list without the code that was sent', () => {
  const waiting: GuestCode = { ...UNKNOWN, sending: sending(WANTED), unsettledUntil: NOW };

  it('proves after the settling time that the operation did not happen, and nothing before', () => {
    expect(seen(waiting, [])).toEqual(UNKNOWN);
    expect(seen(waiting, [], { now: NOW - 1 })).toEqual(waiting);
    expect(seen({ ...waiting, unsettledUntil: null }, [])).toEqual(UNKNOWN);
  });

  it('ends a removal that was under way, and keeps the record of the written code', () => {
    const going: GuestCode = { ...WRITTEN, sending: sending(null), unsettledUntil: NOW + 1, setback };
    expect(seen(going, [], { wanted: null })).toEqual({ ...WRITTEN, setback });
    expect(seen(going, [listed(WANTED)], { wanted: null })).toEqual(going);
    // Wanted again, it may be added: what stood there is remembered.
    expect(seen(going, [])).toEqual({ ...UNKNOWN, attempted: [WANTED] });
    expect(seen({ ...WRITTEN, absent: 'confirmed' }, [])).toEqual({ ...UNKNOWN, attempted: [WANTED] });
    expect(seen({ ...WRITTEN, absent: 'confirmed' }, [listed(APPS)])).toEqual(WRITTEN);
    // Without a removal, a code that is gone was removed elsewhere.
    expect(seen(WRITTEN, [])).toEqual(WRITTEN);
  });
});

describe('a decision of a person', () => {
  const gone: GuestDecision = { choice: 'overwrite', seen: null };

  it('holds while the lock has the code that the person saw', () => {
    expect(seen({ ...WRITTEN, decision: overwrite }, [listed(APPS)]).decision).toEqual(overwrite);
    expect(seen({ ...WRITTEN, decision: gone }, []).decision).toEqual(gone);
  });

  it.each<[string, GuestDecision, readonly AccessCode[]]>([
    ['the code is another by now', overwrite, [listed({ ...APPS, pin: '9999' })]],
    ['the code has gone', overwrite, []],
    ['the code is back', gone, [listed(APPS)]],
  ])('is dropped when %s', (_, decision, codes) => {
    expect(seen({ ...WRITTEN, decision }, codes).decision).toBeNull();
  });

  it('about a code that is to be removed holds while any code is as the person saw it', () => {
    const code = { ...WRITTEN, decision: overwrite };
    const facts = { wanted: null } as const;
    expect(seen(code, [listed(APPS, OTHER_ID)], facts).decision).toEqual(overwrite);
    expect(seen(code, [listed(APPS, OTHER_ID)]).decision).toBeNull();
    expect(seen(code, [listed(FORMER, OTHER_ID)], facts).decision).toBeNull();
  });

  it('ends the setback of earlier tries', () => {
    expect(decided({ ...WRITTEN, setback }, overwrite)).toEqual({ ...WRITTEN, decision: overwrite });
  });
});

describe('an operation that succeeded', () => {
  const busy: GuestCode = { ...WRITTEN, unsettledUntil: NOW, decision: overwrite, setback };

  it('leaves the code as it was sent, under the id that the service named', () => {
    const code = { ...busy, sending: sending(FORMER) };
    const done = { ...WRITTEN, written: FORMER, former: [WANTED], decision: overwrite };
    expect(afterEnd(code, { failure: null, codeId: null, isConfirmed: true, isDoubted: false }, NOW)).toEqual(
      done,
    );
    expect(
      afterEnd(code, { failure: null, codeId: OTHER_ID, isConfirmed: true, isDoubted: false }, NOW),
    ).toEqual({
      ...done,
      codeId: OTHER_ID,
    });
  });

  it('without sending anything leaves the record of the written code', () => {
    expect(afterEnd(busy, { failure: null, codeId: null, isConfirmed: true, isDoubted: false }, NOW)).toEqual(
      {
        ...WRITTEN,
        decision: overwrite,
      },
    );
  });

  it('as a removal is confirmed by the service alone; one list without the code proves nothing', () => {
    const going = { ...busy, sending: sending(null) };
    expect(afterEnd(going, { failure: null, codeId: ID, isConfirmed: true, isDoubted: false }, NOW)).toEqual({
      ...WRITTEN,
      absent: 'confirmed',
    });
    expect(afterEnd(going, { failure: null, codeId: ID, isConfirmed: false, isDoubted: false }, NOW)).toEqual(
      {
        ...WRITTEN,
        sending: sending(null),
      },
    );
  });
});

describe('an operation that failed', () => {
  const busy: GuestCode = { ...WRITTEN, sending: sending(FORMER) };

  it('causes no setback when nothing was sent, or when the codes had changed meanwhile', () => {
    expect(failed({ ...WRITTEN, setback, unsettledUntil: NOW }, 'lock-silent')).toEqual(WRITTEN);
    expect(failed({ ...busy, setback }, 'changed-meanwhile')).toEqual(busy);
    const going = { ...WRITTEN, sending: sending(null), setback };
    expect(failed(going, 'code-id-invalid').setback).toBeNull();
    expect(failed(busy, 'code-id-invalid').setback).not.toBeNull();
    expect(failed({ ...WRITTEN, setback }, 'outcome-unknown')).toEqual({
      ...WRITTEN,
      unsettledUntil: NOW + SETTLED_MS,
    });
  });

  it('is tried again after 5, 10, 20 minutes and so on, up to 6 hours', () => {
    const waits = Array.from({ length: 8 }, (_, tries) =>
      failed({ ...busy, setback: { ...setback, tries } }, 'lock-silent'),
    );
    expect(waits.map((code) => ((code.setback?.retryAt ?? 0) - NOW) / MINUTE)).toEqual([
      5, 10, 20, 40, 80, 160, 320, 360,
    ]);
    expect(waits[3]?.setback).toEqual({
      failure: codeFailure('lock-silent'),
      draft: FORMER,
      retryAt: NOW + 40 * MINUTE,
      tries: 4,
    });
  });

  it('begins with the first pause where there was no setback, and may take effect only if its outcome is unknown', () => {
    expect(failed(busy, 'outcome-unknown')).toEqual({
      ...busy,
      unsettledUntil: NOW + SETTLED_MS,
      setback: {
        failure: codeFailure('outcome-unknown'),
        draft: FORMER,
        retryAt: NOW + 5 * MINUTE,
        tries: 1,
      },
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

describe('after a restart', () => {
  it('a code that was sent may still take effect for the usual time, and no other operation is under way', () => {
    const busy: GuestCode = { ...UNKNOWN, sending: sending(WANTED) };
    expect(recalled(busy, NOW)).toEqual({ ...busy, unsettledUntil: NOW + SETTLED_MS });
    expect(recalled(WRITTEN, NOW)).toBe(WRITTEN);
  });
});

describe('a lock that is back', () => {
  it('has its failed operation tried at once, and the count of failures goes on', () => {
    expect(encouraged({ ...WRITTEN, setback })).toEqual({ ...WRITTEN, setback: { ...setback, retryAt: 0 } });
    expect(encouraged(WRITTEN)).toBe(WRITTEN);
  });
});
