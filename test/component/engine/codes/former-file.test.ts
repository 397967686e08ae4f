// What version 1.0.0 has stored of guests and of operations on codes, in each state, goes on without a code that is lost or doubled.
import { expect, it } from 'vitest';
import { accessCodeId, type CodeDraft } from '../../../../src/domain/codes/access-code.ts';
import { BACK, FRONT, GuestHome } from '../../../homes/codes-home.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 3, 14, 12);
const always = { kind: 'always' };
const WEEKLY = { kind: 'recurring', windows: [{ days: ['Monday'], from: '08:00', until: '11:00' }] };
const OVER = { kind: 'temporary', from: NOW - 60 * MINUTE, until: NOW - MINUTE };

const draftOf = (name: string, pin: string): CodeDraft => ({ name, pin, schedule: { kind: 'always' } });

/** A guest's code on one lock, as 1.0.0 writes it. */
const onLock = (lockId: string, rest: object = {}): object => ({
  lockId,
  codeId: null,
  written: null,
  attempted: [],
  former: [],
  sending: null,
  unsettledUntil: null,
  decision: null,
  setback: null,
  absent: null,
  left: [],
  awayAs: null,
  ...rest,
});

const guest = (id: string, draft: object, codes: readonly object[], rest: object = {}): object => ({
  id,
  draft,
  locks: ['front'],
  isLeaving: false,
  revision: 1,
  codes,
  ...rest,
});

const failure = { reason: 'lock-silent', field: null, words: { text: 'The lock did not answer.' } };

interface State {
  readonly name: string;
  /** By the key in the table of secrets. */
  readonly rows: Readonly<Record<string, object>>;
  /** The codes that the lock has when the new version begins. */
  readonly has?: readonly CodeDraft[];
  /** Codes that it gets in its first minute: commands of the former version take effect. */
  readonly gets?: readonly CodeDraft[];
  /** So many of its first lists are empty all the same. */
  readonly hides?: number;
  /** The names with digits that it has in the end; left out: none. */
  readonly ends?: string;
  /** The commands that lead there. */
  readonly sends?: string;
}

const ANN = draftOf('Ann', '1111');
const BEN = draftOf('Ben', '2222');
const CODE = { codeId: 'c0', written: ANN };

/** Ann, with this state on the lock; null: none yet. */
const ann = (code: object | null, rest: object = {}): Record<string, object> => ({
  'guest:1': guest('1', ANN, code === null ? [] : [onLock('front', code)], rest),
});

const operation = (id: string, request: object, rest: object = {}): Record<string, object> => ({
  [`code-operation:${id}`]: {
    id,
    lockId: 'front',
    request,
    requestedAt: NOW - MINUTE,
    sendings: 0,
    sending: null,
    ...rest,
  },
});
const sentAt = (at: number, commandId: string | null, listed: readonly string[] = []): object => ({
  sendings: 1,
  sending: { at, commandId, codeId: null, listed },
});

