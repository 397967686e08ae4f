// Counts what pages do while nothing happens: one out of sight, one in sight, one in the Homebridge UI, all at once.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { alone, type Figure } from '../bench/figures.ts';
import { linked, type StandInAccount } from '../stand-ins/account/operations.ts';
import { openHomebridgeWindow } from '../stand-ins/homebridge/window.ts';
import { AccountPanel } from './account-panel.ts';
import type { Visitor } from './visitor.ts';

/** The readings of an opened page are over by then. */
const SETTLED_AFTER_MS = 5_000;

/** A page that is left alone, with its own account. */
interface Idler {
  readonly what: string;
  readonly page: Page;
  readonly panel: AccountPanel;
  /** Streams that the page has opened since it was settled. */
  streams: number;
  /** How many calls there had been by then. */
  callsBefore: number;
}

/** Out of sight nothing is asked; in sight the locks are looked at, and nothing else. The stream stays the one. */
export async function measureIdle(visitor: Visitor, idleMs: number): Promise<readonly Figure[]> {
  const idlers = [
    await open(visitor, 'out of sight', 'hidden'),
    await open(visitor, 'in sight', 'visible'),
    await openWindow(visitor),
  ];
  await sleep(SETTLED_AFTER_MS);
  for (const idler of idlers) {
    idler.callsBefore = idler.panel.account.calls.length;
    idler.page.on('request', (request) => {
      idler.streams += request.url().endsWith('/api/events') ? 1 : 0;
    });
  }
  await sleep(idleMs);
  const minutes = `${(idleMs / 60_000).toFixed(1)} minutes`;
  const figures = await Promise.all(idlers.map(async (idler) => figuresOf(idler, minutes)));
  await visitor.leave();
  await Promise.all(idlers.map(async ({ panel }) => panel.close()));
  return figures.flat();
}

async function open(visitor: Visitor, what: string, visibility: 'hidden' | 'visible'): Promise<Idler> {
  const panel = await AccountPanel.start(linked(3));
  const page = await visitor.open(panel.url, async (context) => panel.admit(context));
  await page.getByText('Live', { exact: true }).waitFor();
  await page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true });
  }, visibility);
  return { what, page, panel, streams: 0, callsBefore: 0 };
}

async function openWindow(visitor: Visitor): Promise<Idler> {
  const account: StandInAccount = linked(3);
  const panel = await AccountPanel.start(account);
  const blocks = [{ platform: 'Latchkey', partner: account.partner }];
  const { page } = await openHomebridgeWindow(await visitor.context(), panel, { blocks });
  await page.getByText('Live', { exact: true }).waitFor();
  return { what: 'in the Homebridge UI', page, panel, streams: 0, callsBefore: 0 };
}

async function figuresOf(idler: Idler, minutes: string): Promise<readonly Figure[]> {
  const { what, page, panel, streams, callsBefore } = idler;
  const calls = panel.account.calls.slice(callsBefore).map(([name]) => name);
  const looks = calls.filter((name) => name === 'watch').length;
  const isLive = (await page.getByText('Live', { exact: true }).count()) === 1;
  const count = (name: string, unit: string, value: number): Figure =>
    alone({ name, unit, goal: '0, and live at the end' }, [value], value === 0 && isLive);
  return [
    count(`reconnects in ${minutes} ${what}`, 'streams', streams),
    what === 'out of sight'
      ? count(`requests in ${minutes} ${what}`, 'requests', calls.length)
      : count(`requests in ${minutes} ${what}, but ${String(looks)} looks`, 'requests', calls.length - looks),
  ];
}
