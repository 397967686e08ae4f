// The next step for a guest's code on one lock: the written, the listed and the wanted code, compared.
import { describe, expect, it } from 'vitest';
import { type AccessCode, type CodeDraft } from '../../../../../src/domain/codes/access-code.ts';
import { decided, encouraged, recalled } from '../../../../../src/domain/codes/code-machine.ts';
import { nextStep } from '../../../../../src/domain/codes/difference.ts';
import type { CodeFailureReason } from '../../../../../src/domain/codes/failure.ts';
import { type Guest, type GuestCode, leaving } from '../../../../../src/domain/codes/guest.ts';
import type { GuestFacts, GuestStep } from '../../../../../src/domain/codes/guest-step.ts';
import { message } from '../../../../../src/domain/language/message.ts';
import { codeFailure } from '../../../../../src/words/code-failures.ts';
import {
  APPS,
  DOOR,
  FORMER,
  factsOf,
  failed,
  GUEST,
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

const STAY = { kind: 'temporary', from: NOW, until: NOW + 1 } as const;
const CHANGED: GuestCode = { ...WRITTEN, written: FORMER };
const wanting = (draft: Partial<CodeDraft>): Guest => ({ ...GUEST, draft: { ...WANTED, ...draft } });
const other = (draft: Partial<CodeDraft>): AccessCode =>
  listed({ ...WANTED, name: 'Bob', pin: '2580', ...draft }, OTHER_ID);
const decide = (choice: 'keep' | 'overwrite', seen: CodeDraft | null) => decided(WRITTEN, { choice, seen });

function step(
  code: GuestCode | null,
  codes: readonly AccessCode[],
  facts: Partial<GuestFacts> = {},
  guest: Guest = GUEST,
): GuestStep {
  return nextStep({ ...guest, codes: code === null ? [] : [code] }, factsOf(codes, facts));
}

/** Nothing is sent. */
const rests = (kind: string, details: object = {}) => ({ standing: { kind, ...details }, request: null });
const refused = (reason: CodeFailureReason) => rests('refused', { failure: { reason } });
const requests = (kind: string, details: object = {}) => ({
  standing: { kind: 'on-its-way' },
  request: { kind, ...details },
});

describe('the code of a guest', () => {
  it('is added where it is missing, and not while the lock is away', () => {
    expect(step(null, [])).toMatchObject({ ...requests('add', { draft: WANTED }), code: UNKNOWN });
    for (const [presence, words] of [
      ['offline', 'The lock is offline. This is done when it is back.'],
      ['missing', 'The account does not list the lock at the moment. This is done when it is back.'],
    ] as const) {
      const waiting = rests('waiting', { words: message(words), retryAt: null });
      expect(step(null, [], { presence })).toEqual({ ...waiting, code: UNKNOWN, found: null });
    }
  });

  it('that the lock has just as wanted is taken over, whoever made it, but for that of another guest', () => {
    const found = listed(WANTED);
    expect(step(null, [found])).toEqual({ ...rests('up-to-date'), code: WRITTEN, found });
    // It clashes until the other one is gone.
    expect(step(null, [found], { taken: [ID] })).toMatchObject(refused('code-name-exists'));
  });

  it('is changed in place where it stands as we wrote it, and only the differing members are sent', () => {
    const change = { codeId: ID, changes: { pin: '4711' }, expected: FORMER };
    expect(step(CHANGED, [listed(FORMER)])).toMatchObject(requests('update', change));
  });

  it('that another person changed is shown without its digits, and nothing is sent', () => {
    expect(step(WRITTEN, [listed(APPS)])).toMatchObject(rests('differs', { fields: ['name'] }));
    // The guest was changed, too, before anybody looked.
    expect(step(CHANGED, [listed(APPS)])).toMatchObject(rests('differs', { fields: ['name'] }));
    const theirs = listed({ name: 'Anne', pin: '9999', schedule: STAY });
    expect(step(CHANGED, [theirs])).toEqual({
      ...rests('differs', { fields: ['name', 'pin', 'schedule'], found: { name: 'Anne', schedule: STAY } }),
      code: CHANGED,
      found: theirs,
    });
  });

  it('that another person removed is not added again unasked', () => {
    expect(step(WRITTEN, [])).toMatchObject(rests('removed-elsewhere'));
    expect(step(decide('overwrite', null), [])).toMatchObject(requests('add'));
    expect(step(decide('keep', null), [])).toMatchObject(rests('kept'));
  });

  it('is overwritten only as far as the person saw it, and with no member that is as it should be', () => {
    const code = decide('overwrite', APPS);
    const change = { changes: { name: 'Anna' }, expected: APPS };
    expect(step(code, [listed(APPS)])).toMatchObject(requests('update', change));
    const otherwise = step(code, [listed({ ...APPS, pin: '9999' })]);
    expect(otherwise).toMatchObject({ ...rests('differs'), code: { decision: null } });
    const stayed: CodeDraft = { ...WANTED, schedule: STAY };
    expect(step({ ...decide('overwrite', stayed), written: FORMER }, [listed(stayed)]).request).toEqual({
      kind: 'update',
      codeId: ID,
      changes: { schedule: WANTED.schedule },
      expected: stayed,
    });
  });

  it('that a person left to the app stays so when the guest changes, until it is as wanted', () => {
    const kept = decide('keep', APPS);
    expect(step(kept, [listed(APPS)], {}, wanting(FORMER))).toMatchObject(rests('kept'));
    expect(step(kept, [listed(WANTED)])).toMatchObject({ ...rests('up-to-date'), code: { decision: null } });
  });

  it.each<[string, Partial<GuestFacts>, readonly AccessCode[], CodeFailureReason]>([
    ['a name', {}, [other({ name: 'ANNA' })], 'code-name-exists'],
    ['a code', {}, [other({ pin: WANTED.pin })], 'code-exists'],
    ['the beginning of a code', {}, [other({ pin: '47110' })], 'code-superset-in-use'],
    ['another length', { variableLength: false }, [other({ pin: '123456' })], 'code-length-out-of-range'],
    ['an account that is no owner', { isOwned: false }, [], 'not-permitted'],
  ])('is refused before anything is sent for %s', (_, facts, codes, reason) => {
    expect(step(null, codes, facts, { ...GUEST, locks: [DOOR] })).toMatchObject(refused(reason));
  });

  it('is not changed to a name or a code that another guest has on the lock, nor if it is read-only', () => {
    const beside = (draft: Partial<CodeDraft>) => step(CHANGED, [listed(FORMER), other(draft)]);
    expect(beside({ pin: WANTED.pin })).toMatchObject(refused('code-exists'));
    expect(beside({})).toMatchObject(requests('update'));
    // Only what changes is judged: the name that both have was there before.
    expect(beside({ name: WANTED.name })).toMatchObject(requests('update'));
    expect(step(CHANGED, [{ ...listed(FORMER), readOnly: true }])).toMatchObject(refused('read-only'));
  });

  it('is gone and not added again once its schedule is over', () => {
    const over = wanting({ schedule: { ...STAY, until: NOW } });
    const windows = [{ days: ['Monday'], from: '08:00', until: '09:00' }] as const;
    expect(step(null, [], {}, over)).toMatchObject(rests('ended'));
    expect(step(WRITTEN, [], {}, over)).toMatchObject(rests('ended'));
    for (const schedule of [STAY, { kind: 'recurring', windows }] as const) {
      expect(step(WRITTEN, [], {}, wanting({ schedule }))).toMatchObject(rests('removed-elsewhere'));
    }
    // A code that is still there is taken away with its guest, not by its end.
    expect(step(WRITTEN, [listed(over.draft)], {}, over)).toMatchObject(rests('up-to-date'));
  });
});

describe('the code of a guest who goes', () => {
  const going = (code: GuestCode, codes: readonly AccessCode[], facts: Partial<GuestFacts> = {}) =>
    step(code, codes, facts, leaving({ ...GUEST, codes: [WRITTEN] }));
  const removal = (expected: CodeDraft) => requests('remove', { codeId: ID, expected });

  it('is removed as it was wanted or written, also after the set of locks has become smaller', () => {
    expect(going(WRITTEN, [listed(WANTED)])).toMatchObject({ ...removal(WANTED), code: WRITTEN });
    expect(step(WRITTEN, [listed(WANTED)], {}, { ...GUEST, locks: [] })).toMatchObject(removal(WANTED));
    expect(going(CHANGED, [listed(WANTED)])).toMatchObject(removal(WANTED));
    expect(going(CHANGED, [listed(FORMER)])).toMatchObject(removal(FORMER));
  });

  it('waits for a lock that is away, and is left to others if it is read-only or not ours to change', () => {
    const waiting = { ...rests('waiting'), code: { codeId: ID } };
    expect(going(WRITTEN, [listed(WANTED)], { presence: 'offline' })).toMatchObject(waiting);
    const readOnly = going(WRITTEN, [{ ...listed(WANTED), readOnly: true }]);
    expect(readOnly).toMatchObject({ ...refused('read-only'), code: WRITTEN });
    const notOwned = going(WRITTEN, [listed(WANTED)], { isOwned: false });
    expect(notOwned).toMatchObject(rests('refused', { failure: codeFailure('not-permitted') }));
  });

  it('that another person changed waits for a decision', () => {
    const anne = { kind: 'look-alike', name: 'Anne', has: 'digits', isLeft: false };
    expect(going(WRITTEN, [listed(APPS)]).standing).toEqual(anne);
    // What was kept while the guest stayed says nothing of the removal (faults#116).
    expect(going(decide('keep', APPS), [listed(APPS)]).standing).toEqual(anne);
    expect(going(decide('overwrite', APPS), [listed(APPS)])).toMatchObject(requests('remove'));
  });

  it('is added again when the guest comes back to the lock, however the removal ended', () => {
    const gone: GuestCode = { ...WRITTEN, sending: sending(null) };
    for (const code of [succeeded(gone, ID), recalled(gone, NOW)]) {
      expect(step(code, [])).toMatchObject(requests('add'));
    }
  });

  it('that was being added is waited for, and then removed', () => {
    const recent = recalled({ ...UNKNOWN, sending: sending(WANTED) }, NOW);
    const settled = { now: NOW + SETTLED_MS };
    expect(going(recent, [])).toMatchObject(rests('waiting'));
    expect(going(recent, [listed(WANTED)])).toMatchObject(requests('remove'));
    expect(going(recent, [], settled).code).toBeNull();
    const stored = going({ ...recent, attempted: [WANTED] }, [], settled);
    expect(stored).toMatchObject({ ...rests('on-its-way'), code: { absent: { said: null, since: 0 } } });
  });

  it('is not removed or added after a refusal of the same, and a refusal to add is none to remove', () => {
    const forbidden = (draft: CodeDraft | null) =>
      failed({ ...WRITTEN, sending: sending(draft) }, 'not-permitted');
    expect(going(forbidden(null), [listed(WANTED)])).toMatchObject(refused('not-permitted'));
    expect(going(forbidden(WANTED), [listed(WANTED)])).toMatchObject(requests('remove'));
    const back = { ...decide('overwrite', null), setback: forbidden(null).setback };
    expect(step(back, [])).toMatchObject(requests('add'));
  });
});

describe('after an operation', () => {
  const sent: GuestCode = { ...UNKNOWN, sending: sending(WANTED) };
  const later = { now: NOW + 5 * 60_000 };

  it('of unknown outcome, nothing is sent before it is settled, and the status says so', () => {
    const code = failed(sent, 'outcome-unknown');
    const words = message(
      'The lock did not say whether it was done. Its list of codes is read again every few seconds.',
    );
    expect(step(code, [])).toEqual({
      ...rests('waiting', { words, retryAt: null, isSettling: true }),
      code,
      found: null,
    });
    // Not even when a person wants it tried again at once.
    for (const one of [code, encouraged(code)]) {
      expect(step(one, [], { now: NOW + SETTLED_MS - 1 })).toMatchObject(rests('waiting'));
    }
    expect(step(code, [listed(WANTED)])).toMatchObject({ ...rests('up-to-date'), code: WRITTEN });
    expect(step(encouraged(code), [], { now: NOW + SETTLED_MS })).toMatchObject(requests('add'));
  });

  it('that failed, the guest is tried again later, each time later, or at once when the lock is back', () => {
    const once = failed(sent, 'lock-silent');
    const { words } = codeFailure('lock-silent');
    expect(step(once, [], { now: later.now - 1 })).toMatchObject(
      rests('waiting', { words, retryAt: later.now }),
    );
    expect(step(once, [], later)).toMatchObject(requests('add'));
    expect(step(encouraged(once), [])).toMatchObject(requests('add'));
    const twice = failed({ ...once, sending: sending(WANTED) }, 'lock-silent');
    expect(step(twice, [], later)).toMatchObject(rests('waiting'));
  });

  it('that was refused for good, nothing is sent until the guest’s name, code or schedule, or the lock changes', () => {
    const code = failed(sent, 'pin-out-of-range');
    expect(step(code, [], { now: NOW + 1e9 })).toMatchObject(refused('pin-out-of-range'));
    for (const change of [FORMER, { name: 'Anne' }, { schedule: STAY }]) {
      expect(step(code, [], {}, wanting(change))).toMatchObject(requests('add'));
    }
    expect(step(encouraged(code), [])).toMatchObject(requests('add'));
  });
});
