// Measures how soon the pages say that something on the way to the locks is lost, and how soon they are right again.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { alone, type Figure, percentile } from '../bench/figures.ts';
import { DistantHome } from '../homes/distant-home.ts';
import { linked } from '../stand-ins/account/operations.ts';
import { openHomebridgeWindow } from '../stand-ins/homebridge/window.ts';
import { AccountPanel } from './account-panel.ts';
import { KillablePanel } from './killable-panel.ts';
import { Visitor } from './visitor.ts';
import { Wire } from './wire.ts';

const PLUGIN_LOST = 'No connection to the plugin.';
const SERVICE_LOST = 'Locks show their last known position.';
const GOAL_MS = 5_000;

/** Nothing takes so long; a loss that is never reported, or never over, fails the bench. */
const GIVEN_UP_MS = 90_000;

/** Losses are spread over one heartbeat, or one look at the locks: they come at different times after the last. */
const SPREAD_MS = 2_700;

/** The length of a loss once it is reported, in milliseconds. */
const LASTS_MS = 1_000;

type Measure = (visitor: Visitor, losses: number) => Promise<readonly Figure[]>;

/** In three rows beside each other, since nearly all of it is waiting. */
export async function measureLosses(losses: number): Promise<readonly Figure[]> {
  const rows = await Promise.all([
    inTurn(losses, [killed, stopped, wire('cut')]),
    inTurn(losses, [wire('silence'), windowKilled]),
    inTurn(losses, [service('gone'), service('stopped')]),
  ]);
  return rows.flat();
}

/** In a browser of their own. */
async function inTurn(losses: number, measures: readonly Measure[]): Promise<readonly Figure[]> {
  const visitor = await Visitor.arrive();
  const figures: Figure[] = [];
  for (const measure of measures) {
    figures.push(...(await measure(visitor, losses)));
  }
  await visitor.goHome();
  return figures;
}

/** What a browser says on its console of a connection that is gone is no fault of a page. */
export async function leave(visitor: Visitor): Promise<void> {
  visitor.complaints.splice(0);
  await visitor.leave();
}

/** A connection that is lost and restored again and again, while one page is looked at. */
interface Loss {
  readonly page: Page;
  readonly banner: string;
  readonly lose: () => Promise<void> | void;
  readonly mend: () => Promise<void> | void;
}

interface Times {
  readonly toBanner: readonly number[];
  readonly back: readonly number[];
}

async function timesOf(losses: number, { page, banner, lose, mend }: Loss): Promise<Times> {
  const toBanner: number[] = [];
  const back: number[] = [];
  const reported = async (state: 'visible' | 'hidden'): Promise<void> =>
    page.getByText(banner).waitFor({ state, timeout: GIVEN_UP_MS });
  for (let loss = 0; loss < losses; loss += 1) {
    await live(page);
    await sleep((loss * SPREAD_MS) / losses);
    toBanner.push(await timed(lose, async () => reported('visible')));
    await sleep(LASTS_MS);
    back.push(await timed(mend, async () => reported('hidden')));
  }
  return { toBanner, back };
}

/** The locks stand there, and are as they are shown. */
async function live(page: Page): Promise<void> {
  await page.getByRole('article').first().waitFor();
  await page.getByText('Live', { exact: true }).waitFor({ timeout: GIVEN_UP_MS });
}

/** Measures the time from the cause to its effect on the page. */
async function timed(deed: () => Promise<void> | void, outcome: () => Promise<unknown>): Promise<number> {
  await deed();
  const before = performance.now();
  await outcome();
  return performance.now() - before;
}

function figuresOf(what: string, backTo: string, { toBanner, back }: Times): readonly Figure[] {
  return [timeFigure(`${what}, to the banner`, toBanner), timeFigure(`${what}, ${backTo}`, back)];
}

function timeFigure(name: string, samples: readonly number[], goalMs = GOAL_MS): Figure {
  const [p95, worst] = [percentile(samples, 0.95), Math.max(...samples)];
  const goal = `p95 at most ${String(goalMs)} (${p95.toFixed(0)}, worst ${worst.toFixed(0)})`;
  return alone({ name, unit: 'ms', goal }, samples, p95 <= goalMs);
}

async function killed(visitor: Visitor, losses: number): Promise<readonly Figure[]> {
  const panel = await KillablePanel.start();
  const toBanner: number[] = [];
  const back: number[] = [];
  for (let loss = 0; loss < losses; loss += 1) {
    const page = await visitor.open(panel.loginUrl);
    await live(page);
    await sleep((loss * SPREAD_MS) / losses);
    toBanner.push(
      await timed(
        async () => panel.kill(),
        async () => page.getByText(PLUGIN_LOST).waitFor({ timeout: GIVEN_UP_MS }),
      ),
    );
    // A new process knows no session: the page asks for a login.
    back.push(
      await timed(
        async () => panel.restart(),
        async () => page.getByText('panel --login').waitFor({ timeout: GIVEN_UP_MS }),
      ),
    );
    await leave(visitor);
  }
  await panel.kill();
  return figuresOf('plugin killed', 'started again to the login', { toBanner, back });
}

async function stopped(visitor: Visitor, losses: number): Promise<readonly Figure[]> {
  const panel = await KillablePanel.start();
  const times = await timesOf(losses, {
    page: await visitor.open(panel.loginUrl),
    banner: PLUGIN_LOST,
    lose: () => panel.signal('SIGSTOP'),
    mend: () => panel.signal('SIGCONT'),
  });
  await leave(visitor);
  await panel.kill();
  return figuresOf('plugin stopped (SIGSTOP)', 'resumed to live', times);
}

function wire(how: 'cut' | 'silence'): Measure {
  return async (visitor, losses) => {
    const panel = await AccountPanel.start(linked(3));
    const line = await Wire.to(panel.server.port);
    const times = await timesOf(losses, {
      page: await visitor.open(`${line.url}#login=${panel.server.mintLogin().token}`),
      banner: PLUGIN_LOST,
      lose: () => line[how](),
      mend: () => line.mend(),
    });
    await leave(visitor);
    await line.close();
    await panel.close();
    return figuresOf(how === 'cut' ? 'wire cut' : 'wire silent', 'mended to live', times);
  };
}

/** Only a new window brings the Homebridge UI's own process back. */
async function windowKilled(visitor: Visitor, losses: number): Promise<readonly Figure[]> {
  const account = linked(3);
  const panel = await AccountPanel.start(account);
  const blocks = [{ platform: 'Latchkey', partner: account.partner }];
  const toBanner: number[] = [];
  for (let loss = 0; loss < losses; loss += 1) {
    const { page, kill } = await openHomebridgeWindow(await visitor.context(), panel, { blocks });
    await live(page);
    await sleep((loss * SPREAD_MS) / losses);
    toBanner.push(
      await timed(kill, async () => page.getByText(PLUGIN_LOST).waitFor({ timeout: GIVEN_UP_MS })),
    );
    await leave(visitor);
  }
  await panel.close();
  return [timeFigure('process of the Homebridge UI window killed, to the banner', toBanner)];
}

/** Of the whole plugin, which shows its dashboard, and a service in a process of its own. */
function service(how: 'gone' | 'stopped'): Measure {
  return async (visitor, losses) => {
    const household = await DistantHome.open();
    const times = await timesOf(losses, {
      page: await visitor.open(await household.loginUrl()),
      banner: SERVICE_LOST,
      lose: () => household.lose(how),
      mend: () => household.mend(),
    });
    await leave(visitor);
    await household.close();
    return figuresOf(how === 'gone' ? 'service gone' : 'service stopped (SIGSTOP)', 'back to live', times);
  };
}
