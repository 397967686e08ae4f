// The next step for a guest's code on one lock: the written, the listed and the wanted code, compared.
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
  recalled,
  unknownCode,
} from '../../../../../src/domain/codes/guests/code-machine.ts';
import { type Guest, type GuestCode, leaving } from '../../../../../src/domain/codes/guests/guest.ts';
import { nextGuestStep } from '../../../../../src/domain/codes/guests/policy.ts';
import type { GuestFacts, GuestStep } from '../../../../../src/domain/codes/guests/step.ts';
import { message } from '../../../../../src/domain/language/message.ts';
import { lockId } from '../../../../../src/domain/locks/lock.ts';
import { codeFailure } from '../../../../../src/words/code-failures.ts';

const DOOR = lockId('door');
const ID = accessCodeId('code-1');
const NOW = 1_000_000_000;
const WANTED: CodeDraft = { name: 'Anna', pin: '4711', schedule: { kind: 'always' } };
const FORMER: CodeDraft = { ...WANTED, pin: '0815' };
const APPS: CodeDraft = { ...WANTED, name: 'Anne' };

const CHECKING = message(
  'The lock did not say whether it was done. The list of codes is read again in two minutes.',
);

const GUEST: Guest = { id: 'g', draft: WANTED, locks: 'all', isLeaving: false, revision: 1, codes: [] };
const WRITTEN: GuestCode = { ...unknownCode(DOOR), codeId: ID, written: WANTED };

function listed(draft: CodeDraft, rest: Partial<AccessCode> = {}): AccessCode {
  return { id: ID, readOnly: false, ...draft, ...rest };
}

function failed(code: GuestCode, reason: CodeFailureReason): GuestCode {
  return afterEnd(
    code,
    { failure: codeFailure(reason), codeId: null, isConfirmed: false, isDoubted: false },
    NOW,
  );
}

function step(
  code: GuestCode | null,
  codes: readonly AccessCode[],
  facts: Partial<GuestFacts> = {},
  guest: Guest = GUEST,
): GuestStep {
  return nextGuestStep(
    { ...guest, codes: code === null ? [] : [code] },
    {
      lockId: DOOR,
      codes,
      variableLength: true,
      listedAt: 0,
      presence: 'reachable',
      isOwned: true,
      taken: [],
      now: NOW,
      ...facts,
    },
  );
}

