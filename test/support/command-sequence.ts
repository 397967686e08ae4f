// Sequences of inputs to the command machine, and its effects in words.
import { expect, it } from 'vitest';
import { type CommandReading, commandId } from '../../src/domain/commands/command.ts';
import { advanceCommands } from '../../src/domain/commands/machine.ts';
import type { RefusalReason } from '../../src/domain/commands/refusal.ts';
import {
  type CommandContext,
  type CommandEffect,
  type CommandInput,
  type CommandState,
  IDLE,
} from '../../src/domain/commands/state.ts';
import type { LockEvent } from '../../src/domain/locks/event.ts';

/** When every sequence begins, on both clocks. */
export const START = 1_000_000;

export type Known = NonNullable<CommandContext['lock']>;

/** Locked, but last confirmed too long ago for "already there". */
export const LOCKED: Known = {
  bolt: 'secured',
  claimedAt: START - 60_000,
  confirmedAgoMs: 60_000,
  presence: 'reachable',
  role: 'owner',
  linked: true,
  rules: { remoteUnlock: true },
};
export const OPEN: Known = { ...LOCKED, bolt: 'unsecured' };

/** The bolt is seen there at that time of the sequence. */
export const seen = (bolt: Known['bolt'], ms: number): Known => ({
  ...LOCKED,
  bolt,
  claimedAt: START + ms,
  confirmedAgoMs: 0,
});

/** When it happens, in milliseconds of the sequence; what; and the lock as it is known from then on. */
export type Reported = readonly [ms: number, input: CommandInput, lock?: Known | null];

export interface Sequence {
  readonly state: CommandState;
  /** The effects of the last step. */
  readonly last: readonly string[];
  /** What all steps did, in words and as it is. */
  readonly all: readonly string[];
  readonly effects: readonly CommandEffect[];
}

export function sequence(...steps: readonly Reported[]): Sequence {
  let state = IDLE;
  let known: Known | null = LOCKED;
  let last: readonly string[] = [];
  const effects: CommandEffect[] = [];
  for (const [ms, input, newer] of steps) {
    const lock: Known | null = newer === undefined ? known : newer;
    known = lock;
    const step = advanceCommands(state, input, {
      now: START + ms,
      serviceNow: START + ms,
      setBackMs: 0,
      lock,
    });
    state = step.state;
    last = step.effects.map(inWords);
    effects.push(...step.effects);
  }
  return { state, last, all: effects.map(inWords), effects };
}

export const tap = (target: 'secured' | 'unsecured', request = 1, unheardMs = 0): CommandInput => ({
  type: 'requested',
  request,
  target,
  withinMs: Number.POSITIVE_INFINITY,
  unheardMs,
});
export const left = (key = 1): CommandInput => ({ type: 'left', key });
export const leaving = (key = 1): CommandInput => ({ type: 'leaving', key });
export const lost = (key = 1): CommandInput => ({ type: 'reply-lost', key });
export const checked: CommandInput = { type: 'checked' };
export const closed: CommandInput = { type: 'closed' };
export const refused = (reason: RefusalReason, key = 1): CommandInput => ({
  type: 'refused',
  key,
  reason,
  cause: 'x',
});
export const notProcessed = (waitMs: number | null, key = 1, mayRetry = waitMs !== null): CommandInput => ({
  type: 'not-processed',
  key,
  mayRetry,
  waitMs,
  cause: 'x',
});

type Reading =
  | { readonly state: 'pending' }
  | { readonly state: 'successful'; readonly bolt?: Known['bolt'] }
  | { readonly state: 'failed'; readonly reason: RefusalReason };
export const PENDING: Reading = { state: 'pending' };
export const SUCCESS: Reading = { state: 'successful' };
export const failure = (reason: RefusalReason): Reading => ({ state: 'failed', reason });

const named = (reading: Reading, id: string): CommandReading => ({ ...reading, commandId: commandId(id) });

