// Measures what many locks and many events cost a page: how long its tab is blocked, its memory, and how far lines jump.
import type { CDPSession, Page } from 'playwright-core';
import { systemClock } from '../../src/support/clock.ts';
import { alone, type Figure, percentile } from '../bench/figures.ts';
import { aLock, linked, type StandInAccount } from '../stand-ins/account/operations.ts';
import { AccountPanel } from './account-panel.ts';
import { leave } from './page-losses.ts';
import { DESKTOP, PHONE, type Visitor } from './visitor.ts';

const LOCKS = 149;
const LONGEST_BLOCK_MS = 100;
const BURSTS = 9;

const EVENTS = 3_600;
const EVENTS_A_STEP = 100;
const MOST_GROWTH_MB = 10;

const MOST_SHIFT = 0.02;
/** Everything that a page reads has arrived by then. */
const SETTLED_MS = 3_000;

export async function measureCrowds(visitor: Visitor): Promise<readonly Figure[]> {
  return [...(await burst(visitor)), await growth(visitor), ...(await shifts(visitor))];
}

/** Every lock turns at once, with a line of activity each: the longest task, and the processor's time of the page's thread for all. */
async function burst(visitor: Visitor): Promise<readonly Figure[]> {
  const { account, page } = await open(visitor);
  await watchFor(page, 'longtask');
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const longest: number[] = [];
  const busy: number[] = [];
  for (let round = 1; round <= BURSTS; round += 1) {
    const before = await busyMs(session);
    turnLocks(account, round * LOCKS, LOCKS);
    // Nothing is looked for meanwhile: that would be done by the page's thread, too.
    await page.waitForTimeout(SETTLED_MS);
    busy.push((await busyMs(session)) - before);
    await page
      .getByText(`Turn ${String((round + 1) * LOCKS - 1)}`)
      .first()
      .waitFor({ state: 'attached' });
    longest.push(Math.max(0, ...(await seen(page))));
  }
  await leave(visitor);
  return [
    blocked(`tab blocked by ${String(LOCKS)} changes at once`, longest),
    blocked(`the same, processor time of its thread in ${String(SETTLED_MS / 1_000)} s`, busy),
  ];
}

function blocked(name: string, samples: readonly number[]): Figure {
  const goal = `p50 at most ${String(LONGEST_BLOCK_MS)} (worst ${Math.max(...samples).toFixed(0)})`;
  return alone({ name, unit: 'ms', goal }, samples, percentile(samples, 0.5) <= LONGEST_BLOCK_MS);
}

async function busyMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000;
}

/** The heap after a collection, before and after. */
async function growth(visitor: Visitor): Promise<Figure> {
  const { account, page } = await open(visitor);
  const session = await page.context().newCDPSession(page);
  turnLocks(account, LOCKS, EVENTS_A_STEP);
  await page.waitForTimeout(SETTLED_MS);
  const before = await heapMb(session);
  for (let sent = EVENTS_A_STEP; sent < EVENTS; sent += EVENTS_A_STEP) {
    turnLocks(account, LOCKS + sent, EVENTS_A_STEP);
    await page
      .getByText(`Turn ${String(LOCKS + sent + EVENTS_A_STEP - 1)}`)
      .first()
      .waitFor({ state: 'attached' });
  }
  await page.waitForTimeout(SETTLED_MS);
  const grown = (await heapMb(session)) - before;
  await leave(visitor);
  return alone(
    {
      name: `heap of a tab, grown by ${String(EVENTS)} events`,
      unit: 'MB',
      goal: `at most ${String(MOST_GROWTH_MB)}`,
    },
    [grown],
    grown <= MOST_GROWTH_MB,
  );
}

async function shifts(visitor: Visitor): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const [place, viewport] of Object.entries({ phone: PHONE, desktop: DESKTOP })) {
    const { page } = await open(visitor, viewport);
    await page.waitForTimeout(SETTLED_MS);
    await watchFor(page, 'layout-shift');
    const shift = (await seen(page)).reduce((sum, value) => sum + value, 0);
    await leave(visitor);
    figures.push(
      alone(
        {
          name: `layout shift of the overview with ${String(LOCKS)} locks, ${place}`,
          unit: '',
          goal: `under ${String(MOST_SHIFT)}`,
        },
        [shift],
        shift < MOST_SHIFT,
      ),
    );
  }
  return figures;
}

async function open(
  visitor: Visitor,
  viewport = DESKTOP,
): Promise<{ readonly account: StandInAccount; readonly page: Page }> {
  const account = linked(LOCKS);
  const panel = await AccountPanel.start(account);
  const page = await visitor.open(panel.url, async (context) => panel.admit(context), { viewport });
  await page.getByText(`Lock ${String(LOCKS)}`, { exact: true }).waitFor();
  page.context().once('close', () => void panel.close());
  return { account, page };
}

/** A number of turns, one lock after the other, each by a person of its own. */
export function turnLocks(account: StandInAccount, first: number, count: number): void {
  for (let number = first; number < first + count; number += 1) {
    const at = systemClock.now();
    const bolt = number % 2 === 0 ? 'secured' : 'unsecured';
    const by = { method: 'access-code', id: null, name: `Turn ${String(number)}` } as const;
    const lock = aLock(`Lock ${String((number % LOCKS) + 1)}`, {
      bolt,
      confirmedAt: at,
      lastMove: { to: bolt, by, at },
    });
    account.publish({ type: 'lock', lock });
    account.publish({
      type: 'activity',
      activity: {
        number,
        at,
        lock: { id: lock.id, name: lock.description.name },
        detail: { type: 'bolt', bolt, move: { to: bolt, by, at } },
      },
    });
  }
}

/** Collects entries of the browser's own measuring from here on, and those that it has kept. */
async function watchFor(page: Page, type: 'longtask' | 'layout-shift'): Promise<void> {
  await page.evaluate((wanted) => {
    const values: number[] = [];
    Object.assign(globalThis, { seenValues: values });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const value: unknown = Reflect.get(entry, 'value');
        values.push(typeof value === 'number' ? value : entry.duration);
      }
    }).observe({ type: wanted, buffered: wanted === 'layout-shift' });
  }, type);
}

/** What was collected since the last time. */
async function seen(page: Page): Promise<readonly number[]> {
  return page.evaluate(async () => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const values: unknown = Reflect.get(globalThis, 'seenValues');
    return Array.isArray(values) ? values.splice(0).map(Number) : [];
  });
}

async function heapMb(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1_000_000;
}
