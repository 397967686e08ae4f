// The next step for a guest's code on one lock: the written, the listed and the wanted code, compared.
import { expect, it } from 'vitest';
import type { AccessCode, CodeDraft } from '../../../../../src/domain/codes/access-code.ts';
import { decided, encouraged, recalled } from '../../../../../src/domain/codes/code-machine.ts';
import { nextStep } from '../../../../../src/domain/codes/difference.ts';
import { type Guest, type GuestCode, leaving } from '../../../../../src/domain/codes/guest.ts';
import type { GuestFacts, GuestStep } from '../../../../../src/domain/codes/guest-step.ts';
import { t } from '../../../../../src/words/translate.ts';
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
const OVER = { kind: 'temporary', from: NOW, until: NOW } as const;
const WEEKLY = {
  kind: 'recurring',
  windows: [{ days: ['Monday'], from: '08:00', until: '09:00' }],
} as const;
const CHANGED: GuestCode = { ...WRITTEN, written: FORMER };
const STAYED: CodeDraft = { ...WANTED, schedule: STAY };
const wanting = (draft: Partial<CodeDraft>): Guest => ({ ...GUEST, draft: { ...WANTED, ...draft } });
const other = (draft: Partial<CodeDraft>): AccessCode =>
  listed({ ...WANTED, name: 'Bob', pin: '2580', ...draft }, OTHER_ID);
const decide = (choice: 'keep' | 'overwrite', seen: CodeDraft | null) => decided(WRITTEN, { choice, seen });
const has = listed(WANTED);
const THEIRS: CodeDraft = { name: 'Anne', pin: '9999', schedule: STAY };
const GOING = leaving({ ...GUEST, codes: [WRITTEN] });

function step(
  code: GuestCode | null,
  codes: readonly AccessCode[],
  facts: Partial<GuestFacts> = {},
  guest: Guest = GUEST,
): GuestStep {
  return nextStep({ ...guest, codes: code === null ? [] : [code] }, factsOf(codes, facts));
}

/** What is sent, with the members that change; or how it stands, with the reason. */
function shown({ request, standing }: GuestStep): string {
  if (request !== null) {
    const members = request.kind === 'update' ? Object.keys(request.changes) : [];
    return [request.kind, ...members].join(' ');
  }
  if (standing.kind === 'refused') {
    return standing.failure.reason;
  }
  const fields = standing.kind === 'differs' ? standing.fields : [];
  return standing.kind === 'waiting' ? t(standing.words) : [standing.kind, ...fields].join(' ');
}

const OFFLINE = 'The lock is offline. This is done when it is back.';
const MISSING = 'The account does not list the lock at the moment. This is done when it is back.';
const SETTLING =
  'The lock did not say whether it was done. Its list of codes is read again every few seconds.';

type Row = [string, GuestCode | null, readonly AccessCode[], string, Partial<GuestFacts>?, Guest?];

