// Days without a time, `2026-12-12`, and their place on a wall clock.
import { wallClock } from '../time/zone.ts';

export const DAY_MS = 86_400_000;

/** Midnight of a day on the wall clock, as if that were UTC. */
export const wallMsOfDay = (day: string): number => Date.parse(`${day}T00:00:00Z`);

export const addDays = (day: string, days: number): string =>
  new Date(wallMsOfDay(day) + days * DAY_MS).toISOString().slice(0, 10);

/** The day that a zone's wall clock shows. */
export const dayAt = (timeZone: string, at: number): string =>
  wallClock(timeZone, at).toISOString().slice(0, 10);
