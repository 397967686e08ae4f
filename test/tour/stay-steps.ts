// The steps of the tour with booked stays: a guest leaves and another comes on the same day, each with a code of their own.

import { deepEqual, equal } from 'node:assert/strict';
import { z } from 'zod';
import type { Stage } from '../harness/stage.ts';
import { control } from '../stand-ins/service/simulated.ts';
import { FRONT, MOVED_WITHIN_MS, POLL_SECONDS, settled, turn, until } from './acts.ts';
import type { Part } from './part.ts';

const DOORS = [FRONT, 'Back door'];
const CALENDAR = 'Holiday flat';
/** Homebridge restarts, lists its locks, and reads its calendars within 20 s. */
const READ_WITHIN_MS = 60_000;
const MINUTE_MS = 60_000;

const bookings = z.object({
  calendars: z.array(z.object({ bookings: z.array(z.object({ phone: z.string() })) })),
});
const typedAnswer = z.object({ result: z.object({ keypad: z.string() }) });
const stayList = z.object({
  stays: z.array(z.object({ opensAt: z.number(), closesAt: z.number(), phase: z.string() })),
});

export const stayPart: Part = {
  steps: [
    {
      title: 'Enter a booking calendar for two locks: one guest is there, another comes when that one leaves',
      play: async (stage) => {
        const address = stage.calendar().url;
        // Of a lock the service tells its offset of today; a stay may end after the clocks change.
        const locks = DOORS.map((name) => ({ id: idOf(stage, name), timeZone: 'America/New_York' }));
        const ids = locks.map(({ id }) => id);
        await stage.reconfigure({
          stays: [{ name: CALENDAR, address, locks: ids }],
          polling: { idleSeconds: POLL_SECONDS },
          locks,
        });
        await codes(stage, 2);
        await settled(stage.lock(FRONT), 'locked');
        return 'the codes of both were on both locks, though one of the two opens nothing yet';
      },
    },
    {
      title: 'Another guest books, from the day on which the second leaves',
      play: async (stage) => {
        await stage.calendar().addTurnover();
        await asked(stage, 'stays.read');
        await codes(stage, 3);
        return 'the third code was on both locks, too';
      },
    },
    {
      title: 'The portal answers with a page to sign in',
      warns: /Calendar "Holiday flat"/,
      play: async (stage) => {
        const before = codesOn(stage);
        await stage.calendar().fail({ kind: 'html', often: 'once' });
        await asked(stage, 'stays.read');
        await stage.homebridge.line(/Calendar "Holiday flat": .*stay as they are/, MOVED_WITHIN_MS);
        deepEqual(codesOn(stage), before, 'A code was changed');
        await asked(stage, 'stays.read');
        await stage.homebridge.line(/Calendar "Holiday flat" is read again/, MOVED_WITHIN_MS);
        deepEqual(codesOn(stage), before, 'A code was changed');
        return 'nothing changed on the locks, and the log said so once';
      },
    },
    {
      title: 'The first guest opens the front door, and the second cannot yet',
      play: async (stage) => {
        const [first = '', second = ''] = await digits(stage);
        await typed(stage, second, 'refused');
        await opens(stage, first);
        return 'Home showed unlocked after the first code alone';
      },
    },
    {
      title: 'A day passes: the first guest checks out, the second comes',
      // The service is a day ahead of the machine from now on, and what was known is old.
      warns: /clock|time|lock service|Front door|Back door|Garage/,
      play: async (stage) => {
        const [first = '', second = ''] = await digits(stage);
        const [leaving, coming] = await stays(stage);
        await passUntil(stage, (leaving?.closesAt ?? 0) + MINUTE_MS);
        await typed(stage, first, 'refused');
        await typed(stage, second, 'refused');
        await passUntil(stage, (coming?.opensAt ?? 0) + MINUTE_MS);
        await typed(stage, first, 'refused');
        await opens(stage, second);
        return 'after the check-out the first code opened nothing; after the check-in the second did';
      },
    },
  ],
};

function idOf({ simulator: { world } }: Stage, name: string): string | undefined {
  return world.deviceIds().find((id) => world.inspect(id).name === name);
}

/** The names of the codes of stays on each door. */
function codesOn({ simulator: { world } }: Stage): readonly (readonly string[])[] {
  return DOORS.map((door) => {
    const found = world.deviceIds().map((id) => world.inspect(id));
    const on = found.find(({ name }) => name === door)?.codesOnLock ?? [];
    return on.map(({ name }) => name).filter((name) => name.startsWith('Stay '));
  });
}

async function codes(stage: Stage, count: number): Promise<void> {
  const areThere = (): boolean => codesOn(stage).every((names) => names.length === count);
  await until(areThere, READ_WITHIN_MS, () => `The locks have other codes: ${codesOn(stage).join('; ')}`);
}

async function asked(stage: Stage, operation: 'stays.read' | 'stays.list'): Promise<unknown> {
  const pages = await stage.pages();
  try {
    return await pages.call(operation, {});
  } finally {
    await pages.close();
  }
}

async function stays(stage: Stage) {
  return stayList.parse(await asked(stage, 'stays.list')).stays;
}

/** The last four digits of the guests' phones, by arrival: their codes. */
async function digits({ simulator }: Stage): Promise<readonly string[]> {
  const answer = await fetch(`${simulator.controlUrl}/state`);
  const [calendar] = bookings.parse(await answer.json()).calendars;
  return (calendar?.bookings ?? []).map(({ phone }) => phone.slice(-4));
}

async function typed({ simulator }: Stage, code: string, wanted: string): Promise<void> {
  const answer = await control(simulator.controlUrl, `locks/${FRONT}/type-code`, { code });
  equal(typedAnswer.parse(answer).result.keypad, wanted, 'The keypad decided otherwise');
}

/** The code opens the front door, and Home shows it; the door is locked again afterwards. */
async function opens(stage: Stage, code: string): Promise<void> {
  const lock = stage.lock(FRONT);
  await settled(lock, 'locked', READ_WITHIN_MS);
  await typed(stage, code, 'accepted');
  await settled(lock, 'unlocked', READ_WITHIN_MS);
  await turn(lock, 'locked');
  await settled(lock, 'locked', READ_WITHIN_MS);
}

/** The service lives until this instant at once. */
async function passUntil({ simulator }: Stage, at: number): Promise<void> {
  const ms = at - simulator.clock.now();
  await control(simulator.controlUrl, 'time/advance', { ms });
}