it.each<Row>([
  ['is added where it is missing', null, [], 'add'],
  ['waits for a lock that is offline', null, [], OFFLINE, { presence: 'offline' }],
  ['waits for a lock that the account does not list', null, [], MISSING, { presence: 'missing' }],
  ['is taken over as it is wanted, whoever made it', null, [has], 'up-to-date'],
  ['is not that of another guest', null, [has], 'code-name-exists', { taken: [ID] }],
  ['is changed in place, and only where it differs', CHANGED, [listed(FORMER)], 'update pin'],
  ['was changed by another person', WRITTEN, [listed(APPS)], 'differs name'],
  ['was changed by another person, and the guest, too', CHANGED, [listed(APPS)], 'differs name'],
  ['was changed in all its members', CHANGED, [listed(THEIRS)], 'differs name pin schedule'],
  ['was removed by another person', WRITTEN, [], 'removed-elsewhere'],
  ['was removed, and comes back by a decision', decide('overwrite', null), [], 'add'],
  ['was removed, and is left so', decide('keep', null), [], 'kept'],
  ['is overwritten as a person saw it', decide('overwrite', APPS), [listed(APPS)], 'update name'],
  ['changed since', decide('overwrite', APPS), [listed({ ...APPS, pin: '9' })], 'differs name pin'],
  [
    'is overwritten with no member that is as it should be',
    { ...decide('overwrite', STAYED), written: FORMER },
    [listed(STAYED)],
    'update schedule',
  ],
  [
    'stays with the app when the guest changes',
    decide('keep', APPS),
    [listed(APPS)],
    'kept',
    {},
    wanting(FORMER),
  ],
  ['stays with the app until it is as wanted', decide('keep', APPS), [has], 'up-to-date'],
  ['has a name of another', null, [other({ name: 'ANNA' })], 'code-name-exists'],
  ['has digits of another', null, [other({ pin: WANTED.pin })], 'code-exists'],
  ['begins another', null, [other({ pin: '47110' })], 'code-superset-in-use'],
  [
    'has another length',
    null,
    [other({ pin: '123456' })],
    'code-length-out-of-range',
    { variableLength: false },
  ],
  ['is for the owner', null, [], 'not-permitted', { isOwned: false }, { ...GUEST, locks: [DOOR] }],
  ['is changed to digits of another', CHANGED, [listed(FORMER), other({ pin: WANTED.pin })], 'code-exists'],
  // Only what changes is judged: the name that both have was there before.
  ['is judged by what changes', CHANGED, [listed(FORMER), other({ name: WANTED.name })], 'update pin'],
  ['is read-only', CHANGED, [{ ...listed(FORMER), readOnly: true }], 'read-only'],
  ['is over before it was added', null, [], 'ended', {}, wanting({ schedule: OVER })],
  ['is over, and gone', WRITTEN, [], 'ended', {}, wanting({ schedule: OVER })],
  ['is gone before the end of a stay', WRITTEN, [], 'removed-elsewhere', {}, wanting({ schedule: STAY })],
  [
    'is gone while it has hours of a week',
    WRITTEN,
    [],
    'removed-elsewhere',
    {},
    wanting({ schedule: WEEKLY }),
  ],
  // It is taken away with its guest, not by its end.
  [
    'is over, and there',
    WRITTEN,
    [listed({ ...WANTED, schedule: OVER })],
    'up-to-date',
    {},
    wanting({ schedule: OVER }),
  ],
  ['is removed as it was wanted', WRITTEN, [has], 'remove', {}, GOING],
  [
    'is removed from a lock that is none of the guest’s now',
    WRITTEN,
    [has],
    'remove',
    {},
    { ...GUEST, locks: [] },
  ],
  ['is removed as it is wanted by now', CHANGED, [has], 'remove', {}, GOING],
  ['is removed as it was written', CHANGED, [listed(FORMER)], 'remove', {}, GOING],
  ['is removed from a lock that is back', WRITTEN, [has], OFFLINE, { presence: 'offline' }, GOING],
  ['is read-only, and removed', WRITTEN, [{ ...has, readOnly: true }], 'read-only', {}, GOING],
  ['is for the owner to remove', WRITTEN, [has], 'not-permitted', { isOwned: false }, GOING],
  ['was changed elsewhere, and is to be removed', WRITTEN, [listed(APPS)], 'look-alike', {}, GOING],
  // What was kept while the guest stayed says nothing of the removal (faults#116).
  ['was kept while the guest stayed', decide('keep', APPS), [listed(APPS)], 'look-alike', {}, GOING],
  ['was changed elsewhere, and is removed', decide('overwrite', APPS), [listed(APPS)], 'remove', {}, GOING],
])('the code of a guest %s', (_, code, codes, expected, facts, guest) => {
  const next = step(code, codes, facts, guest);
  expect(shown(next)).toBe(expected);
  expect(JSON.stringify(next.standing)).not.toMatch(/4711|9999/u);
  const [found] = codes;
  if (next.request?.kind === 'update' || next.request?.kind === 'remove') {
    const { id: codeId, name, pin, schedule } = found ?? expect.fail('Nothing is there');
    expect(next.request).toMatchObject({ codeId, expected: { name, pin, schedule } });
  }
});

it('a code is added again when the guest comes back to the lock, however the removal ended', () => {
  const gone: GuestCode = { ...WRITTEN, sending: sending(null) };
  expect([succeeded(gone, ID), recalled(gone, NOW)].map((code) => shown(step(code, [])))).toEqual([
    'add',
    'add',
  ]);
});

it('a code that was being added is waited for, and then removed', () => {
  const recent = recalled({ ...UNKNOWN, sending: sending(WANTED) }, NOW);
  const settled = { now: NOW + SETTLED_MS };
  expect(shown(step(recent, [], {}, GOING))).toBe(SETTLING);
  expect(shown(step(recent, [has], {}, GOING))).toBe('remove');
  expect(step(recent, [], settled, GOING).code).toBeNull();
  const stored = step({ ...recent, attempted: [WANTED] }, [], settled, GOING);
  expect(stored).toMatchObject({
    standing: { kind: 'on-its-way' },
    code: { absent: { said: null, since: 0 } },
  });
});

it('a code is not removed or added after a refusal of the same, and a refusal to add is none to remove', () => {
  const forbidden = (draft: CodeDraft | null) =>
    failed({ ...WRITTEN, sending: sending(draft) }, 'not-permitted');
  expect(shown(step(forbidden(null), [has], {}, GOING))).toBe('not-permitted');
  expect(shown(step(forbidden(WANTED), [has], {}, GOING))).toBe('remove');
  expect(shown(step({ ...decide('overwrite', null), setback: forbidden(null).setback }, []))).toBe('add');
});

it('what failed is tried again later, each time later, or at once when the lock is back', () => {
  const later = NOW + 5 * 60_000;
  const once = failed({ ...UNKNOWN, sending: sending(WANTED) }, 'lock-silent');
  expect(step(once, [], { now: later - 1 }).standing).toMatchObject({ kind: 'waiting', retryAt: later });
  expect(shown(step(once, [], { now: later }))).toBe('add');
  expect(shown(step(encouraged(once), []))).toBe('add');
  const twice = failed({ ...once, sending: sending(WANTED) }, 'lock-silent');
  expect(step(twice, [], { now: later }).standing.kind).toBe('waiting');
});

it('what was refused for good is not sent until the guest’s name, code or schedule, or the lock changes', () => {
  const code = failed({ ...UNKNOWN, sending: sending(WANTED) }, 'pin-out-of-range');
  expect(shown(step(code, [], { now: NOW + 1e9 }))).toBe('pin-out-of-range');
  for (const change of [FORMER, { name: 'Anne' }, { schedule: STAY }]) {
    expect(shown(step(code, [], {}, wanting(change)))).toBe('add');
  }
  expect(shown(step(encouraged(code), []))).toBe('add');
});