export const replied = (askedMs: number, reading: Reading = PENDING, key = 1, id = 'c-1'): CommandInput => ({
  type: 'replied',
  key,
  reading: named(reading, id),
  askedAt: START + askedMs,
});
export const readBack = (askedMs: number, reading: Reading, id = 'c-1'): CommandInput => ({
  type: 'read-back',
  reading: named(reading, id),
  askedAt: START + askedMs,
});
export const endReported = (atMs: number, reading: Reading, id = 'c-1'): CommandInput => ({
  type: 'end-reported',
  reading: named(reading, id),
  at: START + atMs,
});
export const readBackLost = (id = 'c-1'): CommandInput => ({
  type: 'read-back-lost',
  commandId: commandId(id),
});
export const resumed = (target: 'secured' | 'unsecured', ageMs: number, id: string | null): CommandInput => ({
  type: 'resumed',
  target,
  commandId: id === null ? null : commandId(id),
  issuedAt: START - ageMs,
  ageMs,
});

/** One effect in words; every time is one of the sequence. */
function inWords(effect: CommandEffect): string {
  switch (effect.type) {
    case 'send':
      return `send ${effect.target} as ${effect.key}, within ${effect.withinMs}, issued ${at(effect.issuedAt)}`;
    case 'answer':
      return `answer ${effect.requests.join('+') || 'nobody'}: ${effect.target} ${details(effect.answer)}`;
    case 'start-reading':
      return `read ${effect.commandId} after ${effect.firstMs}, sent ${effect.sentAgoMs} ago`;
    case 'note-id':
      return `note: ${effect.key} is ${effect.commandId}`;
    case 'note-end':
      return `note: ${effect.key} ended ${effect.outcome}`;
    case 'ended':
      return `ended: ${effect.target} ${details(effect.outcome)}`;
    case 'stop-reading':
    case 'poll-soon':
      return effect.type;
    case 'lock':
      return `lock: ${lockInWords(effect.event)}`;
  }
}

/** The tests give a text as the cause of a failure. */
function details(given: {
  readonly kind: string;
  readonly reason?: string;
  readonly cause?: unknown;
}): string {
  const { kind, reason, cause } = given;
  return [kind, reason, cause].filter((detail) => typeof detail === 'string').join(' ');
}

function lockInWords(event: LockEvent): string {
  if (event.type === 'command-sent') {
    return `sent ${event.target} ${at(event.at)}, then ${event.next}`;
  }
  if (event.type === 'command-completed') {
    const { target, provenSince, next } = event;
    return `completed ${target}, proven since ${at(provenSince)}, ${at(event.at)}, then ${next}`;
  }
  if (event.type === 'command-ended') {
    return `ended${event.jammed ? ' jammed' : ''} ${at(event.at)}, then ${event.next}`;
  }
  if (event.type === 'command-doubted') {
    return `doubted ${event.target} since ${at(event.since)}, until ${at(event.until)}`;
  }
  return event.type === 'requested' ? `requested ${event.target}` : event.type;
}

function at(instant: number | null): string {
  return instant === null ? 'not known' : `at ${instant - START}`;
}

/** The last three effects of every command: its reading stops, and journal and account hear of its outcome. */
export function over(outcome: string, target = 'unsecured', key = 1): readonly string[] {
  return ['stop-reading', `note: ${key} ended ${outcome.split(' ')[0]}`, `ended: ${target} ${outcome}`];
}

/** An unlock may have opened the bolt: "locked" from before it counts no more, until then. */
export const doubt = (untilMs: number | null, sinceMs = 0, target = 'unsecured'): string =>
  `lock: doubted ${target} since at ${sinceMs}, until ${untilMs === null ? 'not known' : `at ${untilMs}`}`;

/** The bolt travels no more, and the lock has this target from then on. */
export const arrival = (atMs: number, next: 'secured' | 'unsecured' | null = null): string =>
  `lock: ended at ${atMs}, then ${next}`;

/** Each sequence of inputs, and the effects of its last one. */
export function itReports(
  rows: readonly (readonly [string, readonly Reported[], readonly string[]])[],
): void {
  it.each(rows)('%s', (_, steps, last) => {
    expect(sequence(...steps).last).toEqual(last);
  });
}

/** Beginnings that many sequences share: a command has left, or was answered as accepted. */
export const unlockSent: readonly Reported[] = [
  [0, tap('unsecured')],
  [0, left()],
];
export const lockSent: readonly Reported[] = [
  [0, tap('secured'), OPEN],
  [0, left()],
];
export const unlockAccepted: readonly Reported[] = [...unlockSent, [100, replied(50)]];
export const lockAccepted: readonly Reported[] = [...lockSent, [100, replied(50)]];