describe('the code of a guest', () => {
  it('is added where it is missing, and not while the lock is away', () => {
    expect(step(null, [])).toMatchObject({
      standing: { kind: 'on-its-way' },
      request: { kind: 'add', draft: WANTED },
      code: unknownCode(DOOR),
    });
    for (const [presence, words] of [
      ['offline', 'The lock is offline. This is done when it is back.'],
      ['missing', 'The account does not list the lock at the moment. This is done when it is back.'],
    ] as const) {
      expect(step(null, [], { presence })).toEqual({
        standing: { kind: 'waiting', words: message(words), retryAt: null },
        request: null,
        code: unknownCode(DOOR),
        found: null,
      });
    }
  });

  it('that the lock has just as wanted is taken over, whoever made it', () => {
    expect(step(null, [listed(WANTED)])).toEqual({
      standing: { kind: 'up-to-date' },
      request: null,
      code: WRITTEN,
      found: listed(WANTED),
    });
  });

  it('with the digits of another guest is never taken over: it clashes until the other one is gone', () => {
    const other = listed(WANTED, { id: accessCodeId('theirs') });
    expect(step(null, [other], { taken: [other.id] })).toMatchObject({
      standing: { kind: 'refused', failure: { reason: 'code-name-exists' } },
      request: null,
    });
  });

  it('is changed in place where it stands as we wrote it, and only the differing members are sent', () => {
    expect(step({ ...WRITTEN, written: FORMER }, [listed(FORMER)])).toMatchObject({
      request: { kind: 'update', codeId: ID, changes: { pin: '4711' }, expected: FORMER },
    });
  });

  it('that another person changed is shown, and nothing is sent', () => {
    expect(step(WRITTEN, [listed(APPS)])).toMatchObject({
      standing: { kind: 'differs', fields: ['name'], found: { name: 'Anne', schedule: { kind: 'always' } } },
      request: null,
    });
    // The guest was changed, too, before anybody looked.
    expect(step({ ...WRITTEN, written: FORMER }, [listed(APPS)])).toMatchObject({
      standing: { kind: 'differs', fields: ['name'] },
      request: null,
    });
  });

  it('that another person removed is not added again unasked', () => {
    expect(step(WRITTEN, [])).toMatchObject({ standing: { kind: 'removed-elsewhere' }, request: null });
    expect(step(decided(WRITTEN, { choice: 'overwrite', seen: null }), [])).toMatchObject({
      request: { kind: 'add' },
    });
    expect(step(decided(WRITTEN, { choice: 'keep', seen: null }), [])).toMatchObject({
      standing: { kind: 'kept' },
      request: null,
    });
  });

  it('is overwritten only as far as the person saw it', () => {
    const code = decided(WRITTEN, { choice: 'overwrite', seen: APPS });
    expect(step(code, [listed(APPS)])).toMatchObject({
      request: { kind: 'update', changes: { name: 'Anna' }, expected: APPS },
    });
    expect(step(code, [listed({ ...APPS, pin: '9999' })])).toMatchObject({
      standing: { kind: 'differs' },
      request: null,
      code: { decision: null },
    });
  });

  it('that a person left to the app stays so when the guest changes, until the person decides otherwise', () => {
    const kept = decided(WRITTEN, { choice: 'keep', seen: APPS });
    expect(step(kept, [listed(APPS)], {}, { ...GUEST, draft: FORMER })).toMatchObject({
      standing: { kind: 'kept' },
      request: null,
    });
    expect(step(kept, [listed(WANTED)])).toMatchObject({
      standing: { kind: 'up-to-date' },
      code: { decision: null },
    });
  });

  it.each<[string, Partial<GuestFacts>, readonly AccessCode[], CodeFailureReason]>([
    ['a name', {}, [listed({ ...FORMER, name: 'ANNA' }, { id: accessCodeId('x') })], 'code-name-exists'],
    ['a code', {}, [listed({ ...WANTED, name: 'Bob' }, { id: accessCodeId('x') })], 'code-exists'],
    [
      'the beginning of a code',
      {},
      [listed({ ...WANTED, name: 'Bob', pin: '47110' }, { id: accessCodeId('x') })],
      'code-superset-in-use',
    ],
    [
      'another length',
      { variableLength: false },
      [listed({ ...WANTED, name: 'Bob', pin: '123456' }, { id: accessCodeId('x') })],
      'code-length-out-of-range',
    ],
    ['an account that is no owner', { isOwned: false }, [], 'not-permitted'],
  ])('is refused before anything is sent for %s', (_, facts, codes, reason) => {
    const named = { ...GUEST, locks: [DOOR] };
    expect(step(null, codes, facts, named)).toMatchObject({
      standing: { kind: 'refused', failure: { reason } },
      request: null,
    });
  });

  it('is not changed to a name or a code that another guest has on the lock', () => {
    const ours = { ...WRITTEN, written: FORMER };
    const other = (draft: Partial<CodeDraft>): AccessCode =>
      listed({ ...FORMER, name: 'Bob', pin: '2580', ...draft }, { id: accessCodeId('x') });
    expect(step(ours, [listed(FORMER), other({ pin: WANTED.pin })])).toMatchObject({
      standing: { kind: 'refused', failure: { reason: 'code-exists' } },
      request: null,
    });
    expect(step(ours, [listed(FORMER), other({})]).request).toMatchObject({ kind: 'update' });
    // Only what changes is judged: the name that both have was there before.
    expect(step(ours, [listed(FORMER), other({ name: WANTED.name })]).request).toMatchObject({
      kind: 'update',
    });
  });

  it('that is read-only is left alone', () => {
    const code = { ...WRITTEN, written: FORMER };
    expect(step(code, [listed(FORMER, { readOnly: true })])).toMatchObject({
      standing: { kind: 'refused', failure: { reason: 'read-only' } },
    });
  });

  it('with a past schedule is not added again', () => {
    const schedule = { kind: 'temporary', from: 0, until: NOW } as const;
    const guest = { ...GUEST, draft: { ...WANTED, schedule } };
    expect(step(null, [], {}, guest).standing).toEqual({ kind: 'ended' });
    expect(step({ ...WRITTEN, written: guest.draft }, [], {}, guest).standing).toEqual({ kind: 'ended' });
  });
});

