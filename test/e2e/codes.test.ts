// A code for two mornings a week, from the dashboard to the keypad, Home and the history.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { instantOfWall, wallClock } from '../../simulator/src/time/zone.ts';
import { CHROMIUM } from '../browser/chromium.ts';
import { seen, Visitor } from '../browser/visitor.ts';
import { freePort } from '../harness/free-port.ts';
import { type TestLock } from '../harness/test-lock.ts';
import { control } from '../stand-ins/service/simulated.ts';
import { Running } from './cli/household.ts';
import { type OpenedStage, openStage, untilShown } from './stage.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SOON_MS = 60_000;
const ZONE = 'America/New_York';
const FRONT = 'Front door';
const PIN = '0417';

/** The coming Monday, half past nine at the door: the service's clock is a few days ahead of the machine's. */
function comingMonday(): number {
  const local = wallClock(ZONE, Date.now());
  const midnight = Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate());
  return instantOfWall(ZONE, midnight + ((8 - local.getUTCDay()) % 7 || 7) * DAY_MS + 9.5 * HOUR_MS);
}

describe.skipIf(CHROMIUM === undefined)('a code for Monday and Wednesday mornings', () => {
  let stage: OpenedStage;
  const ran: Running[] = [];
  let visitor: Visitor;
  let lock: TestLock;

  beforeAll(async () => {
    const [port, panelPort] = [await freePort(), await freePort()];
    stage = await openStage({
      pluginsFolder: inject('packed').pluginsFolder,
      scenario: {
        startAt: new Date(comingMonday()).toISOString(),
        settings: {
          webhooks: { allowHttpToLoopback: true },
          // Days pass at the service within seconds, and its tokens must not end with them.
          authorization: { accessTokenLifetimeMs: 7 * DAY_MS },
        },
      },
      options: {
        panel: { enabled: true, port: panelPort },
        webhooks: { enabled: true, port, publicUrl: `http://127.0.0.1:${String(port)}` },
      },
      lockOptions: { [FRONT]: { timeZone: ZONE } },
    });
    await stage.homebridge.line(/Webhooks arrive/u, SOON_MS);
    visitor = await Visitor.ofTests();
    lock = stage.lock(FRONT);
  });

  afterAll(async () => {
    for (const { child } of ran) {
      child.kill('SIGKILL');
    }
    await visitor.leave();
    await stage.leave();
  });

  /** Runs the packed command line beside the plugin; resolves with its output. */
  const latchkey = async (...words: readonly string[]): Promise<string> => {
    const { pluginsFolder, storeFolder } = stage.installation;
    const program = join(pluginsFolder, 'homebridge-latchkey', 'dist', 'cli', 'main.js');
    const flags = ['--disable-warning=ExperimentalWarning', program, ...words, '--storage', storeFolder];
    const running = new Running(process.execPath, flags);
    ran.push(running);
    if ((await running.status()) !== 0) {
      throw new Error(running.err);
    }
    return running.out;
  };

  const typed = async (): Promise<unknown> =>
    control(stage.simulator.controlUrl, `locks/${FRONT}/type-code`, { code: PIN });

  it('a code added on the dashboard opens on Monday, shows in Home and in the history, and opens nothing on Tuesday', async () => {
    const { url } = JSON.parse(await latchkey('panel', '--login', '--json')) as { readonly url: string };
    const page = await visitor.open(url);
    await page.getByRole('heading', { level: 2 }).waitFor();
    await page.goto(new URL('#codes', page.url()).href);
    await page.getByLabel('Lock', { exact: true }).selectOption(FRONT);
    await page.getByRole('button', { name: 'Add a code' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Cleaner');
    await page.getByLabel('Code', { exact: true }).fill(PIN);
    for (const choice of ['Every week', 'Monday', 'Wednesday']) {
      await page.getByLabel(choice).check();
    }
    await page.getByRole('button', { name: 'Add the code' }).click();
    await page.getByText('Added Cleaner.').waitFor();

    await untilShown(lock, 'locked', SOON_MS);
    expect(await typed()).toMatchObject({ result: { keypad: 'accepted' } });
    await untilShown(lock, 'unlocked', SOON_MS);
    expect(stage.boltOf(lock)).toBe('Unlocked');
    await page.goto(new URL('#history', page.url()).href);
    const entry = page.getByRole('listitem').filter({ hasText: /Unlocked.*Cleaner/u });
    expect(await seen(entry)).toBe(true);
    expect(await latchkey('history', 'front')).toMatch(/unlocked.*Cleaner/u);

    await lock.at('turn-thumbturn', { to: 'Locked' });
    await untilShown(lock, 'locked', SOON_MS);
    await control(stage.simulator.controlUrl, 'time/advance', { ms: DAY_MS });
    expect(await typed()).toMatchObject({ result: { keypad: 'refused' } });
    expect(stage.boltOf(lock)).toBe('Locked');
  });

  it('a code leaves its digits in no line of the log and of the command line', () => {
    const said = ran.map(({ out, err }) => out + err);
    const text = [...stage.lines.map((line) => line.text), ...said].join('\n');
    expect(text).not.toMatch(new RegExp(String.raw`\b${PIN}\b`, 'u'));
  });
});
