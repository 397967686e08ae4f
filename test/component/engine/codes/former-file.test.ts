// What version 1.0.0 has stored of guests and of operations on codes, in each state, goes on without a code that is lost or doubled.
import { expect, it } from 'vitest';
import { accessCodeId, type CodeDraft } from '../../../../src/domain/codes/access-code.ts';
import { BACK, FRONT, GuestHome } from '../../../homes/codes-home.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 3, 14, 12);
const WEEKLY = { kind: 'recurring', windows: [{ days: ['Monday'], from: '08:00', until: '11:00' }] };
const OVER = { kind: 'temporary', from: NOW - 60 * MINUTE, until: NOW - MINUTE };

/** `text`: such as `Ann 1111, Ben 2222`. */
const draftsOf = (text: string): readonly CodeDraft[] =>
  text
    .split(', ')
    .map((one) => one.split(' '))
    .flatMap(([name = '', pin]) => (pin === undefined ? [] : { name, pin, schedule: { kind: 'always' } }));
const draftOf = (text: string): CodeDraft => draftsOf(text)[0] ?? expect.fail(text);

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

type Rows = Readonly<Record<string, object>>;

const ANN = draftOf('Ann 1111');
const ANNE = draftOf('Anne 1111');
const BEN = draftOf('Ben 2222');
const OTHER = { ...ANN, pin: '3333' };
const CODE = { codeId: 'c0', written: ANN };

/** The row of Ann in the table of secrets, with this state on the lock; null: none yet. */
const ann = (code: object | null, rest: object = {}, lock = 'front'): Rows => ({
  'guest:1': {
    id: '1',
    draft: ANN,
    locks: ['front'],
    isLeaving: false,
    revision: 1,
    codes: code === null ? [] : [onLock(lock, code)],
    ...rest,
  },
});
const GOING = { isLeaving: true };

