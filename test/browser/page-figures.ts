// Measures how soon the pages notice a loss, what they ask for while nothing happens, and how quickly they are drawn. The
// bench runs it as a process of its own: `node test/browser/page-figures.ts '{"losses":3,"idleMs":20000,"paints":3}'`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { z } from 'zod';
import { alone, type Figure, percentile } from '../bench/figures.ts';
import { KillablePanel } from './killable-panel.ts';
import { aLock, PretendAccount } from './pretend-account.ts';
import { PretendPanel } from './pretend-panel.ts';
import { PHONE, Visitor } from './visitor.ts';
import { Wire } from './wire.ts';

const BANNER = 'No connection to the plugin.';
const BANNER_WITHIN_MS = 5_000;
const BACK_WITHIN_MS = 20_000;
const FIRST_PAINT_MS = 300;
const LONGEST_FRAME_MS = 50;
const MOST_SCRIPT_KB = 60;
/** The numbers of locks whose list is scrolled. */
const CROWDS = [30, 149] as const;
const SCROLL_STEPS = 120;

const pageRounds = z.object({
  /** Losses of each kind. */
  losses: z.number(),
  /** Half of it out of sight, half in sight. */
  idleMs: z.number(),
  /** How often the page is opened. */
  paints: z.number(),
});
type PageRounds = z.output<typeof pageRounds>;

async function measurePages(rounds: PageRounds): Promise<readonly Figure[]> {
  const visitor = await Visitor.arrive();
  try {
    return [
      ...(await killed(visitor, rounds.losses)),
      ...(await lost(visitor, rounds.losses, 'cut')),
      ...(await lost(visitor, rounds.losses, 'silence')),
      ...(await idle(visitor, rounds.idleMs)),
      await painted(visitor, rounds.paints),
      ...(await scrolled(visitor)),
      scriptSize(),
    ];
  } finally {
    await visitor.goHome();
  }
}

/** An account that is connected, with so many locks. */
function linked(locks: number): PretendAccount {
  const account = new PretendAccount();
  account.saveCredentials();
  account.link = { ...account.link, state: 'linked' };
  account.hold(...Array.from({ length: locks }, (_, index) => aLock(`Lock ${String(index + 1)}`)));
  return account;
}

/** What a browser says on its console of a connection that is gone is no fault of a page. */
async function leave(visitor: Visitor): Promise<void> {
  visitor.complaints.splice(0);
  await visitor.leave();
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await run();
  return performance.now() - before;
}

const banner = async (page: Page, state: 'visible' | 'hidden'): Promise<void> =>
  page.getByText(BANNER).waitFor({ state, timeout: 2 * BACK_WITHIN_MS });

function lossFigure(what: string, samples: readonly number[], goalMs = BANNER_WITHIN_MS): Figure {
  const p95 = percentile(samples, 0.95);
  return alone(
    { name: what, unit: 'ms', goal: `p95 at most ${String(goalMs)} (${p95.toFixed(0)})` },
    samples,
    p95 <= goalMs,
  );
}

async function killed(visitor: Visitor, losses: number): Promise<readonly Figure[]> {
  const panel = await KillablePanel.start();
  const toBanner: number[] = [];
  const toAnswer: number[] = [];
  for (let loss = 0; loss < losses; loss += 1) {
    const page = await visitor.open(panel.loginUrl);
    await page.getByRole('article').first().waitFor();
    toBanner.push(
      await timed(async () => {
        await panel.kill();
        await banner(page, 'visible');
      }),
    );
    await panel.restart();
    // A restarted process knows no session: the page asks for a login.
    toAnswer.push(await timed(async () => page.getByText('panel --login').waitFor()));
    await leave(visitor);
  }
  await panel.kill();
  return [
    lossFigure('plugin killed, to the banner', toBanner),
    lossFigure('plugin back, to the login', toAnswer),
  ];
}

async function lost(visitor: Visitor, losses: number, how: 'cut' | 'silence'): Promise<readonly Figure[]> {
  const panel = await PretendPanel.start(linked(3));
  const wire = await Wire.to(panel.server.port);
  const page = await visitor.open(`${wire.url}#login=${panel.server.mintLogin().token}`);
  await page.getByRole('article').first().waitFor();
  const toBanner: number[] = [];
  const back: number[] = [];
  for (let loss = 0; loss < losses; loss += 1) {
    await page.getByText('Live', { exact: true }).waitFor();
    // Not always at the same time after a heartbeat.
    await sleep((loss * 2_000) / losses);
    toBanner.push(
      await timed(async () => {
        wire[how]();
        await banner(page, 'visible');
      }),
    );
    wire.mend();
    back.push(await timed(async () => banner(page, 'hidden')));
  }
  await leave(visitor);
  await wire.close();
  await panel.close();
  const words = how === 'cut' ? 'wire cut' : 'wire silent';
  return [
    lossFigure(`${words}, to the banner`, toBanner),
    lossFigure(`${words}, mended to live`, back, BACK_WITHIN_MS),
  ];
}

