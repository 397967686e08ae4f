// Guests over several locks: kept true where locks are away, come back or are added, and never at the cost of another's change.

import { describe, expect, it, vi } from 'vitest';
import { type AccessCode, accessCodeId } from '../../../../../src/domain/codes/access-code.ts';
import { ANNA, BACK, FRONT, homeOfTwo, homeWithAnna, SHED } from '../../../../homes/codes-home.ts';
import { inWords } from '../../../../support/in-words.ts';

const MINUTE = 60_000;

describe('a guest', () => {
  it('gets the code on every lock in one operation each, also on an offline lock when it is back, and on a lock that is added later', async () => {
    const home = await homeOfTwo();
    home.connect(BACK, false);
    home.guests.add(ANNA, 'all');
    await home.clock.advance(10_000);
    expect(inWords(home.on(BACK)?.standing)).toEqual({
      kind: 'waiting',
      words: 'The lock is offline. This is done when it is back.',
      retryAt: null,
    });
    expect(home.service(BACK).sent).toEqual([]);
    home.connect(BACK, true);
    home.appear(SHED);
    await home.clock.advance(10_000);
    expect(home.kinds()).toEqual(['up-to-date', 'up-to-date', 'up-to-date']);
    expect([FRONT, BACK, SHED].map((id) => home.service(id).sent.length)).toEqual([1, 1, 1]);
  });
});

it('a code that the service stores wider than asked is not shown as up to date, and is narrowed', async () => {
  const home = await homeOfTwo();
  const windows = [{ days: ['Monday'], from: '08:00', until: '11:00' }] as const;
  const narrow = { ...ANNA, schedule: { kind: 'recurring', windows } } as const;
  const front = home.service(FRONT);
  const list = front.codes.bind(front);
  const widened = (codes: readonly AccessCode[]): AccessCode[] =>
    codes.map((code) => ({ ...code, schedule: { kind: 'always' } }));
  const wide = vi.spyOn(front, 'codes').mockImplementation(async () => widened(await list()));
  home.guests.add(narrow, [FRONT]);
  await home.clock.advance(10_000);
  expect(home.kinds()).toEqual(['waiting']);
  wide.mockRestore();
  front.codesOf = widened(front.codesOf);
  await home.clock.advance(10 * MINUTE);
  expect([home.kinds(), home.has(FRONT, narrow), front.codesOf.length]).toEqual([['up-to-date'], true, 1]);
});

describe('a code that the app changed', () => {
  it.each(['keep', 'overwrite'] as const)(
    'is shown as changed elsewhere, and waits for "%s"',
    async (choice) => {
      const { home, id } = await homeWithAnna();
      home.app(FRONT, (codes) => codes.map((code) => ({ ...code, name: 'Anne' })));
      await home.clock.advance(2 * MINUTE);
      const shown = home.on(FRONT);
      expect(shown?.standing).toMatchObject({ kind: 'differs', fields: ['name'], found: { name: 'Anne' } });
      expect(home.lines.join('\n')).toContain('front: the code of the guest "Anna" was changed elsewhere.');
      home.guests.settle(id, FRONT, choice, shown?.revision ?? 0);
      await home.clock.advance(10_000);
      expect(home.has(FRONT, ANNA)).toBe(choice === 'overwrite');
      expect(home.on(FRONT)?.standing.kind).toBe(choice === 'keep' ? 'kept' : 'up-to-date');
      expect(home.service(FRONT).sent.map(({ kind }) => kind)).toEqual(
        choice === 'keep' ? ['add'] : ['add', 'update'],
      );
    },
  );

  it('again before the decision is shown anew', async () => {
    const { home, id } = await homeWithAnna();
    home.app(FRONT, (codes) => codes.map((code) => ({ ...code, name: 'Anne' })));
    await home.clock.advance(2_000);
    const revision = home.on(FRONT)?.revision ?? 0;
    home.app(FRONT, (codes) => codes.map((code) => ({ ...code, name: 'Annie' })));
    await home.clock.advance(2_000);
    expect(() => {
      home.guests.settle(id, FRONT, 'overwrite', revision);
    }).toThrow('The code changed meanwhile. Look again, then decide.');
    expect(home.service(FRONT).sent).toHaveLength(1);
  });
});

describe('two people who change one guest (faults#119)', () => {
  const weekly = {
    kind: 'recurring',
    windows: [{ days: ['Monday'], from: '08:00', until: '11:00' }],
  } as const;

  it("do not undo each other's changes: the second is told, and sees both versions", async () => {
    const { home, id } = await homeWithAnna();
    const seen = home.guests.list()[0]?.revision ?? 0;
    home.guests.update(id, { locks: [BACK], schedule: weekly }, seen);
    const stale = { name: 'Ann', schedule: { kind: 'always' }, locks: 'all' } as const;
    expect(() => home.guests.update(id, stale, seen)).toThrow(
      'Nothing was changed: somebody else changed this meanwhile. Now: "Anna", Mon 08:00-11:00, on back. Yours: "Ann", always, on all locks. Try again to use yours.',
    );
    expect(() => home.guests.update(id, { pin: '0815' }, seen)).toThrow('Yours: other digits.');
    await home.crash();
    await home.clock.advance(30_000);
    // Whoever has seen it changes what they touch alone.
    const [now] = home.guests.list();
    home.guests.update(id, { name: 'Ann' }, now?.revision ?? 0);
    await home.clock.advance(30_000);
    expect(home.guests.list()).toMatchObject([{ name: 'Ann', locks: [BACK], schedule: weekly }]);
    expect(home.service(FRONT).codesOf).toEqual([]);
    expect(home.service(BACK).codesOf).toMatchObject([{ name: 'Ann', pin: '4711', schedule: weekly }]);
  });
});