const operation = (request: object, rest: object = {}, id = 'o1'): Rows => ({
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
const sent = (commandId: string | null, listed: readonly string[] = [], at = NOW - 5_000): object => ({
  sendings: 1,
  sending: { at, commandId, codeId: null, listed },
});
const under = (draft: CodeDraft | null, operationId: string | null = 'o1') => ({
  sending: { operationId, draft },
});
/** Added, and nobody knows whether that took effect. */
const ADDING = { attempted: [ANN], ...under(ANN) };
const add = (draft: CodeDraft): object => ({ kind: 'add', draft });
const change = (changes: object, rest: object = {}): object => ({
  kind: 'update',
  codeId: 'c0',
  changes,
  ...rest,
});
const remove = (rest: object = {}): object => ({ kind: 'remove', codeId: 'c0', ...rest });
const clear = (...codeIds: readonly string[]): object => ({ kind: 'remove-all', codeIds });
const failed = (reason: string, words: unknown, retryAt: number | null): object => ({
  setback: { failure: { reason, field: null, words }, draft: ANN, retryAt, tries: 2 },
});
const SILENT = failed('lock-silent', { text: 'The lock did not answer.' }, NOW + 10 * MINUTE);

/** `gets`: codes of its first minute, by commands of the former version. `hides`: so many of its first lists are empty all the same. */
interface More {
  readonly gets?: string;
  readonly hides?: number;
}
/** `flow`: the codes that the lock has when the new version begins, the commands that follow, and the codes that it has in the end; `-`: none. */
type State = [name: string, rows: Rows, flow: string, more?: More];

it.each<State>([
  ['a guest whose code is on the lock', ann(CODE), 'Ann 1111 | - | Ann 1111'],
  ['a guest who was sent nowhere yet', ann(null), '- | add | Ann 1111'],
  [
    'a guest of all locks, whose code failed and is tried later',
    ann({ attempted: [ANN], ...SILENT }, { locks: 'all' }),
    '- | add | Ann 1111',
  ],
  [
    'a guest whose operation was stored and not sent',
    { ...ann(ADDING), ...operation(add(ANN)) },
    '- | add | Ann 1111',
  ],
  [
    'a guest whose operation was sent, and has taken effect',
    { ...ann(ADDING), ...operation(add(ANN), sent(null)) },
    'Ann 1111 | - | Ann 1111',
  ],
  [
    'a guest whose change was sent with a command that nobody knows any more',
    {
      ...ann({ ...CODE, attempted: [OTHER], ...under(OTHER) }, { draft: OTHER }),
      ...operation(change({ pin: '3333' }, { expected: ANN }), sent('gone')),
    },
    'Ann 1111 | update | Ann 3333',
  ],
  [
    'a guest who is being removed, with the removal under way',
    { ...ann({ ...CODE, ...under(null) }, GOING), ...operation(remove({ expected: ANN })) },
    'Ann 1111, Ben 2222 | remove | Ben 2222',
  ],
  [
    'a guest whose code the app changed, which a person has left so',
    ann({ ...CODE, decision: { choice: 'keep', seen: ANNE } }),
    'Anne 1111 | - | Anne 1111',
  ],
  [
    'a guest who was removed while a code with the digits was left by a person',
    ann({ ...CODE, left: [ANNE] }, GOING),
    'Anne 1111 | - | Anne 1111',
  ],
  ['a guest of a restored file, whom nobody has confirmed', ann(null, { isProposed: true }), '- | - | -'],
  ['the guest of a stay', ann(null, { stay: { id: 's', calendar: 'Flat' } }), '- | add | Ann 1111'],
  [
    'a guest whom a lock has refused for good, with the reason as 1.0.0 words it',
    ann(failed('values-invalid', 'The lock refused the name.', null)),
    '- | - | -',
  ],
  ['a guest whose operation was begun, and never stored', ann(under(ANN, null)), '- | add | Ann 1111'],
  [
    'a guest whose code still comes to the lock',
    ann({ ...ADDING, unsettledUntil: NOW + MINUTE }),
    '- | - | Ann 1111',
    { gets: 'Ann 1111' },
  ],
  [
    'a guest whose code was removed elsewhere, and comes back as a person decided',
    ann({ ...CODE, decision: { choice: 'overwrite', seen: null } }),
    '- | add | Ann 1111',
  ],
  [
    'a guest who is being removed, and whose former digits are still on the lock',
    ann({ codeId: 'c9', written: ANN, former: [draftOf('Ann 9999')] }, GOING),
    'Ann 9999 | remove | -',
  ],
  ...['confirmed', 4_000].map(
    (absent): State => [
      `a guest who is being removed, and whose code no list shows any more (${String(absent)})`,
      ann({ ...CODE, absent }, GOING),
      'Ann 1111 | remove | -',
      { hides: 8 },
    ],
  ),
  [
    'a guest with hours of a week',
    ann(CODE, { draft: { ...ANN, schedule: WEEKLY } }),
    'Ann 1111 | update | Ann 1111',
  ],
  ['a guest whose dates are over', ann(null, { draft: { ...ANN, schedule: OVER } }), '- | - | -'],
  ['a single code that is to be added', operation(add(BEN)), 'Ann 1111 | add | Ann 1111, Ben 2222'],
  [
    'a single code that is to be changed',
    operation(change({ schedule: { kind: 'always' }, name: 'Annie' })),
    'Ann 1111 | update | Annie 1111',
  ],
  [
    'a single code that is to be removed, and was asked for',
    operation(remove(), sent(null, ['c0'], NOW - 20_000)),
    'Ann 1111, Ben 2222 | remove | Ben 2222',
  ],
  ['all codes that are to be removed', operation(clear('c0', 'c1')), 'Ann 1111, Ben 2222 | remove-all | -'],
  [
    'a single code that was sent, and still comes to the lock',
    operation(add(BEN), sent('gone')),
    'Ann 1111 | - | Ann 1111, Ben 2222',
    { gets: 'Ben 2222' },
  ],
  [
    'a single code that was sent, and never came to the lock',
    operation(add(BEN), sent(null)),
    '- | add | Ben 2222',
  ],
  [
    'a single code whose change was sent, and was lost',
    operation(change({ pin: '3333' }), sent(null)),
    'Ann 1111 | update | Ann 3333',
  ],
  [
    'a single code that somebody changed since a person asked to remove it',
    operation(remove({ expected: ANNE })),
    'Ann 1111 | - | Ann 1111',
  ],
  [
    'a single code that is to be removed, and no list shows',
    operation(remove()),
    'Ann 1111 | remove | -',
    { hides: 2 },
  ],
  [
    'all codes that are to be removed, of which one has appeared since',
    operation(clear('c0'), sent(null, ['c0'])),
    'Ann 1111, Ben 2222 | - | Ann 1111, Ben 2222',
  ],
  [
    'two changes of one lock, the later one stored first',
    { ...operation(remove(), { requestedAt: NOW - 1_000 }), ...operation(add(BEN), {}, 'o2') },
    'Ann 1111 | add, remove | Ben 2222',
  ],
  [
    'a change that nobody waits for any more',
    operation(add(BEN), { requestedAt: NOW - 61 * MINUTE }),
    '- | - | -',
  ],
  ['a change of a lock that has left the account', operation(add(BEN), { lockId: 'gone' }), '- | - | -'],
])('%s', async (_, rows, flow, { gets = '', hides = 0 } = {}) => {
  const [has = '', sends, ends] = flow.split(' | ').map((part) => (part === '-' ? '' : part));
  const home = new GuestHome(FRONT);
  const service = home.service(FRONT);
  const codes = [...draftsOf(has), ...draftsOf(gets)].map(({ name, pin, schedule }, index) => ({
    name,
    pin,
    schedule,
    id: accessCodeId(`c${String(index)}`),
    readOnly: false,
  }));
  service.codesOf = codes.slice(0, draftsOf(has).length);
  service.emptyLists = hides;
  await home.replaced(() => {
    for (const [key, row] of Object.entries(rows)) {
      home.values.write(key, structuredClone(row));
    }
  });
  await home.clock.advance(MINUTE);
  service.codesOf = gets === '' ? service.codesOf : codes;
  await home.clock.advance(14 * MINUTE);
  expect([
    service.sent.map(({ kind }) => kind).join(', '),
    service.codesOf.map(({ name, pin }) => `${name} ${pin}`).join(', '),
    [...home.values.all().keys()].filter((key) => !key.startsWith('guest:')),
  ]).toEqual([sends, ends, []]);
});

it('a guest who waits for a lock that is away is removed from it when it is back', async () => {
  const home = new GuestHome(FRONT, BACK);
  home.service(BACK).codesOf = [{ ...ANN, id: accessCodeId('c0'), readOnly: false }];
  home.leave(BACK);
  const rows = ann({ ...CODE, awayAs: 'back' }, GOING, 'back');
  await home.replaced(() => home.values.write('guest:1', structuredClone(rows['guest:1'] ?? {})));
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
