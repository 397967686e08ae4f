// `npm run soak`: the packed plugin in a real Homebridge lives through thirty days, and nothing may grow. See docs/develop/bench.md.
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createRandom } from '../../simulator/src/world/random.ts';
import { packPlugin } from '../harness/packed-plugin.ts';
import { type DayMark, markDay } from './day-mark.ts';
import { DAY_MS, planDay } from './day-plan.ts';
import { growthOf } from './growth.ts';
import { Scenes } from './scenes.ts';
import { SoakHouse } from './soak-house.ts';
import { complaintsText, countsOf, growthText, marksOf, tableOf } from './soak-report.ts';
import { Tally } from './tally.ts';

const LOCKS = 10;
const MINUTE_MS = 60_000;
/** After a restart of Homebridge, what it needs to be warm again. */
const WARM_AGAIN_MS = 3_600_000;

const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '30' },
    seed: { type: 'string', default: 'latchkey' },
    /** No other day begins after so many; without it, all days are lived. */
    minutes: { type: 'string' },
    /** A file to which every day is written as a line of JSON. */
    json: { type: 'string' },
    /** A folder that gets a heap snapshot of every second day, to find what grows. */
    snapshots: { type: 'string' },
  },
});

interface Lived {
  readonly marks: readonly DayMark[];
  /** Where Home showed the other position, or none, although the service knew it. */
  readonly lies: readonly string[];
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function live(house: SoakHouse, days: number): Promise<Lived> {
  const tally = new Tally(house);
  const scenes = new Scenes(house, tally);
  const marks: DayMark[] = [];
  const beganAt = house.clock.now();
  say(tableOf([]));
  const endsAt = performance.now() + Number(values.minutes ?? Number.POSITIVE_INFINITY) * MINUTE_MS;
  for (let day = 1; day <= days && performance.now() < endsAt; day += 1) {
    const linesBefore = house.stage.lines.length;
    const dayAt = beganAt + (day - 1) * DAY_MS;
    for (const { atMs, scene } of planDay(day, LOCKS, createRandom(`${values.seed}/${String(day)}`))) {
      await house.until(dayAt + atMs);
      await scenes.play(scene);
      await tally.noteDeliveries();
    }
    await house.until(dayAt + DAY_MS);
    house.stage.home.forgetEvents();
    const mark = await markDay(house, day, tally.take(), linesBefore);
    marks.push(mark);
    if (values.snapshots !== undefined && day % 2 === 0) {
      await house.report(join(values.snapshots, `day-${String(day)}.heapsnapshot`));
    }
    say(tableOf([mark]).split('\n').at(-1) ?? '');
    if (values.json !== undefined) {
      appendFileSync(values.json, `${JSON.stringify(mark)}\n`);
    }
  }
  tally.close();
  return { marks, lies: [...tally.wrong, ...tally.blind] };
}

/** The same account in a new process: what the old one has more is what it gathered. */
async function restarted(house: SoakHouse, day: number): Promise<DayMark> {
  await house.stage.restartHomebridge();
  await house.until(house.clock.now() + WARM_AGAIN_MS);
  return markDay(house, day, {}, house.stage.lines.length);
}

/** Returns whether everything is as it should be. */
function judge(
  { marks, lies }: Lived,
  fresh: DayMark,
  complaints: readonly string[],
  tookMs: number,
): boolean {
  const growths = growthOf(marks);
  const factor = (marks.length * DAY_MS) / tookMs;
  say(
    `\n${String(marks.length)} days in ${(tookMs / MINUTE_MS).toFixed(1)} minutes (${factor.toFixed(0)} times), seed ${values.seed}`,
  );
  say(`\n${tableOf(marksOf(marks))}\n\nAfter a restart of Homebridge, an hour later:\n${tableOf([fresh])}`);
  say(`\nHandles: ${JSON.stringify(marks.at(-1)?.handles)}, rows: ${JSON.stringify(marks.at(-1)?.rows)}`);
  say(`\nIn all days: ${JSON.stringify(countsOf(marks), null, 1)}`);
  say(`\n${growthText(growths)}`);
  say(`\nComplaints in the log, without their numbers:\n${complaintsText(complaints)}`);
  say(`\nFalse or missing states in Home: ${String(lies.length)}\n${lies.join('\n')}`);
  return lies.length === 0 && growths.every(({ isFlat }) => isFlat);
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-soak-'));
  const startedAt = performance.now();
  try {
    const { pluginsFolder } = packPlugin(folder);
    const house = await SoakHouse.open({ folder, pluginsFolder, seed: values.seed, locks: LOCKS });
    try {
      const lived = await live(house, Number(values.days));
      const tookMs = performance.now() - startedAt;
      const fresh = await restarted(house, lived.marks.length);
      process.exitCode = judge(lived, fresh, house.stage.complaints(), tookMs) ? 0 : 1;
    } catch (error) {
      say(
        house.stage.lines
          .slice(-60)
          .map(({ text }) => text)
          .join('\n'),
      );
      throw error;
    } finally {
      await house.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