const STATES: readonly State[] = [
  { name: 'a guest whose code is on the lock', rows: ann(CODE), has: [ANN], ends: 'Ann 1111' },
  { name: 'a guest who was sent nowhere yet', rows: ann(null), ends: 'Ann 1111', sends: 'add' },
  {
    name: 'a guest of all locks, whose code failed and is tried later',
    rows: ann(
      { attempted: [ANN], setback: { failure, draft: ANN, retryAt: NOW + 10 * MINUTE, tries: 2 } },
      { locks: 'all' },
    ),
    ends: 'Ann 1111',
    sends: 'add',
  },
  {
    name: 'a guest whose operation was stored and not sent',
    rows: {
      ...ann({ attempted: [ANN], sending: { operationId: 'o1', draft: ANN } }),
      ...operation('o1', { kind: 'add', draft: ANN }),
    },
    ends: 'Ann 1111',
    sends: 'add',
  },
  {
    name: 'a guest whose operation was sent, and has taken effect',
    rows: {
      ...ann({ attempted: [ANN], sending: { operationId: 'o1', draft: ANN } }),
      ...operation('o1', { kind: 'add', draft: ANN }, sentAt(NOW - 5_000, null)),
    },
    has: [ANN],
    ends: 'Ann 1111',
  },
  {
    name: 'a guest whose change was sent with a command that nobody knows any more',
    rows: {
      'guest:1': guest('1', { ...ANN, pin: '3333' }, [
        onLock('front', {
          ...CODE,
          attempted: [{ ...ANN, pin: '3333' }],
          sending: { operationId: 'o1', draft: { ...ANN, pin: '3333' } },
        }),
      ]),
      ...operation(
        'o1',
        { kind: 'update', codeId: 'c0', changes: { pin: '3333' }, expected: ANN },
        sentAt(NOW - 5_000, 'gone'),
      ),
    },
    has: [ANN],
    ends: 'Ann 3333',
    sends: 'update',
  },
  {
    name: 'a guest who is being removed, with the removal under way',
    rows: {
      ...ann({ ...CODE, sending: { operationId: 'o1', draft: null } }, { isLeaving: true }),
      ...operation('o1', { kind: 'remove', codeId: 'c0', expected: ANN }),
    },
    has: [ANN, BEN],
    ends: 'Ben 2222',
    sends: 'remove',
  },
  {
    name: 'a guest whose code the app changed, which a person has left so',
    rows: ann({ ...CODE, decision: { choice: 'keep', seen: draftOf('Anne', '1111') } }),
    has: [draftOf('Anne', '1111')],
    ends: 'Anne 1111',
  },
  {
    name: 'a guest who was removed while a code with the digits was left by a person',
    rows: ann({ ...CODE, left: [draftOf('Anne', '1111')] }, { isLeaving: true }),
    has: [draftOf('Anne', '1111')],
    ends: 'Anne 1111',
  },
  { name: 'a guest of a restored file, whom nobody has confirmed', rows: ann(null, { isProposed: true }) },
  {
    name: 'the guest of a stay',
    rows: ann(null, { stay: { id: 's', calendar: 'Flat' } }),
    ends: 'Ann 1111',
    sends: 'add',
  },
  {
    name: 'a guest whom a lock has refused for good, with the reason as 1.0.0 words it',
    rows: ann({
      setback: {
        failure: { reason: 'values-invalid', field: 'name', words: 'The lock refused the name.' },
        draft: ANN,
        retryAt: null,
        tries: 1,
      },
    }),
  },
  {
    name: 'a guest whose operation was begun, and never stored',
    rows: ann({ sending: { operationId: null, draft: ANN } }),
    ends: 'Ann 1111',
    sends: 'add',
  },
  {
    name: 'a guest whose code still comes to the lock',
    rows: ann({ attempted: [ANN], sending: { operationId: 'o1', draft: ANN }, unsettledUntil: NOW + MINUTE }),
    gets: [ANN],
    ends: 'Ann 1111',
  },
  {
    name: 'a guest whose code was removed elsewhere, and comes back as a person decided',
    rows: ann({ ...CODE, decision: { choice: 'overwrite', seen: null } }),
    ends: 'Ann 1111',
    sends: 'add',
  },
  {
    name: 'a guest who is being removed, and whose former digits are still on the lock',
    rows: ann({ codeId: 'c9', written: ANN, former: [draftOf('Ann', '9999')] }, { isLeaving: true }),
    has: [draftOf('Ann', '9999')],
    sends: 'remove',
  },
  ...['confirmed', 4_000].map((absent) => ({
    name: `a guest who is being removed, and whose code no list shows any more (${String(absent)})`,
    rows: ann({ ...CODE, absent }, { isLeaving: true }),
    has: [ANN],
    hides: 8,
    sends: 'remove',
  })),
  {
    name: 'a guest with hours of a week',
    rows: { 'guest:1': guest('1', { ...ANN, schedule: WEEKLY }, [onLock('front', CODE)]) },
    has: [ANN],
    ends: 'Ann 1111',
    sends: 'update',
  },
  { name: 'a guest whose dates are over', rows: { 'guest:1': guest('1', { ...ANN, schedule: OVER }, []) } },
  {
    name: 'a single code that is to be added',
    rows: operation('o2', { kind: 'add', draft: BEN }),
    has: [ANN],
    ends: 'Ann 1111, Ben 2222',
    sends: 'add',
  },
  {
    name: 'a single code that is to be changed',
    rows: operation('o2', { kind: 'update', codeId: 'c0', changes: { schedule: always, name: 'Annie' } }),
    has: [ANN],
    ends: 'Annie 1111',
    sends: 'update',
  },
  {
    name: 'a single code that is to be removed, and was asked for',
    rows: operation('o2', { kind: 'remove', codeId: 'c0' }, sentAt(NOW - 20_000, null, ['c0'])),
    has: [ANN, BEN],
    ends: 'Ben 2222',
    sends: 'remove',
  },
  {
    name: 'all codes that are to be removed',
    rows: operation('o2', { kind: 'remove-all', codeIds: ['c0', 'c1'] }),
    has: [ANN, BEN],
    sends: 'remove-all',
  },
  {
    name: 'a single code that was sent, and still comes to the lock',
    rows: operation('o2', { kind: 'add', draft: BEN }, sentAt(NOW - 5_000, 'gone')),
    has: [ANN],
    gets: [BEN],
    ends: 'Ann 1111, Ben 2222',
  },
  {
    name: 'a single code that was sent, and never came to the lock',
    rows: operation('o2', { kind: 'add', draft: BEN }, sentAt(NOW - 5_000, null)),
    ends: 'Ben 2222',
    sends: 'add',
  },
  {
    name: 'a single code whose change was sent, and was lost',
    rows: operation(
      'o2',
      { kind: 'update', codeId: 'c0', changes: { pin: '3333' } },
      sentAt(NOW - 5_000, null),
    ),
    has: [ANN],
    ends: 'Ann 3333',
    sends: 'update',
  },
  {
    name: 'a single code that somebody changed since a person asked to remove it',
    rows: operation('o2', { kind: 'remove', codeId: 'c0', expected: draftOf('Anne', '1111') }),
    has: [ANN],
    ends: 'Ann 1111',
  },
  {
    name: 'a single code that is to be removed, and no list shows',
    rows: operation('o2', { kind: 'remove', codeId: 'c0' }),
    has: [ANN],
    hides: 2,
    sends: 'remove',
  },
  {
    name: 'all codes that are to be removed, of which one has appeared since',
    rows: operation('o2', { kind: 'remove-all', codeIds: ['c0'] }, sentAt(NOW - 5_000, null, ['c0'])),
    has: [ANN, BEN],
    ends: 'Ann 1111, Ben 2222',
  },
  {
    name: 'two changes of one lock, the later one stored first',
    rows: {
      ...operation('o1', { kind: 'remove', codeId: 'c0' }, { requestedAt: NOW - 1_000 }),
      ...operation('o2', { kind: 'add', draft: BEN }),
    },
    has: [ANN],
    ends: 'Ben 2222',
    sends: 'add, remove',
  },
  {
    name: 'a change that nobody waits for any more',
    rows: operation('o2', { kind: 'add', draft: BEN }, { requestedAt: NOW - 61 * MINUTE }),
  },
  {
    name: 'a change of a lock that has left the account',
    rows: operation('o2', { kind: 'add', draft: BEN }, { lockId: 'gone' }),
  },
];
it.each(STATES)('$name', async ({ rows, has = [], gets = [], hides = 0, ends = '', sends = '' }) => {
  const home = new GuestHome(FRONT);
  const [before, all] = [has, [...has, ...gets]].map((drafts) =>
    drafts.map((one, index) => ({ ...one, id: accessCodeId(`c${String(index)}`), readOnly: false })),
  );
  home.service(FRONT).codesOf = before ?? [];
  home.service(FRONT).emptyLists = hides;
  await home.replaced(() => {
    for (const [key, row] of Object.entries(rows)) {
      home.values.write(key, structuredClone(row));
    }
  });
  await home.clock.advance(MINUTE);
  if (gets.length > 0) {
    home.service(FRONT).codesOf = all ?? [];
  }
  await home.clock.advance(14 * MINUTE);
  expect([
    home
      .service(FRONT)
      .codesOf.map(({ name, pin }) => `${name} ${pin}`)
      .join(', '),
    home
      .service(FRONT)
      .sent.map(({ kind }) => kind)
      .join(', '),
    [...home.values.all().keys()].filter((key) => !key.startsWith('guest:')),
  ]).toEqual([ends, sends, []]);
});

