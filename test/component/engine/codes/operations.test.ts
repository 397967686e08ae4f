// One operation on access codes against every kind of fault: its commands, its end, and its words.

import { describe, expect, it, vi } from 'vitest';
import { type AccessCode, accessCodeId } from '../../../../src/domain/codes/access-code.ts';
import type { CodeProgress } from '../../../../src/domain/codes/operation.ts';
import type { AccessCodes } from '../../../../src/engine/codes/access-codes.ts';
import { KeptCodeStore } from '../../../../src/storage/codes/code-store.ts';
import { RetryError } from '../../../../src/support/errors.ts';
import { t } from '../../../../src/words/translate.ts';
import { CodeHome, DOOR } from '../../../homes/codes-home.ts';

const DRAFT = { name: 'Cleaner', pin: '0417', schedule: { kind: 'always' } } as const;

/** The latest change, so long after this was asked for. */
async function asked(home: CodeHome, work: Promise<unknown>, waitMs?: number) {
  await home.asked(work);
  return later(home, waitMs);
}

async function later(home: CodeHome, ms = 10_000): Promise<CodeProgress | undefined> {
  await home.clock.advance(ms);
  return home.codes.operations().at(-1);
}

const added = async (home: CodeHome, waitMs?: number) => asked(home, home.codes.add(DOOR, DRAFT), waitMs);

describe('adding a code', () => {
  it.each([
    ['in this process', false],
    ['after a restart', true],
  ])('that was sent late is not sent again before its absence is proven, %s', async (_, restarts) => {
    const home = new CodeHome();
    home.service.leavesAfterMs = 40_000;
    home.service.mishaps = ['lost-request'];
    await added(home, 41_000);
    home.service.leavesAfterMs = 0;
    if (restarts) {
      await home.crash();
    }
    expect([(await later(home, 120_000))?.phase, home.service.sent.length]).toEqual(['checking', 0]);
    expect([(await later(home, 30_000))?.phase, home.service.sent.length]).toEqual(['done', 1]);
  });

  it('waits for a busy lock and a service that asks for a pause, and names what it waits for', async () => {
    const home = new CodeHome();
    home.service.mishaps = ['busy', 'limited'];
    const waiting = await added(home, 2_000);
    expect(waiting).toMatchObject({ phase: 'waiting' });
    expect(waiting?.waitingFor && t(waiting.waitingFor)).toBe('Later.');
    expect(await later(home, 8_000)).toMatchObject({ phase: 'done' });
  });

  it('whose row cannot be written is not sent until it can', async () => {
    const home = new CodeHome();
    const save = vi.spyOn(home.store, 'saveGuest').mockImplementation(() => {
      throw new RetryError('storage-failed', 'The disk is full.');
    });
    save.mockImplementationOnce((row) => {
      KeptCodeStore.prototype.saveGuest.call(home.store, row);
    });
    await asked(home, home.codes.add(DOOR, DRAFT), 5_000);
    expect([home.codes.operations().at(-1)?.phase, home.service.sent.length]).toEqual(['waiting', 0]);
    save.mockRestore();
    expect([(await later(home))?.phase, home.service.sent.length]).toEqual(['done', 1]);
  });

  it('that could not be sent for ten minutes is given up unsent', async () => {
    const home = new CodeHome();
    home.service.mishaps = Array.from({ length: 100 }, () => 'unsent' as const);
    expect(await added(home, 9 * 60_000)).toMatchObject({ phase: 'waiting' });
    expect(await later(home, 120_000)).toMatchObject({
      phase: 'failed',
      failure: { reason: 'not-sent' },
    });
    expect([home.service.sent.length, home.open().length]).toEqual([0, 0]);
  });

  it('that failed half-way leaves a stray, which can be removed by its id', async () => {
    const home = new CodeHome();
    home.service.mishaps = [{ fails: 'lock-silent' }];
    await added(home);
    const { strays } = await home.asked(home.codes.list(DOOR));
    expect(strays).toMatchObject([{ codeId: 'code-1', name: 'Cleaner', only: 'lock' }]);
    await asked(home, home.codes.remove(DOOR, accessCodeId('code-1')), 5_000);
    expect((await home.asked(home.codes.list(DOOR))).strays).toEqual([]);
  });

  it('is taken up by the next process, and leaves no PIN on the disk, in events or in the log (faults#68)', async () => {
    const home = new CodeHome();
    home.service.takesMs = 20_000;
    await added(home, 2_000);
    expect(JSON.stringify(home.open())).toContain('0417');
    await home.crash();
    expect(await later(home, 60_000)).toMatchObject({ phase: 'done', name: 'Cleaner' });
    expect(home.service.sent).toHaveLength(1);
    expect(home.open()).toEqual([]);
    expect(JSON.stringify(home.events) + home.lines.join('\n')).not.toContain('0417');
  });
});

