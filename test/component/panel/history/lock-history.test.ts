// The history of a lock as people read it: in the time of the zone that was named for the door, without secrets in names.
import { describe, expect, it } from 'vitest';
import type { HistoryEntry, HistoryLine } from '../../../../src/domain/history/history.ts';
import { lockId } from '../../../../src/domain/locks/lock.ts';
import { LockHistoryReader } from '../../../../src/panel/history/lock-history.ts';

const FRONT = lockId('front');
const WINTER = Date.UTC(2026, 0, 15, 12);
const SUMMER = Date.UTC(2026, 6, 15, 12);

function entryAt(at: number, name: string | null = null): HistoryEntry {
  const by = { method: 'access-code', id: 'a71e', name } as const;
  return { id: String(at), at, offsetMinutes: 90, what: 'unsecured', by };
}

async function read(
  lines: readonly HistoryLine[],
  zone: string | null,
  deviceTime = true,
): Promise<readonly HistoryEntry[]> {
  const history = new LockHistoryReader({ history: async () => ({ lines, unanswered: null }) }, (id) =>
    id === FRONT ? zone : null,
  );
  const answer = await history.history(FRONT, { limit: 10, deviceTime });
  return answer.lines.filter((line) => line.what !== 'gap');
}

describe('the history of a lock', () => {
  it.each([
    ['Europe/Paris', 60, 120],
    ['America/New_York', -300, -240],
    ['Asia/Kathmandu', 345, 345],
    ['America/St_Johns', -210, -150],
    ['UTC', 0, 0],
  ])('is reported on the clocks of %s, daylight saving included', async (zone, winter, summer) => {
    const answer = await read([entryAt(WINTER), entryAt(SUMMER)], zone);
    expect(answer.map(({ offsetMinutes }) => offsetMinutes)).toEqual([winter, summer]);
  });

  it('keeps the offset that the service gives where nobody named a zone', async () => {
    expect(await read([entryAt(WINTER)], null)).toEqual([entryAt(WINTER)]);
  });

  it('gives an entry that only a webhook reported the offset of the door, named or as the nearest listed entry has it', async () => {
    const reported = { ...entryAt(WINTER + 5_000), offsetMinutes: null };
    const [named] = await read([reported, entryAt(WINTER)], 'Europe/Paris');
    expect(named?.offsetMinutes).toBe(60);
    const lines = [reported, { ...entryAt(SUMMER), offsetMinutes: 150 }, entryAt(WINTER)];
    const offsets = (await read(lines, null)).map(({ offsetMinutes }) => offsetMinutes);
    expect(offsets).toEqual([90, 150, 90]);
    expect((await read([reported], null))[0]?.offsetMinutes).toBeNull();
  });

  it('has no offset of a zone where the caller did not ask for the time at the door', async () => {
    const entries = [entryAt(WINTER + 1), { ...entryAt(WINTER), offsetMinutes: null }];
    const answer = await read(entries, 'Europe/Paris', false);
    expect(answer.map(({ offsetMinutes }) => offsetMinutes)).toEqual([null, null]);
  });

  it('names codes and people, but no name that may be a secret (faults#66)', async () => {
    const answer = await read(
      ['Dog walker', '4711', '+49 170 123', 'a@b.example', null].map((name) => entryAt(WINTER, name)),
      null,
    );
    expect(answer.map(({ by }) => by.name)).toEqual(['Dog walker', null, null, null, null]);
  });
});
