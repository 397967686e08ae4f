// More locks than a bridge takes, for real: Home gets as many as fit, a freed place is filled, and Homebridge reports no error.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { manyLocks } from '../harness/many-locks.ts';
import { type OpenedStage, openStage } from './stage.ts';

const LOCKS = 155;
const MOST = 149;

describe('an account with more locks than a bridge takes (faults#98)', () => {
  let stage: OpenedStage;

  beforeAll(async () => {
    stage = await openStage({ pluginsFolder: inject('packed').pluginsFolder, scenario: manyLocks(LOCKS) });
  });

  afterAll(async () => {
    await stage.leave();
  });

  async function shown(): Promise<readonly string[]> {
    await stage.home.refresh();
    return stage.home.accessories;
  }

  function takeOneLine(): string {
    const complaints = stage.takeComplaints();
    expect(complaints).toHaveLength(1);
    return complaints[0] ?? '';
  }

  it('shows as many as fit, and says in one line what to do', async () => {
    await expect.poll(async () => shown()).toHaveLength(MOST);
    expect(takeOneLine()).toMatch(/^.*Lock \d+ is not in Home: .* Hide locks that you do not need/u);
  });

  it('fills a place that is freed, and says why a lock that is shown again must wait', async () => {
    const before = await shown();
    const [hidden = ''] = before;
    await stage.configure(hidden, { hide: true });
    const after = await shown();
    expect(after).toHaveLength(MOST);
    expect(after).not.toContain(hidden);
    expect(stage.complaints()).toEqual([]);
    await stage.configure(hidden, { hide: false });
    expect([...(await shown())].sort()).toEqual([...after].sort());
    expect(takeOneLine()).toContain(`${hidden} is not in Home`);
  });
});