const DISAGREES = { phase: 'failed', failure: { reason: 'list-disagrees' } };

describe('a change that the service calls done', () => {
  const CODE = accessCodeId('code-1');

  it.each<[string, boolean, (codes: AccessCodes) => Promise<unknown>]>([
    ['an added code', false, async (codes) => codes.add(DOOR, DRAFT)],
    ['a changed code', true, async (codes) => codes.update(DOOR, CODE, { pin: '0418' })],
    ['a removed code', true, async (codes) => codes.remove(DOOR, CODE)],
    ['all codes that were removed', true, async (codes) => codes.removeAll(DOOR)],
  ])('is not reported as done while the list shows otherwise: %s', async (_, isThere, change) => {
    const home = new CodeHome();
    if (isThere) {
      await added(home);
    }
    home.service.mishaps = ['lies'];
    const before = home.service.listings.count;
    expect(await asked(home, change(home.codes))).toMatchObject(DISAGREES);
    // Before the request, before the command, three times after its end, and once more for whoever looks.
    expect(home.service.listings.count - before).toBeLessThanOrEqual(6);
    expect(home.lines.at(-1)).toMatch(/^Front door: may not have (?:add|chang|remov)ed .+ shows otherwise/u);
    expect(home.lines.at(-1)).not.toContain('0417');
  });

  it('is reported as done once a late list shows it', async () => {
    const home = new CodeHome();
    home.service.mishaps = ['late-list'];
    expect(await added(home, 3_000)).toMatchObject({ phase: 'checking' });
    expect(await later(home, 3_000)).toMatchObject({ phase: 'done', codeId: 'code-1' });
  });

  it('is reported as done when the list cannot be read', async () => {
    const home = new CodeHome();
    await asked(home, home.codes.add(DOOR, DRAFT), 700);
    home.service.onApply = () => {
      home.service.unreadable = true;
    };
    expect(await later(home)).toMatchObject({ phase: 'done', codeId: 'code-1' });
  });
});

const UNKNOWN = { phase: 'failed', failure: { reason: 'outcome-unknown' } };

