// Reads a command from a broker. What may have been asked long ago moves nothing: a broker may keep or repeat any message.
import type { BoltPosition } from '../domain/bolt.ts';
import { isObject } from '../support/foreign-json.ts';
import type { AcceptedCommands } from './lock-options.ts';

/** An unlock moves nothing later than this after it was asked, in milliseconds (rule 4 of docs/architecture.md). */
const OLDEST_MS = 10_000;

/** The asker's clock may be ahead by that much, in milliseconds (our choice). */
const MOST_AHEAD_MS = 2_000;

/** Longer payloads are no commands, in bytes (our choice). */
const LONGEST_PAYLOAD = 1_024;

/** Why a command is refused before the account is asked. */
export type SetRefusal =
  | 'not-understood'
  | 'retained'
  | 'no-time'
  | 'too-old'
  | 'clock-ahead'
  | 'not-newer'
  | 'commands-off'
  | 'unlock-off';

export const SET_REFUSAL_WORDS: Readonly<Record<SetRefusal, string>> = {
  'not-understood':
    'The command was not understood. Send {"action": "lock"} or {"action": "unlock", "at": <time>}.',
  retained: 'The command was retained, so the broker would repeat it. Publish it without the retain flag.',
  'no-time': 'An unlock needs the time at which it was asked: {"action": "unlock", "at": <time>}.',
  'too-old': 'The command was asked too long ago. If it was not, set the clocks of both machines.',
  'clock-ahead': 'The command comes from the future. Set the clocks of both machines.',
  'not-newer': 'The same or a newer command was already received.',
  'commands-off': 'Commands over MQTT are turned off (mqtt.commands).',
  'unlock-off': 'This lock cannot be unlocked over MQTT.',
};

export type SetReading =
  | { readonly kind: 'command'; readonly target: BoltPosition; readonly askedAt: number }
  | { readonly kind: 'refused'; readonly target: BoltPosition | null; readonly reason: SetRefusal };

export interface SetFacts {
  readonly payload: Uint8Array;
  readonly retained: boolean;
  /** This machine's clock. */
  readonly now: number;
  /** When the last accepted command to this lock was asked; null without one. */
  readonly lastAskedAt: number | null;
  readonly commands: AcceptedCommands;
}

interface Sent {
  readonly target: BoltPosition;
  /** Null: the command does not say. */
  readonly at: number | null;
}

const ACTIONS: ReadonlyMap<unknown, BoltPosition> = new Map<unknown, BoltPosition>([
  ['lock', 'secured'],
  ['unlock', 'unsecured'],
]);

/** Null for an empty payload, which is how a retained message is removed. */
export function readSetCommand(facts: SetFacts): SetReading | null {
  if (facts.payload.length === 0) {
    return null;
  }
  const sent =
    facts.payload.length > LONGEST_PAYLOAD ? null : sentIn(new TextDecoder().decode(facts.payload));
  const reason = refusalOf(sent, facts);
  return sent === null || reason !== null
    ? { kind: 'refused', target: sent?.target ?? null, reason: reason ?? 'not-understood' }
    : { kind: 'command', target: sent.target, askedAt: sent.at ?? facts.now };
}

function refusalOf(sent: Sent | null, { retained, now, lastAskedAt, commands }: SetFacts): SetRefusal | null {
  if (retained) {
    return 'retained';
  }
  if (sent === null) {
    return 'not-understood';
  }
  if (commands === 'none') {
    return 'commands-off';
  }
  if (commands === 'lockOnly' && sent.target === 'unsecured') {
    return 'unlock-off';
  }
  if (sent.at === null) {
    // A lock opens nothing, however late it comes.
    return sent.target === 'unsecured' ? 'no-time' : null;
  }
  if (now - sent.at > OLDEST_MS) {
    return 'too-old';
  }
  if (sent.at - now > MOST_AHEAD_MS) {
    return 'clock-ahead';
  }
  return lastAskedAt !== null && sent.at <= lastAskedAt ? 'not-newer' : null;
}

/** A word alone, or an object with `action` and `at`. Null for anything else. */
function sentIn(text: string): Sent | null {
  const word = ACTIONS.get(text.trim().toLowerCase());
  if (word !== undefined) {
    return { target: word, at: null };
  }
  const value = parsed(text);
  if (!isObject(value)) {
    return null;
  }
  const action = value['action'];
  const target = ACTIONS.get(typeof action === 'string' ? action.toLowerCase() : action);
  const at = instantIn(value['at']);
  return target === undefined || at === undefined ? null : { target, at };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Milliseconds since 1970, or ISO 8601 with a zone. Null when left out, undefined when it cannot be read. */
function instantIn(at: unknown): number | null | undefined {
  if (at === undefined || at === null) {
    return null;
  }
  const instant = typeof at === 'string' && /(Z|[+-]\d\d:?\d\d)$/.test(at) ? Date.parse(at) : at;
  return typeof instant === 'number' && Number.isFinite(instant) ? instant : undefined;
}