describe('the code of a guest who goes', () => {
  const goes = leaving({ ...GUEST, codes: [WRITTEN] });

  it('is removed, also after the set of locks has become smaller', () => {
    for (const guest of [goes, { ...GUEST, locks: [] }]) {
      expect(step(WRITTEN, [listed(WANTED)], {}, guest)).toMatchObject({
        request: { kind: 'remove', codeId: ID, expected: WANTED },
        code: WRITTEN,
      });
    }
  });

  it('waits for a lock that is away', () => {
    expect(step(WRITTEN, [listed(WANTED)], { presence: 'offline' }, goes)).toMatchObject({
      standing: { kind: 'waiting' },
      code: { codeId: ID },
    });
  });

  it('that another person changed waits for a decision', () => {
    const anne = { kind: 'look-alike', name: 'Anne', has: 'digits', isLeft: false };
    expect(step(WRITTEN, [listed(APPS)], {}, goes).standing).toEqual(anne);
    const [keep, overwrite] = (['keep', 'overwrite'] as const).map((choice) =>
      step(decided(WRITTEN, { choice, seen: APPS }), [listed(APPS)], {}, goes),
    );
    // What was kept while the guest stayed says nothing of the removal (faults#116).
    expect([keep?.standing, overwrite?.request?.kind]).toEqual([anne, 'remove']);
  });

  it('is added again when the guest comes back to the lock, however the removal ended', () => {
    const sending = { operationId: 'o', draft: null };
    const done = afterEnd(
      { ...WRITTEN, sending },
      { failure: null, codeId: ID, isConfirmed: true, isDoubted: false },
      NOW,
    );
    for (const code of [done, recalled({ ...WRITTEN, sending }, NOW)]) {
      expect(step(code, []).request).toMatchObject({ kind: 'add' });
    }
  });

  it('that was being added is waited for, and then removed', () => {
    const sent: GuestCode = { ...unknownCode(DOOR), sending: { operationId: 'o', draft: WANTED } };
    const recent = recalled(sent, NOW);
    expect(step(recent, [], {}, goes)).toMatchObject({ standing: { kind: 'waiting' }, request: null });
    expect(step(recent, [listed(WANTED)], {}, goes).request).toMatchObject({ kind: 'remove' });
    expect(step(recent, [], { now: NOW + 125_000 }, goes).code).toBeNull();
    const attempted = { ...recent, attempted: [WANTED] };
    expect(step(attempted, [], { now: NOW + 125_000 }, goes)).toMatchObject({
      standing: { kind: 'on-its-way' },
      code: { absent: 0 },
    });
  });
});

