// The lines of a page that are new to a reader who follows a history.
import { describe, expect, it } from 'vitest';
import { notPrinted } from '../../../../src/cli/history/follow.ts';
import { lockId } from '../../../../src/domain/locks/lock.ts';
import type { HistoryLineView } from '../../../../src/panel/views/history.ts';

function wrongCode(id: string, at: number): HistoryLineView {
  const by = { method: 'other', id: null, name: null } as const;
  return { lock: lockId('front'), lockName: 'Front door', what: 'wrong-code', id, at, offsetMinutes: 0, by };
}

describe('the new lines of a history', () => {
  it("leave out a webhook's entry that the service lists later, under another id and up to two seconds apart", () => {
    expect(notPrinted([wrongCode('e-1', 1_000)], [wrongCode('h-1', 3_000)])).toEqual([]);
  });

  it('include the second of two equal entries within two seconds', () => {
    const [first, second] = [wrongCode('h-1', 1_000), wrongCode('h-2', 2_000)];
    expect(notPrinted([], [first, second])).toEqual([first, second]);
    expect(notPrinted([wrongCode('e-1', 1_100)], [first, second])).toEqual([second]);
    expect(notPrinted([second], [first, second])).toEqual([first]);
    expect(notPrinted([first, second], [first, second])).toEqual([]);
  });
});
