// Whether a command that opens something was asked just now: a broker may keep or repeat any message.

import type { IncomingMessage } from '../../../carrier/carrier.ts';
import type { TimeBounds } from '../../../domain/time/time.ts';

/** An unlock moves nothing later than this after it was asked, in milliseconds (rule 4 of docs/develop/architecture.md). */
const OLDEST_MS = 10_000;

/** The asker's clock may be ahead by that much, in milliseconds (our choice). */
const MOST_AHEAD_MS = 2_000;

/** Why a command may be a repeat of an old one. */
export type RepeatRefusal = 'retained' | 'too-early';

/** A command as it came from the broker. */
export interface ReceivedCommand extends Pick<IncomingMessage, 'topic' | 'payload'> {
  /** Null: it is no repeat. */
  readonly repeat: RepeatRefusal | null;
}

export type TimeRefusal =
  | 'no-time'
  | 'time-unknown'
  | 'before-start'
  | 'too-old'
  | 'clock-ahead'
  | 'not-newer';

/** The present time lies between these two. */
export type ServiceTime = Pick<TimeBounds, 'earliest' | 'latest'>;

export interface TimeFacts {
  /** The service's time, because a small computer may wake without one of its own; null while it is not known. */
  readonly time: ServiceTime | null;
  /** How long this process has served the locks, in milliseconds. */
  readonly servedForMs: number;
  /** When the newest accepted command was asked, by this process or an earlier one; null without one. */
  readonly lastAskedAt: number | null;
}

/** `at`: when it was asked; null when the command does not say. Null: it counts. */
export function timeRefusal(
  at: number | null,
  { time, servedForMs, lastAskedAt }: TimeFacts,
): TimeRefusal | null {
  if (at === null) {
    return 'no-time';
  }
  if (time === null) {
    return 'time-unknown';
  }
  const fault = faultOfTime(at, time);
  if (fault !== null) {
    return fault;
  }
  if (at < time.earliest - servedForMs) {
    return 'before-start';
  }
  return lastAskedAt !== null && at <= lastAskedAt ? 'not-newer' : null;
}

/** Judged by the latest possible present time: an old command is not taken for new, nor a true one for one from the future. */
export function faultOfTime(at: number, { latest }: ServiceTime): 'too-old' | 'clock-ahead' | null {
  if (latest - at > OLDEST_MS) {
    return 'too-old';
  }
  return at - latest > MOST_AHEAD_MS ? 'clock-ahead' : null;
}

/** Milliseconds since 1970, or ISO 8601 with a zone. Null when left out, undefined when it cannot be read. */
export function instantIn(at: unknown): number | null | undefined {
  if (at === undefined || at === null) {
    return null;
  }
  const instant = typeof at === 'string' && /(Z|[+-]\d\d:?\d\d)$/.test(at) ? Date.parse(at) : at;
  return typeof instant === 'number' && Number.isFinite(instant) ? instant : undefined;
}