describe('after an operation', () => {
  const sent: GuestCode = { ...unknownCode(DOOR), sending: { operationId: 'o', draft: WANTED } };

  it('of unknown outcome, nothing is sent before it is settled', () => {
    const code = failed(sent, 'outcome-unknown');
    // Not even when a person wants it tried again at once.
    for (const one of [code, encouraged(code)]) {
      expect(step(one, [], { now: NOW + 124_000 })).toMatchObject({
        standing: { kind: 'waiting' },
        request: null,
      });
    }
    expect(step(code, [listed(WANTED)])).toMatchObject({ standing: { kind: 'up-to-date' }, code: WRITTEN });
    expect(step(encouraged(code), [], { now: NOW + 125_000 }).request).toMatchObject({ kind: 'add' });
  });

  it('that succeeded, the code counts as written, also when the list lacks it', () => {
    const code = afterEnd(sent, { failure: null, codeId: ID, isConfirmed: true, isDoubted: false }, NOW);
    expect(step(code, [listed(WANTED)])).toMatchObject({ standing: { kind: 'up-to-date' } });
    expect(step(code, [])).toMatchObject({ standing: { kind: 'removed-elsewhere' }, request: null });
  });

  it.each<CodeFailureReason>(['not-sent', 'lock-silent', 'general-failure', 'service-trouble'])(
    'that failed as %s, the guest is tried again later, each time later, or at once when the lock is back',
    (reason) => {
      const once = failed(sent, reason);
      expect(step(once, [])).toMatchObject({ standing: { kind: 'waiting' }, request: null });
      expect(step(once, [], { now: NOW + 5 * 60_000 }).request).not.toBeNull();
      expect(step(encouraged(once), []).request).not.toBeNull();
      const twice = failed({ ...once, sending: sent.sending }, reason);
      expect(step(twice, [], { now: NOW + 5 * 60_000 }).request).toBeNull();
    },
  );

  it('that was refused for good, nothing is sent until the guest or the lock changes', () => {
    const code = failed(sent, 'pin-out-of-range');
    expect(step(code, [], { now: NOW + 1e9 })).toMatchObject({
      standing: { kind: 'refused', failure: { reason: 'pin-out-of-range' } },
      request: null,
    });
    expect(step(code, [], {}, { ...GUEST, draft: FORMER }).request).toMatchObject({ kind: 'add' });
    expect(step(encouraged(code), []).request).not.toBeNull();
  });

  it('that met other codes than expected, the difference is shown', () => {
    const code = failed({ ...WRITTEN, sending: sent.sending }, 'changed-meanwhile');
    expect(step(code, [listed(APPS)]).standing.kind).toBe('differs');
  });

  it('the status names what it waits for: the list, or the time of the next try', () => {
    const unknown = failed(sent, 'outcome-unknown');
    expect(step(unknown, [])).toEqual({
      code: unknown,
      standing: { kind: 'waiting', words: CHECKING, retryAt: null },
      request: null,
      found: null,
    });
    const silent = failed(sent, 'lock-silent');
    expect(step(silent, []).standing).toEqual({
      kind: 'waiting',
      words: codeFailure('lock-silent').words,
      retryAt: NOW + 5 * 60_000,
    });
    // The time of a try is the time to try.
    expect(step(silent, [], { now: NOW + 5 * 60_000 - 1 }).request).toBeNull();
  });
});

describe('a setback', () => {
  const stay = { kind: 'temporary', from: NOW, until: NOW + 1 } as const;
  const refused = (draft: CodeDraft | null): GuestCode =>
    failed({ ...WRITTEN, sending: { operationId: 'o', draft } }, 'not-permitted');
  const goes = leaving({ ...GUEST, codes: [WRITTEN] });

  it('delays the same change alone: adding is not removing', () => {
    expect(step(refused(null), [listed(WANTED)], {}, goes)).toMatchObject({
      standing: { kind: 'refused', failure: { reason: 'not-permitted' } },
      request: null,
    });
    expect(step(refused(WANTED), [listed(WANTED)], {}, goes).request).toMatchObject({ kind: 'remove' });
    const back = decided(WRITTEN, { choice: 'overwrite', seen: null });
    expect(step({ ...back, setback: refused(null).setback }, []).request).toMatchObject({ kind: 'add' });
  });

  it('delays no change to another name, code or schedule', () => {
    const code = { ...refused(FORMER), written: null, codeId: null, sending: null };
    expect(step(code, [], {}, { ...GUEST, draft: FORMER }).request).toBeNull();
    for (const draft of [WANTED, { ...FORMER, name: 'Anne' }, { ...FORMER, schedule: stay }]) {
      expect(step(code, [], {}, { ...GUEST, draft }).request).toMatchObject({ kind: 'add' });
    }
  });
});

