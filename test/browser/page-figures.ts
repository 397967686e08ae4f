// Measures how soon the pages notice a loss, what they ask for while nothing happens, and how quickly they are drawn. The
// bench runs it as a process of its own: `node test/browser/page-figures.ts '{"losses":3,"paints":3,"idleMs":0,"crowds":true}'`.

import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { z } from 'zod';
import { alone, compared, type Figure, type Pairwise, percentile } from '../bench/figures.ts';
import { linked } from '../stand-ins/account/operations.ts';
import { AccountPanel } from './account-panel.ts';
import { measureCrowds } from './page-crowds.ts';
import { measureIdle } from './page-idle.ts';
import { leave, measureLosses } from './page-losses.ts';
import { MOST_SCRIPT_KB, scriptWeight } from './page-weight.ts';
import { DESKTOP, PHONE, Visitor } from './visitor.ts';

const FIRST_PAINT_MS = 300;
const FIRST_LOCK_MS = 1_000;
const LONGEST_FRAME_MS = 50;
/** The numbers of locks whose list is scrolled. */
const CROWDS = [30, 149] as const;
const SCROLL_STEPS = 120;
/** How often each list is scrolled, in turns with the bare page. */
const SCROLL_ROUNDS = 5;
const BARE_LINE_PX = 40;

/** 0 leaves a part out. */
const pageRounds = z.object({
  /** Losses of each kind. */
  losses: z.number(),
  /** For how long pages are left alone. */
  idleMs: z.number(),
  /** How often the page is opened, and its drawing and weight measured. */
  paints: z.number(),
  /** Whether many locks and many events are measured. */
  crowds: z.boolean(),
});
type PageRounds = z.output<typeof pageRounds>;

async function measurePages({ losses, idleMs, paints, crowds }: PageRounds): Promise<readonly Figure[]> {
  const visitor = await Visitor.arrive();
  try {
    return [
      ...(paints === 0
        ? []
        : [...(await painted(visitor, paints)), ...(await scrolled(visitor)), scriptSize()]),
      ...(crowds ? await measureCrowds(visitor) : []),
      ...(losses === 0 ? [] : await measureLosses(losses)),
      ...(idleMs === 0 ? [] : await measureIdle(visitor, idleMs)),
    ];
  } finally {
    await visitor.goHome();
  }
}

async function painted(visitor: Visitor, paints: number): Promise<readonly Figure[]> {
  const panel = await AccountPanel.start(linked(3));
  const first: number[] = [];
  const locks: number[] = [];
  for (let paint = 0; paint < paints; paint += 1) {
    const page = await visitor.open(panel.url, async (context) => {
      await panel.admit(context);
      await context.addInitScript(noteFirstLock);
    });
    await page.getByRole('heading', { level: 2 }).waitFor();
    await page.getByText('Lock 1', { exact: true }).waitFor();
    first.push(
      await page.evaluate(
        () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
      ),
    );
    locks.push(
      await page.evaluate(() => performance.getEntriesByName('first-lock')[0]?.startTime ?? Number.NaN),
    );
    await leave(visitor);
  }
  await panel.close();
  return [soon('first paint', first, FIRST_PAINT_MS), soon('first lock shown', locks, FIRST_LOCK_MS)];
}

/** Runs in the page before anything of it: marks when the first lock has been drawn. */
function noteFirstLock(): void {
  new MutationObserver((_, observer) => {
    if (document.querySelector('article') !== null) {
      observer.disconnect();
      requestAnimationFrame(() => performance.mark('first-lock'));
    }
  }).observe(document, { subtree: true, childList: true });
}

function soon(name: string, samples: readonly number[], goalMs: number): Figure {
  const [p95, worst] = [percentile(samples, 0.95), Math.max(...samples)];
  const goal = `p50 under ${String(goalMs)} (p95 ${p95.toFixed(0)}, worst ${worst.toFixed(0)})`;
  return alone({ name, unit: 'ms', goal }, samples, percentile(samples, 0.5) < goalMs);
}

async function scrolled(visitor: Visitor): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const locks of CROWDS) {
    for (const [place, viewport] of Object.entries({ phone: PHONE, desktop: DESKTOP })) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const name = `longest frame while ${String(locks)} locks scroll, ${place}, ${colorScheme}`;
        figures.push(longestFrame(name, await framesInTurns(visitor, locks, { viewport, colorScheme })));
      }
    }
  }
  return figures;
}

/** The longest of each scroll: what the page itself holds up, it holds up in each of them. */
function longestFrame(name: string, samples: Pairwise): Figure {
  const goal = `p50 at most ${String(LONGEST_FRAME_MS)}, or the bare page's`;
  return compared(
    { name, unit: 'ms', goal },
    samples,
    (ours, bare) => ours.p50 <= Math.max(LONGEST_FRAME_MS, bare.p50),
  );
}

/** The longest frame of each scroll: ours and, in turns, a bare page that is as tall: what disturbs the machine disturbs both. */
async function framesInTurns(
  visitor: Visitor,
  locks: number,
  options: BrowserContextOptions,
): Promise<Pairwise> {
  const samples: { ours: number[]; limit: number[] } = { ours: [], limit: [] };
  for (let round = 0; round < SCROLL_ROUNDS; round += 1) {
    const { frames, height } = await framesOf(visitor, locks, options);
    samples.ours.push(Math.max(...frames));
    samples.limit.push(Math.max(...(await framesOfBarePage(visitor, height, options))));
  }
  return samples;
}

/** From the moment that the list stands, while the rest of the page is still read. */
async function framesOf(
  visitor: Visitor,
  locks: number,
  options: BrowserContextOptions,
): Promise<{ readonly frames: readonly number[]; readonly height: number }> {
  const panel = await AccountPanel.start(linked(locks));
  const page = await visitor.open(panel.url, async (context) => panel.admit(context), options);
  await page.getByText(`Lock ${String(locks)}`, { exact: true }).waitFor();
  const frames = await scroll(page);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await leave(visitor);
  await panel.close();
  return { frames, height };
}

/** Lines of text, and no script. */
async function framesOfBarePage(
  visitor: Visitor,
  height: number,
  options: BrowserContextOptions,
): Promise<readonly number[]> {
  const page = await visitor.open('about:blank', undefined, options);
  const lines = Math.ceil(height / BARE_LINE_PX);
  await page.setContent(`<p style="height:${String(BARE_LINE_PX)}px;margin:0">Lock</p>`.repeat(lines));
  const frames = await scroll(page);
  await leave(visitor);
  return frames;
}

/** How long each step took, in milliseconds. */
async function scroll(page: Page): Promise<readonly number[]> {
  return page.evaluate(async (steps) => {
    const times: number[] = [];
    const frame = async (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
    let before = await frame();
    for (let step = 0; step < steps; step += 1) {
      window.scrollBy(0, 60);
      const now = await frame();
      times.push(now - before);
      before = now;
    }
    return times;
  }, SCROLL_STEPS);
}

function scriptSize(): Figure {
  const { first, heaviest, all } = scriptWeight(
    join(import.meta.dirname, '..', '..', 'dist', 'homebridge-ui', 'public'),
  );
  const goal = `at most ${String(MOST_SCRIPT_KB)} (first page ${first.toFixed(1)}, all pages ${all.toFixed(1)})`;
  return alone(
    { name: 'script of the heaviest page, compressed by gzip', unit: 'kB', goal },
    [heaviest],
    first > 1 && heaviest <= MOST_SCRIPT_KB,
  );
}

const [rounds = ''] = process.argv.slice(2);
console.log(JSON.stringify(await measurePages(pageRounds.parse(JSON.parse(rounds)))));