/** Out of sight nothing is asked; in sight the locks are listed, and nothing else. The stream stays the one. */
async function idle(visitor: Visitor, idleMs: number): Promise<readonly Figure[]> {
  const account = linked(3);
  const panel = await PretendPanel.start(account);
  const page = await visitor.open(panel.url, async (context) => panel.admit(context));
  await page.getByText('Live', { exact: true }).waitFor();
  await sleep(2_000);
  let streams = 0;
  page.on('request', (request) => {
    streams += request.url().endsWith('/api/events') ? 1 : 0;
  });
  const calls = async (visibility: 'hidden' | 'visible'): Promise<readonly string[]> => {
    await page.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true });
    }, visibility);
    await sleep(4_000);
    const before = account.calls.length;
    await sleep(idleMs / 2);
    return account.calls.slice(before).map(([name]) => name);
  };
  const hidden = await calls('hidden');
  const visible = await calls('visible');
  await leave(visitor);
  await panel.close();
  const minutes = `${(idleMs / 120_000).toFixed(1)} minutes`;
  const count = (name: string, unit: string, value: number): Figure =>
    alone({ name, unit, goal: '0' }, [value], value === 0);
  const others = visible.filter((name) => name !== 'watch').length;
  return [
    count(`new streams in twice ${minutes}`, 'streams', streams),
    count(`requests in ${minutes} out of sight`, 'requests', hidden.length),
    count(
      `requests in ${minutes} in sight, but ${String(visible.length - others)} looks`,
      'requests',
      others,
    ),
  ];
}

async function painted(visitor: Visitor, paints: number): Promise<Figure> {
  const panel = await PretendPanel.start(linked(3));
  const samples: number[] = [];
  for (let paint = 0; paint < paints; paint += 1) {
    const page = await visitor.open(panel.url, async (context) => panel.admit(context));
    await page.getByRole('heading', { level: 2 }).waitFor();
    samples.push(
      await page.evaluate(
        () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
      ),
    );
    await leave(visitor);
  }
  await panel.close();
  const p50 = percentile(samples, 0.5);
  return alone(
    { name: 'first paint', unit: 'ms', goal: `p50 under ${String(FIRST_PAINT_MS)}` },
    samples,
    p50 < FIRST_PAINT_MS,
  );
}

async function scrolled(visitor: Visitor): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const locks of CROWDS) {
    const frames = await framesOf(visitor, locks, { viewport: PHONE });
    figures.push(
      alone(
        {
          name: `frames while ${String(locks)} locks scroll on a phone`,
          unit: 'ms',
          goal: `none over ${String(LONGEST_FRAME_MS)} (longest ${Math.max(...frames).toFixed(0)})`,
        },
        frames,
        Math.max(...frames) <= LONGEST_FRAME_MS,
      ),
    );
  }
  return figures;
}

async function framesOf(
  visitor: Visitor,
  locks: number,
  options: BrowserContextOptions,
): Promise<readonly number[]> {
  const panel = await PretendPanel.start(linked(locks));
  const page = await visitor.open(panel.url, async (context) => panel.admit(context), options);
  await page.getByText(`Lock ${String(locks)}`, { exact: true }).waitFor();
  const frames = await page.evaluate(async (steps) => {
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
  await leave(visitor);
  await panel.close();
  return frames;
}

function scriptSize(): Figure {
  const folder = join(import.meta.dirname, '..', '..', 'dist', 'web', 'panel');
  const sizes = readdirSync(folder).filter((name) => name.endsWith('.js.gz'));
  const kilobytes = sizes.reduce((sum, name) => sum + readFileSync(join(folder, name)).length, 0) / 1_000;
  return alone(
    { name: 'script, compressed by gzip', unit: 'kB', goal: `at most ${String(MOST_SCRIPT_KB)}` },
    [kilobytes],
    sizes.length > 0 && kilobytes <= MOST_SCRIPT_KB,
  );
}

const [rounds = ''] = process.argv.slice(2);
console.log(JSON.stringify(await measurePages(pageRounds.parse(JSON.parse(rounds)))));
