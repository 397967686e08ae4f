// What happens in a house on one day, drawn from a seed: hands at doors, taps in Home, losses of every kind, guests.
import type { RandomSource } from '../../simulator/src/world/random.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** In a day, of all locks together. */
const HANDS = 30;
const TAPS = 16;
const LOST_EVENTS = 4;
const NIGHT = { fromMs: 2 * HOUR_MS, untilMs: 4 * HOUR_MS };
const OUTAGE = { leastMinutes: 10, mostMinutes: 60 };
const NO_NETWORK = { leastMinutes: 1, mostMinutes: 15 };
const RESTART_MS = 20_000;
const OFFLINE = { leastMinutes: 5, mostMinutes: 90 };
/** How long Home may take to be right after a change, a loss or its end: three listings, and a pause of the plugin's. */
const SETTLED_AFTER_MS = 8 * MINUTE_MS;

const LOOK_EVERY_MS = HOUR_MS / 2;
/** While one of these lasts, nobody can know where a bolt is. */
const LOSSES = [
  ['outage', 'outage-ends'],
  ['network-goes', 'network-comes'],
  ['service-stops', 'service-starts'],
] as const;

const HANDS_AT_DOORS = ['thumbturn', 'code', 'virtual-key', 'platform', 'one-touch', 'wrong-code'] as const;

export type Scene =
  | { readonly kind: 'hand'; readonly by: (typeof HANDS_AT_DOORS)[number]; readonly lock: number }
  | { readonly kind: 'tap'; readonly lock: number }
  | { readonly kind: 'lost-event'; readonly lock: number }
  | { readonly kind: 'failing-command'; readonly lock: number; readonly errorCode: number }
  | { readonly kind: 'jam'; readonly lock: number }
  | { readonly kind: 'offline' | 'online' | 'new-batteries'; readonly lock: number }
  | { readonly kind: 'outage' | 'outage-ends' | 'signing-key' }
  | { readonly kind: 'network-goes' | 'network-comes' | 'service-stops' | 'service-starts' }
  | { readonly kind: 'guest-comes' | 'guest-goes'; readonly lock: number }
  | { readonly kind: 'look' };

export interface PlannedScene {
  /** Milliseconds after the beginning of the day. */
  readonly atMs: number;
  readonly scene: Scene;
}

/** The scenes of a day in their order. `day` counts from 1. */
export function planDay(day: number, locks: number, random: RandomSource): readonly PlannedScene[] {
  const scenes: PlannedScene[] = [];
  const add = (atMs: number, scene: Scene): void => {
    scenes.push({ atMs: Math.round(atMs), scene });
  };
  const anyTime = (): number => random.next() * DAY_MS;
  const anyLock = (): number => random.integer(0, locks - 1);
  for (let hand = 0; hand < HANDS; hand += 1) {
    const by = HANDS_AT_DOORS[random.integer(0, HANDS_AT_DOORS.length - 1)] ?? 'thumbturn';
    add(anyTime(), { kind: 'hand', by, lock: anyLock() });
  }
  for (let tap = 0; tap < TAPS; tap += 1) {
    add(anyTime(), { kind: 'tap', lock: anyLock() });
  }
  for (let lost = 0; lost < LOST_EVENTS; lost += 1) {
    add(anyTime(), { kind: 'lost-event', lock: anyLock() });
  }
  add(anyTime(), { kind: 'failing-command', lock: anyLock(), errorCode: 13 });
  add(anyTime(), { kind: 'jam', lock: anyLock() });
  addLosses(add, random, anyLock());
  addGuests(add, day, locks, random);
  addLooks(scenes, add);
  return scenes.toSorted((left, right) => left.atMs - right.atMs);
}

type Add = (atMs: number, scene: Scene) => void;

/** The service is down at night and restarted by day, the network is gone for a while, and one lock is. */
function addLosses(add: Add, random: RandomSource, lock: number): void {
  const during = (least: number, most: number): number => random.integer(least, most) * MINUTE_MS;
  const outageAt = NIGHT.fromMs + random.next() * (NIGHT.untilMs - NIGHT.fromMs);
  add(outageAt, { kind: 'outage' });
  add(outageAt + during(OUTAGE.leastMinutes, OUTAGE.mostMinutes), { kind: 'outage-ends' });
  const goneAt = 10 * HOUR_MS + random.next() * 3 * HOUR_MS;
  const goneMs = during(NO_NETWORK.leastMinutes, NO_NETWORK.mostMinutes);
  add(goneAt, { kind: 'network-goes' });
  // The service has to send its event again and again until it gets through.
  add(goneAt + goneMs / 2, { kind: 'hand', by: 'thumbturn', lock });
  add(goneAt + goneMs, { kind: 'network-comes' });
  const restartAt = 17 * HOUR_MS + random.next() * 3 * HOUR_MS;
  add(restartAt, { kind: 'service-stops' });
  add(restartAt + RESTART_MS, { kind: 'service-starts' });
  const offlineAt = 6 * HOUR_MS + random.next() * 3 * HOUR_MS;
  add(offlineAt, { kind: 'offline', lock });
  add(offlineAt + during(OFFLINE.leastMinutes, OFFLINE.mostMinutes), { kind: 'online', lock });
  add(5 * HOUR_MS, { kind: 'signing-key' });
}

/** A guest comes each day to two locks: every other one leaves by hand, the others' time simply ends. */
function addGuests(add: Add, day: number, locks: number, random: RandomSource): void {
  const lock = random.integer(0, locks - 2);
  add(14 * HOUR_MS + random.next() * 2 * HOUR_MS, { kind: 'guest-comes', lock });
  if (day % 2 === 0) {
    add(21 * HOUR_MS + random.next() * 2 * HOUR_MS, { kind: 'guest-goes', lock });
  }
  add(HOUR_MS, { kind: 'new-batteries', lock: day % locks });
}

/** Every half hour, where nothing has happened for a while and nothing is lost: Home has to be right then. */
function addLooks(scenes: readonly PlannedScene[], add: Add): void {
  const before = scenes.toSorted((left, right) => left.atMs - right.atMs);
  for (let atMs = LOOK_EVERY_MS; atMs < DAY_MS; atMs += LOOK_EVERY_MS) {
    const past = before.filter((planned) => planned.atMs <= atMs);
    const isQuiet = past.every((planned) => planned.atMs <= atMs - SETTLED_AFTER_MS);
    if (isQuiet && LOSSES.every(([begins, ends]) => !isUnderWay(past, begins, ends))) {
      add(atMs, { kind: 'look' });
    }
  }
}

function isUnderWay(past: readonly PlannedScene[], begins: Scene['kind'], ends: Scene['kind']): boolean {
  const kinds = past.map(({ scene }) => scene.kind);
  return kinds.lastIndexOf(begins) > kinds.lastIndexOf(ends);
}