describe('a list alone', () => {
  const CODE = accessCodeId('code-1');

  it.each<[string, (codes: AccessCodes) => Promise<unknown>, string[]]>([
    ['a code is removed', async (codes) => codes.remove(DOOR, CODE), ['code-1']],
    ['all codes are removed', async (codes) => codes.removeAll(DOOR), ['code-1']],
    ['digits are changed', async (codes) => codes.update(DOOR, CODE, { pin: '0418' }), []],
  ])(
    'does not prove that %s where the service says that the lock has not done it',
    async (_, change, lockAlone) => {
      const home = new CodeHome();
      await added(home);
      home.service.mishaps = [{ fails: 'code-not-deleted', done: true }];
      expect(await asked(home, change(home.codes))).toMatchObject(UNKNOWN);
      const strays = async () => (await home.asked(home.codes.list(DOOR))).strays.map(({ codeId }) => codeId);
      expect(await strays()).toEqual(lockAlone);
      // Removed by its id, it is gone on both sides.
      await asked(home, home.codes.remove(DOOR, CODE), 5_000);
      expect(await strays()).toEqual([]);
    },
  );

  it('of a code that neither side has, as the service says, is no longer shown as one that the lock alone has', async () => {
    const home = new CodeHome();
    await added(home);
    home.service.mishaps = [{ fails: 'lock-silent', done: true }, { refused: 'code-id-invalid' }];
    await asked(home, home.codes.remove(DOOR, CODE));
    await asked(home, home.codes.remove(DOOR, CODE), 5_000);
    expect((await home.asked(home.codes.list(DOOR))).strays).toEqual([]);
  });

  it('that is empty once does not prove a removal whose answer was lost: it is sent again', async () => {
    const home = new CodeHome();
    await added(home);
    home.service.mishaps = ['lost-request'];
    await home.asked(home.codes.remove(DOOR, CODE));
    home.service.emptyLists = 1;
    expect([(await later(home, 500))?.phase, home.service.codesOf.length]).not.toContain('done');
    await home.clock.advance(30_000);
    expect(home.service.sent.filter(({ kind }) => kind === 'remove')).toHaveLength(1);
    expect([home.codes.operations().at(-1)?.phase, home.service.codesOf.length]).toEqual(['done', 0]);
  });

  it.each([
    ['the lock did it', false],
    ['the lock did not, and the list is wrong', true],
  ])(
    'that lacks all codes after a restart interrupted their removal has them asked for by id in seconds, and ends when that can take effect no more: %s (faults#152)',
    async (_, isLost) => {
      const home = new CodeHome();
      await added(home);
      await asked(home, home.codes.add(DOOR, { ...DRAFT, name: 'Guest', pin: '7390' }));
      home.service.mishaps = [isLost ? 'lost-request' : 'hangs'];
      await asked(home, home.codes.removeAll(DOOR), 2_000);
      home.service.emptyLists = isLost ? 40 : 0;
      await home.crash();
      expect([(await later(home, 25_000))?.phase, home.service.codesOf.length]).toEqual(['checking', 0]);
      await home.clock.advance(2 * 60_000);
      expect(home.codes.operations().at(-1)?.phase).toBe('done');
    },
  );

  it('of no code does not end the removal of all while that may take effect: it would take the next code, too', async () => {
    const home = new CodeHome();
    home.service.takesMs = 50_000;
    home.service.mishaps = ['held'];
    await home.asked(home.codes.removeAll(DOOR));
    home.service.takesMs = 50;
    await asked(home, home.codes.add(DOOR, DRAFT), 5 * 60_000);
    expect(home.codes.operations().map(({ phase }) => phase)).toEqual(['done', 'done']);
    expect(home.service.codesOf).toHaveLength(1);
  });

  it('that could not be sent says nothing of the removal of all that may still take effect', async () => {
    const home = new CodeHome();
    await added(home);
    home.service.mishaps = ['held', 'limited'];
    const clear = home.codes.removeAll(DOOR);
    // The app removes the code meanwhile, so that it is asked for by its id.
    home.app(DOOR, () => []);
    await home.asked(clear);
    const next = { ...DRAFT, name: 'Guest', pin: '7390' };
    await asked(home, home.codes.add(DOOR, next), 5 * 60_000);
    expect(home.codes.operations().map(({ phase }) => phase)).toEqual(['done', 'done', 'done']);
    expect(home.service.codesOf.map(({ name }) => name)).toEqual(['Guest']);
  });

  it('does not prove a removal that the service still calls pending', async () => {
    const home = new CodeHome();
    await added(home);
    home.service.mishaps = ['never-ends'];
    expect(await asked(home, home.codes.remove(DOOR, CODE), 9 * 60_000)).toMatchObject({ phase: 'sent' });
    await home.clock.advance(3 * 60_000);
    // Asked once more, the service says that there is no such code.
    expect(home.codes.operations().at(-1)).toMatchObject({ phase: 'done' });
  });
});

it.each([
  ['schedule', { schedule: { kind: 'always' } }],
  ['digits', { pin: '9999' }],
] as const)(
  'an added code whose listed %s is another than asked is not reported as done',
  async (_, other) => {
    const home = new CodeHome();
    const windows = [{ days: ['Monday'], from: '08:00', until: '11:00' }] as const;
    await home.asked(home.codes.add(DOOR, { ...DRAFT, schedule: { kind: 'recurring', windows } }));
    const list = home.service.codes.bind(home.service);
    const otherwise = (codes: readonly AccessCode[]) => codes.map((code) => ({ ...code, ...other }));
    vi.spyOn(home.service, 'codes').mockImplementation(async () => otherwise(await list()));
    expect(await later(home)).toMatchObject(DISAGREES);
  },
);

it('a change that stays pending ends by the list after a minute, and is sent once', async () => {
  const home = new CodeHome();
  home.service.mishaps = ['never-ends'];
  expect(await added(home, 64_000)).toMatchObject({ phase: 'sent' });
  expect(await later(home, 4_000)).toMatchObject({ phase: 'done', codeId: 'code-1' });
  expect(home.service.sent).toHaveLength(1);
});

it('a changed code is changed in place, and an event causes one reading of the list', async () => {
  const home = new CodeHome();
  const { codeId } = (await added(home)) ?? {};
  await asked(home, home.codes.update(DOOR, codeId ?? accessCodeId('?'), { pin: '0418' }));
  expect(home.service.sent.map(({ kind }) => kind)).toEqual(['add', 'update']);
  const before = home.service.listings.count;
  const event = {
    type: 'code-updated',
    codeId: 'code-1',
    codeName: null,
    eventId: 'e',
    at: 1,
    lockId: DOOR,
  } as const;
  home.bus.emit({ type: 'event-received', event });
  home.bus.emit({ type: 'event-received', event });
  await home.clock.advance(5_000);
  expect(home.service.listings.count).toBe(before + 1);
});
