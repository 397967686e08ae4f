// Which lines of a page are new to somebody who follows a history.
import { describe, expect, it } from 'vitest';
import { notPrinted } from '../../../src/cli/history-follow.ts';
import { lockId } from '../../../src/domain/lock.ts';
import type { HistoryLineView } from '../../../src/panel/history-view.ts';

function wrongCode(id: string, at: number): HistoryLineView {
  const by = { method: 'other', id: null, name: null } as const;
  return { lock: lockId('front'), lockName: 'Front door', what: 'wrong-code', id, at, offsetMinutes: 0, by };
}

describe('the lines that are new', () => {
  it('are none where the service lists what a webhook reported, under another id and up to two seconds apart', () => {
    expect(notPrinted([wrongCode('e-1', 1_000)], [wrongCode('h-1', 3_000)])).toEqual([]);
  });

  it('include the second of two like entries within two seconds', () => {
    const [first, second] = [wrongCode('h-1', 1_000), wrongCode('h-2', 2_000)];
    expect(notPrinted([], [first, second])).toEqual([first, second]);
    expect(notPrinted([wrongCode('e-1', 1_100)], [first, second])).toEqual([second]);
    expect(notPrinted([second], [first, second])).toEqual([first]);
    expect(notPrinted([first, second], [first, second])).toEqual([]);
  });
});