describe('a fault', () => {
  it('of a clash is reported per lock before anything is sent, and ends with another code', async () => {
    const home = await homeOfTwo();
    home.app(FRONT, () => [{ ...ANNA, id: accessCodeId('x'), name: 'Bob', readOnly: false }]);
    home.guests.add(ANNA, 'all');
    await home.clock.advance(10_000);
    expect(home.on(FRONT)?.standing).toMatchObject({ kind: 'refused', failure: { reason: 'code-exists' } });
    expect([home.service(FRONT).sent.length, home.on(BACK)?.standing.kind]).toEqual([0, 'up-to-date']);
    home.app(FRONT, () => []);
    await home.clock.advance(10_000);
    expect(home.on(FRONT)?.standing.kind).toBe('up-to-date');
  });

  it('of the lock is tried again later by itself, or at once on request', async () => {
    const home = await homeOfTwo();
    home.service(FRONT).mishaps = [{ fails: 'lock-silent' }, { fails: 'lock-silent' }];
    home.guests.add(ANNA, [FRONT]);
    await home.clock.advance(10_000);
    expect(home.on(FRONT)?.standing).toMatchObject({ kind: 'waiting' });
    const id = home.guests.list()[0]?.id ?? '';
    home.guests.settle(id, FRONT, 'retry', home.on(FRONT)?.revision ?? 0);
    await home.clock.advance(10_000);
    expect(home.service(FRONT).sent).toHaveLength(2);
    await home.clock.advance(9 * MINUTE);
    expect(home.service(FRONT).sent).toHaveLength(2);
    await home.clock.advance(2 * MINUTE);
    expect(home.kinds()).toEqual(['up-to-date']);
  });

  it('of the way to the lock is tried again within seconds, and names what is waited for', async () => {
    const home = await homeOfTwo();
    home.service(FRONT).mishaps = ['unsent', 'limited', 'busy'];
    home.guests.add(ANNA, [FRONT]);
    await home.clock.advance(500);
    expect(inWords(home.on(FRONT)?.standing)).toMatchObject({
      kind: 'waiting',
      words: 'The service could not be reached.',
    });
    await home.clock.advance(10_000);
    expect([home.kinds(), home.service(FRONT).sent.length]).toEqual([['up-to-date'], 1]);
    // Tries that reached no lock are neither reported nor logged as failures.
    expect(home.lines).toEqual(['front: added the access code "Anna".']);
  });

  it('of the service is waited out without a loop of calls', async () => {
    const home = await homeOfTwo();
    home.service(FRONT).unreachable = true;
    home.guests.add(ANNA, [FRONT]);
    const before = home.service(FRONT).listings.count;
    await home.clock.advance(10 * MINUTE);
    expect(home.service(FRONT).listings.count - before).toBeLessThan(12);
    expect(inWords(home.on(FRONT)?.standing)).toEqual({
      kind: 'waiting',
      words: 'The service could not be reached.',
      retryAt: null,
    });
    home.service(FRONT).unreachable = false;
    await home.clock.advance(2 * MINUTE);
    expect(home.kinds()).toEqual(['up-to-date']);
  });

  it('of the disk starts no operation that could not be stored', async () => {
    const { home, id } = await homeWithAnna();
    home.values.isFailing = true;
    expect(() => home.guests.update(id, { pin: '0815' }, 1)).toThrow('The disk is full.');
    await home.clock.advance(5 * MINUTE);
    expect(home.service(FRONT).sent).toHaveLength(1);
    home.appear(SHED);
    await home.clock.advance(5 * MINUTE);
    expect(home.service(SHED).sent).toEqual([]);
    home.values.isFailing = false;
    await home.clock.advance(5 * MINUTE);
    expect(home.service(SHED).sent).toHaveLength(1);
  });

  it('of the link pauses every operation', async () => {
    const home = await homeOfTwo();
    home.link = 'revoked';
    home.guests.add(ANNA, 'all');
    await home.clock.advance(5 * MINUTE);
    expect(home.service(FRONT).listings.count).toBe(0);
    home.link = 'linked';
    home.bus.emit({ type: 'gap' });
    await home.clock.advance(10_000);
    expect(home.kinds()).toEqual(['up-to-date', 'up-to-date']);
  });
});

describe('an account with guests', () => {
  it('has no digits in a line of the log, in an event or in the list', async () => {
    const { home, id } = await homeWithAnna();
    home.app(FRONT, (codes) => codes.map((code) => ({ ...code, pin: '0815' })));
    await home.clock.advance(2 * MINUTE);
    expect(JSON.stringify(home.guests.list()) + home.lines.join('\n')).not.toMatch(/4711|0815/u);
    expect(home.guests.reveal(id)).toBe('4711');
  });

  it('erases the guests of a forgotten account, and leaves their codes alone', async () => {
    const { home } = await homeWithAnna();
    home.guests.forgetAll();
    await home.clock.advance(10_000);
    expect([home.guests.list(), home.store.guests(), home.has(FRONT, ANNA)]).toEqual([[], [], true]);
  });

  it('makes no call while it is idle', async () => {
    const { home } = await homeWithAnna();
    const before = home.service(FRONT).listings.count;
    await home.clock.advance(24 * 60 * MINUTE);
    expect(home.service(FRONT).listings.count).toBe(before);
  });
});