it('a guest who waits for a lock that is away is removed from it when it is back', async () => {
  const home = new GuestHome(FRONT, BACK);
  home.service(BACK).codesOf = [{ ...ANN, id: accessCodeId('c0'), readOnly: false }];
  home.leave(BACK);
  const row = guest('1', ANN, [onLock('back', { ...CODE, awayAs: 'back' })], { isLeaving: true });
  await home.replaced(() => home.values.write('guest:1', structuredClone(row)));
  await home.clock.advance(MINUTE);
  expect(home.kinds()).toEqual(['away']);
  home.comeBack(BACK);
  await home.clock.advance(2 * MINUTE);
  expect([home.guests.list(), home.service(BACK).codesOf]).toEqual([[], []]);
});

it('codes that only the lock has, and the length that it takes, are still known', async () => {
  const home = new GuestHome(FRONT);
  await home.replaced(() => {
    home.settings.write('stray-codes:front', [{ codeId: 'c9', name: 'Ann', only: 'lock' }]);
    home.settings.write('code-lengths:front', { taken: 6, refused: [4] });
  });
  expect((await home.codes.list(FRONT)).strays).toEqual([{ codeId: 'c9', name: 'Ann', only: 'lock' }]);
  expect(home.codes.rules()[0]?.refusedLengths).toEqual([4]);
});
