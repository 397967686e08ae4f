// A family's week at four doors, for the pictures in the documents: its history, its activity, and how each lock stands.

import type { Accessor } from '../../src/domain/locks/access.ts';
import { lockId } from '../../src/domain/locks/lock.ts';
import type { HistoryEntryView, WeekDay } from '../../src/panel/views/history.ts';
import { aLock, type StandInAccount } from '../stand-ins/account/operations.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The evening on which the pictures are taken, by the service's clock: a Thursday. */
const FAMILY_EVENING = Date.UTC(2026, 10, 26, 18, 52);

const BY: Readonly<Record<string, Accessor>> = {
  hand: { method: 'thumbturn', id: null, name: null },
  relock: { method: 'auto-relock', id: null, name: null },
  plugin: { method: 'own-command', id: null, name: null },
  Anna: { method: 'access-code', id: 'c-1', name: 'Anna' },
  Ben: { method: 'access-code', id: 'c-2', name: 'Ben' },
  Cleaner: { method: 'access-code', id: 'c-3', name: 'Cleaner' },
  'Dog walker': { method: 'access-code', id: 'c-4', name: 'Dog walker' },
};

const BATTERIES: Readonly<Record<string, number>> = {
  'Front door': 87,
  'Back door': 74,
  Garage: 91,
  Cellar: 66,
};

/** An opening by somebody, and what locked the door again so many minutes later. */
type Opening = readonly [time: string, lock: string, by: string, lockedBy: string, minutes: number];

const NIGHT: Opening = ['22:34', 'Back door', 'hand', 'plugin', 4];

const SCHOOL_DAY: readonly Opening[] = [
  ['07:38', 'Front door', 'hand', 'relock', 1],
  ['08:06', 'Garage', 'hand', 'relock', 5],
  ['15:24', 'Front door', 'Ben', 'relock', 1],
  ['17:47', 'Front door', 'Anna', 'relock', 1],
  ['18:05', 'Back door', 'hand', 'hand', 21],
];

const DOG_WALK: readonly Opening[] = [
  ['12:31', 'Front door', 'Dog walker', 'relock', 1],
  ['13:12', 'Front door', 'Dog walker', 'relock', 1],
];

/** The seven days until Thursday evening, the oldest first. */
const DAYS: readonly (readonly Opening[])[] = [
  [...SCHOOL_DAY, ...DOG_WALK, NIGHT],
  [
    ['09:52', 'Front door', 'hand', 'relock', 2],
    ['11:40', 'Garage', 'hand', 'relock', 9],
    ['12:15', 'Front door', 'Anna', 'relock', 1],
    ['15:08', 'Back door', 'hand', 'hand', 47],
    ['16:31', 'Cellar', 'hand', 'hand', 12],
    ['23:10', 'Front door', 'Ben', 'relock', 1],
  ],
  [
    ['10:44', 'Back door', 'hand', 'hand', 35],
    ['14:20', 'Front door', 'hand', 'relock', 1],
    ['17:02', 'Front door', 'Anna', 'relock', 1],
    NIGHT,
  ],
  [['08:58', 'Front door', 'Cleaner', 'relock', 1], ...SCHOOL_DAY, NIGHT],
  [...SCHOOL_DAY, ...DOG_WALK, NIGHT],
  [['16:12', 'Cellar', 'hand', 'hand', 8], ...SCHOOL_DAY, NIGHT],
  [['09:03', 'Front door', 'Cleaner', 'relock', 1], ...SCHOOL_DAY.slice(0, 3), ...DOG_WALK],
];

const ARRIVAL: Opening = ['18:51', 'Front door', 'Anna', 'relock', 1];

function instantOf(time: string, daysAgo: number, shiftedBy: number): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const midnight = FAMILY_EVENING - (FAMILY_EVENING % DAY_MS) - daysAgo * DAY_MS;
  return midnight + hours * HOUR_MS + (minutes + shiftedBy) * MINUTE_MS;
}

