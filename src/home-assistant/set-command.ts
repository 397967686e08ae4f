// Reads a command from a broker. What may have been asked long ago moves nothing: a broker may keep or repeat any message.
import type { BoltPosition } from '../domain/bolt.ts';
import { isObject } from '../support/foreign-json.ts';
import { faultOfTime, instantIn, type TimeFacts, type TimeRefusal, timeRefusal } from './freshness.ts';
import type { AcceptedCommands } from './lock-options.ts';
import type { PinRefusal } from './pin-gate.ts';

/** Longer payloads are no commands, in bytes (our choice). */
const LONGEST_PAYLOAD = 1_024;

/** Why a command is refused before the account is asked. */
export type SetRefusal =
  | 'not-understood'
  | 'retained'
  | TimeRefusal
  | 'commands-off'
  | 'unlock-off'
  | PinRefusal;

export const SET_REFUSAL_WORDS: Readonly<Record<SetRefusal, string>> = {
  'not-understood':
    'The command was not understood. Send {"action": "lock"} or {"action": "unlock", "at": <time>}.',
  retained: 'The command was retained, so the broker would repeat it. Publish it without the retain flag.',
  'no-time': 'An unlock needs the time at which it was asked: {"action": "unlock", "at": <time>}.',
  'time-unknown': "The lock service's time is not known yet. Ask again in a few seconds.",
  'before-start': 'The command was asked before the plugin started. Ask again.',
  'too-old': 'The command was asked too long ago. If it was not, set the clock of the machine that asked.',
  'clock-ahead': 'The command comes from the future. Set the clock of the machine that asked.',
  'not-newer': 'The same or a newer command was already received.',
  'commands-off': 'Commands over MQTT are turned off (mqtt.commands).',
  'unlock-off': 'This lock cannot be unlocked over MQTT.',
  'no-pin': 'An unlock needs the PIN: {"action": "unlock", "at": <time>, "code": "<PIN>"}.',
  'wrong-pin': 'The PIN is wrong.',
  'pin-closed': 'There were too many wrong PINs. Wait a minute.',
};

export type SetReading =
  /** `askedAt`: null when that is not known, or not credible; only a lock may be so. */
  | { readonly kind: 'command'; readonly target: BoltPosition; readonly askedAt: number | null }
  | { readonly kind: 'refused'; readonly target: BoltPosition | null; readonly reason: SetRefusal };

export interface SetFacts extends TimeFacts {
  readonly payload: Uint8Array;
  readonly retained: boolean;
  readonly commands: AcceptedCommands;
  /** Why a PIN is not accepted; null accepts. Asked only about an unlock that nothing else forbids. */
  readonly pinRefusal: (code: string | null) => PinRefusal | null;
}

interface Sent {
  readonly target: BoltPosition;
  /** Null: the command does not say. */
  readonly at: number | null;
  readonly code: string | null;
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
    : { kind: 'command', target: sent.target, askedAt: askedAt(sent, facts) };
}

/** A lock that claims another time than now counts as if it did not say: it must not bar the unlocks after it. */
function askedAt({ at }: Sent, { now }: SetFacts): number | null {
  return now === null || at === null || faultOfTime(at, now) !== null ? now : at;
}

function refusalOf(sent: Sent | null, facts: SetFacts): SetRefusal | null {
  const { retained, commands } = facts;
  if (retained) {
    return 'retained';
  }
  if (sent === null) {
    return 'not-understood';
  }
  if (commands === 'none') {
    return 'commands-off';
  }
  // A lock opens nothing, however late it comes and whatever the clocks say.
  return sent.target === 'secured' ? null : unlockRefusal(sent, facts);
}

function unlockRefusal({ at, code }: Sent, facts: SetFacts): SetRefusal | null {
  return facts.commands === 'lockOnly' ? 'unlock-off' : (timeRefusal(at, facts) ?? facts.pinRefusal(code));
}

function textIn(code: unknown): string | null {
  return typeof code === 'string' && code !== '' ? code : null;
}

/** A word alone, or an object with `action` and `at`. Null for anything else. */
function sentIn(text: string): Sent | null {
  const word = ACTIONS.get(text.trim().toLowerCase());
  if (word !== undefined) {
    return { target: word, at: null, code: null };
  }
  const value = parsed(text);
  if (!isObject(value)) {
    return null;
  }
  const action = value['action'];
  const target = ACTIONS.get(typeof action === 'string' ? action.toLowerCase() : action);
  const at = instantIn(value['at']);
  // A lock is taken whatever it says of the time.
  return target === undefined || (at === undefined && target === 'unsecured')
    ? null
    : { target, at: at ?? null, code: textIn(value['code']) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
