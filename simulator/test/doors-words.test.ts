// The words of the doors page, without a browser: its sentences, its comparison of door and cloud, its diary.
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Diary, writeDiary } from '../page/diary.ts';
import { activityWords, boltWords, clockWords, compare, dayWords, jamWords } from '../page/words.ts';
import { ACCESS_TYPES } from '../src/contract/names.ts';
import type { WorldEvent } from '../src/world/world-event.ts';
import { Fixture } from './server/partner.ts';

const common = { id: 'h-1', at: 1000, deviceId: 'door', userIds: [] };
const accessor = { id: null, friendlyName: null, accessType: 'Thumbturn' } as const;
const moved: WorldEvent = { ...common, kind: 'lock-state-changed', lockState: 'Unlocked', accessor };
const shown = (
  change: 'bolt' | 'wifi' | 'settings',
  bolt: 'Locked' | 'Unlocked' | 'Unknown',
): WorldEvent => ({
  ...common,
  id: `h-${change}`,
  kind: 'device-changed',
  change,
  bolt,
});

describe('a sentence of the diary', () => {
  test('has words of its own for each way of moving a bolt', () => {
    const sentences = ACCESS_TYPES.map((accessType) =>
      activityWords({ ...moved, accessor: { ...accessor, accessType } }),
    );
    expect(new Set(sentences).size).toBe(ACCESS_TYPES.length);
    expect(sentences.every((sentence) => sentence.startsWith('Unlocked, '))).toBe(true);
  });

  test('names a known person, and leaves out an unknown one', () => {
    const by = (friendlyName: string | null) =>
      activityWords({ ...moved, accessor: { id: 'c-1', friendlyName, accessType: 'AccessCode' } });
    expect([by('Cleaner'), by(''), by(null)]).toEqual([
      'Unlocked, with a code (Cleaner)',
      'Unlocked, with a code',
      'Unlocked, with a code',
    ]);
  });

  test('reports a failed command with its number and reason', () => {
    const error = { statusCode: 409, errorCode: 32, errorMessage: 'Bolt is jammed' } as const;
    const command = {
      commandId: 'c',
      deviceId: 'door',
      state: 'Failed',
      name: 'ChangeLockState',
      data: { lockState: 'Unknown', error },
    } as const;
    expect(activityWords({ ...common, kind: 'command-ended', command })).toBe(
      'Command ChangeLockState: Failed with 32, Bolt is jammed',
    );
  });

  test.each([
    [0, null],
    [2, 'jams 2 more'],
    [null, 'jams until cleared'],
  ])('counts the jams: a motor with %s jams left: %s', (jamsLeft, words) => {
    expect(jamWords(jamsLeft)).toBe(words);
  });

  test('names the direction of a bolt on its way', () => {
    expect(boltWords({ bolt: 'Locked', movingTo: 'Unlocked' })).toBe('Unlocking …');
    expect(boltWords({ bolt: 'Unknown', movingTo: null })).toBe('Unknown');
  });
});

test("an instant is shown on the reader's clock and calendar, with hours from 0 to 23", () => {
  for (const at of [0, Date.UTC(2026, 2, 29, 1, 30), Date.UTC(2026, 11, 31, 23, 59, 59)]) {
    const hour = String(new Date(at).getHours()).padStart(2, '0');
    expect(clockWords(at)).toMatch(new RegExp(`^${hour}:\\d\\d:\\d\\d$`));
    expect(clockWords(at)).toBe(
      new Date(at).toLocaleTimeString([], { timeStyle: 'medium', hourCycle: 'h23' }),
    );
    expect(dayWords(at)).toBe(
      new Date(at).toLocaleString([], { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' }),
    );
  }
});

describe('the comparison of door and cloud', () => {
  /** What differs after some hands at the front door, by name. */
  async function differences(
    ...physicalActions: readonly (readonly [string, unknown?])[]
  ): Promise<string[]> {
    const fixture = await Fixture.start();
    onTestFinished(() => fixture.close());
    for (const [action, details] of physicalActions) {
      await fixture.control(`locks/Front door/${action}`, details);
    }
    const rows = compare(fixture.simulator.world.inspect(fixture.lockId()));
    return rows.filter(({ differs }) => differs).map(({ what }) => what);
  }

  test('agrees while the lock is online', async () => {
    expect(await differences(['turn-thumbturn'], ['set-battery', { percent: 15.5 }])).toEqual([]);
  });

  test('differs in all that happens offline, and until the loss is noticed', async () => {
    expect(
      await differences(
        ['cut-wifi', { noticeAfterMs: 60_000 }],
        ['turn-thumbturn'],
        ['set-battery', { percent: 15 }],
      ),
    ).toEqual(['Bolt', 'Battery', 'Wi-Fi']);
    expect(await differences(['cut-wifi', { noticeAfterMs: 0 }])).toEqual([]);
  });
});

describe('the diary', () => {
  const none: Diary = new Map();
  const sentences = (diary: Diary) => diary.get('door')?.map(activityWords) ?? [];

  test('leaves out a motor that only starts, and events of no interest at the door', () => {
    expect(writeDiary(none, shown('bolt', 'Locked'), 'Locked')).toBe(none);
    expect(writeDiary(none, shown('bolt', 'Locked'), undefined)).toBe(none);
    expect(writeDiary(none, shown('settings', 'Locked'), 'Unlocked')).toBe(none);
    expect(writeDiary(none, { ...moved, deviceId: null }, 'Locked')).toBe(none);
  });

  test('reports a movement once, with its person if the cloud knows', () => {
    const bare = writeDiary(none, shown('bolt', 'Unlocked'), 'Locked');
    expect(sentences(bare)).toEqual(['The bolt rests: Unlocked']);
    expect(sentences(writeDiary(bare, moved, 'Unlocked'))).toEqual(['Unlocked, by hand']);
    const later = { ...moved, at: 2000 };
    expect(sentences(writeDiary(bare, later, 'Unlocked'))).toHaveLength(2);
  });

  test('keeps the last three, the newest first, lock by lock', () => {
    let diary = none;
    for (const code of ['1', '2', '3', '4']) {
      diary = writeDiary(
        diary,
        { ...common, id: code, kind: 'incorrect-code-entered', enteredAccessCode: code },
        'Locked',
      );
    }
    diary = writeDiary(diary, { ...moved, deviceId: 'other' }, 'Locked');
    expect(sentences(diary)).toEqual(['Wrong code: 4', 'Wrong code: 3', 'Wrong code: 2']);
  });
});