function movesOfTheWeek(): readonly HistoryEntryView[] {
  const openings = DAYS.flatMap((ofDay, index) =>
    ofDay.map((opening) => ({ opening, daysAgo: DAYS.length - 1 - index, shiftedBy: (index * 5) % 9 })),
  );
  return [...openings, { opening: ARRIVAL, daysAgo: 0, shiftedBy: 0 }]
    .flatMap(({ opening: [time, lockName, by, lockedBy, minutes], daysAgo, shiftedBy }) => {
      const at = instantOf(time, daysAgo, shiftedBy);
      const place = { lock: lockId(`id-of-${lockName}`), lockName, offsetMinutes: 0 };
      const move = (what: 'secured' | 'unsecured', when: number, whose: string): HistoryEntryView => ({
        ...place,
        id: `${lockName}-${String(when)}`,
        at: when,
        what,
        by: BY[whose] ?? { method: 'thumbturn', id: null, name: null },
      });
      return [move('unsecured', at, by), move('secured', at + minutes * MINUTE_MS, lockedBy)];
    })
    .filter(({ at }) => at < FAMILY_EVENING)
    .toSorted((one, other) => other.at - one.at);
}

/** Anna has just come home; everything else is locked. */
export function familyWeek(account: StandInAccount): void {
  const lines = movesOfTheWeek();
  account.saveCredentials();
  account.link = { ...account.link, state: 'linked' };
  account.hold(
    ...Object.entries(BATTERIES).map(([name, percent]) => {
      const last = lines.find(({ lockName }) => lockName === name);
      const to = last?.what === 'unsecured' ? 'unsecured' : 'secured';
      return aLock(name, {
        bolt: to,
        confirmedAt: FAMILY_EVENING,
        lastMove: last === undefined ? null : { to, by: last.by, at: last.at },
        battery: { grade: 'normal', percent },
      });
    }),
  );
  account.webhooks = {
    ...account.webhooks,
    enabled: true,
    health: 'healthy',
    because: 'event',
    lastEventAgoMs: MINUTE_MS,
  };
  account.activity = lines.toReversed().map(({ at, lock, lockName: name, what, by }, index) => {
    const to = what === 'unsecured' ? 'unsecured' : 'secured';
    return {
      number: index + 1,
      at,
      lock: { id: lock, name },
      detail: { type: 'bolt', bolt: to, move: { to, by, at } },
    };
  });
  const status = account.answers.get('status');
  account.answers.set('status', (input) => ({ ...(status?.(input) as object), serviceNow: FAMILY_EVENING }));
  account.history.lines = lines;
  account.answers.set('history.look', (input) => ({
    page: account.answers.get('history.page')?.(input),
    today: { visitors: visitorsOfToday(lines), hasGap: false },
    week: { days: daysOf(lines), total: lines.filter(({ what }) => what === 'unsecured').length },
  }));
}

function visitorsOfToday(lines: readonly HistoryEntryView[]): readonly object[] {
  const midnight = FAMILY_EVENING - (FAMILY_EVENING % DAY_MS);
  const named = lines.filter(
    ({ at, what, by }) => at >= midnight && what === 'unsecured' && by.name !== null,
  );
  return [...Map.groupBy(named, ({ by }) => by.name)].map(([name, theirs]) => ({
    name,
    method: 'access-code',
    lockNames: [...new Set(theirs.map(({ lockName }) => lockName))],
    count: theirs.length,
    firstAt: Math.min(...theirs.map(({ at }) => at)),
    lastAt: Math.max(...theirs.map(({ at }) => at)),
    offsetMinutes: 0,
  }));
}

function daysOf(lines: readonly HistoryEntryView[]): readonly WeekDay[] {
  return DAYS.map((_, index) => {
    const date = new Date(FAMILY_EVENING - (DAYS.length - 1 - index) * DAY_MS).toISOString().slice(0, 10);
    const ofDay = lines.filter(
      ({ at, what }) => what === 'unsecured' && new Date(at).toISOString().startsWith(date),
    );
    return {
      date,
      unlocks: Array.from(
        { length: 24 },
        (_each, hour) => ofDay.filter(({ at }) => new Date(at).getUTCHours() === hour).length,
      ),
      gaps: Array.from({ length: 24 }, () => false),
    };
  });
}