describe('a difference', () => {
  const stay = { kind: 'temporary', from: NOW, until: NOW + 1 } as const;
  const ours: GuestCode = { ...WRITTEN, written: FORMER };

  it('names every member that differs from the wanted one, and shows no digits', () => {
    const theirs: CodeDraft = { name: 'Anne', pin: '9999', schedule: stay };
    expect(step(ours, [listed(theirs)])).toEqual({
      code: ours,
      standing: {
        kind: 'differs',
        fields: ['name', 'pin', 'schedule'],
        found: { name: 'Anne', schedule: stay },
      },
      request: null,
      found: listed(theirs),
    });
  });

  it('is overwritten with every member that differs, and with no other', () => {
    const theirs: CodeDraft = { ...WANTED, schedule: stay };
    const code = decided(ours, { choice: 'overwrite', seen: theirs });
    expect(step(code, [listed(theirs)]).request).toEqual({
      kind: 'update',
      codeId: ID,
      changes: { schedule: WANTED.schedule },
      expected: theirs,
    });
  });

  it('is absent for a guest who leaves before the code was ever seen', () => {
    const goes = leaving({ ...GUEST, codes: [WRITTEN] });
    const unseen: GuestCode = { ...unknownCode(DOOR), codeId: ID };
    expect(step(unseen, [listed(WANTED)], {}, goes).request).toMatchObject({ kind: 'remove' });
    expect(step(unseen, [listed(APPS)], {}, goes).standing.kind).toBe('look-alike');
  });

  it('is absent for a leaving guest where the lock has the wanted or the written code', () => {
    const goes = leaving({ ...GUEST, codes: [ours] });
    for (const there of [WANTED, FORMER]) {
      expect(step(ours, [listed(there)], {}, goes).request).toEqual({
        kind: 'remove',
        codeId: ID,
        expected: there,
      });
    }
  });

  it('is left to the lock’s own app for a leaving guest with a read-only code', () => {
    const goes = leaving({ ...GUEST, codes: [WRITTEN] });
    expect(step(WRITTEN, [listed(WANTED, { readOnly: true })], {}, goes)).toMatchObject({
      standing: { kind: 'refused', failure: { reason: 'read-only' } },
      request: null,
      code: WRITTEN,
    });
    // A code that may not be changed is refused for that, and for nothing after it.
    expect(step(WRITTEN, [listed(WANTED)], { isOwned: false }, goes).standing).toEqual({
      kind: 'refused',
      failure: codeFailure('not-permitted'),
    });
  });

  it('by a removal elsewhere ends once the schedule is over', () => {
    const stays = (until: number): Guest => ({
      ...GUEST,
      draft: { ...WANTED, schedule: { kind: 'temporary', from: 0, until } },
    });
    expect(step(WRITTEN, [], {}, stays(NOW)).standing.kind).toBe('ended');
    expect(step(WRITTEN, [], {}, stays(NOW + 1)).standing.kind).toBe('removed-elsewhere');
    const weekly = {
      kind: 'recurring',
      windows: [{ days: ['Monday'], from: '08:00', until: '09:00' }],
    } as const;
    const always = { ...GUEST, draft: { ...WANTED, schedule: weekly } };
    expect(step(WRITTEN, [], {}, always).standing.kind).toBe('removed-elsewhere');
    // A code that is still there is taken away with its guest, not by its end.
    expect(step(WRITTEN, [listed(stays(NOW).draft)], {}, stays(NOW)).standing.kind).toBe('up-to-date');
  });
});
