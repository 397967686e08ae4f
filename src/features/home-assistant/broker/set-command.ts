// Reads a command from a broker. A command of unknown age moves nothing, because a broker may keep or repeat any message.
import type { BoltPosition } from '../../../domain/locks/bolt.ts';
import type { RemotePin } from '../../../support/remote-pin.ts';
import { isObject, jsonIn } from '../../../support/text/foreign-json.ts';
import { faultOfTime, instantIn, type RepeatRefusal, type TimeFacts, timeRefusal } from './freshness.ts';
import type { AcceptedCommands } from './lock-options.ts';
import type { SET_REFUSALS } from './refusals.ts';

/** Longer payloads are no commands, in bytes (our choice). */
const LONGEST_PAYLOAD = 1_024;

/** Why a command is refused before the account is asked. */
export type SetRefusal = keyof typeof SET_REFUSALS;

export type SetReading =
  /** `askedAt`: null when that is not known, or not credible; only a lock may be so. */
  | { readonly kind: 'command'; readonly target: BoltPosition; readonly askedAt: number | null }
  | { readonly kind: 'refused'; readonly target: BoltPosition | null; readonly reason: SetRefusal };

export interface SetFacts extends TimeFacts {
  readonly payload: Uint8Array;
  readonly repeat: RepeatRefusal | null;
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
function askedAt({ at }: Sent, { time }: SetFacts): number | null {
  if (time === null) {
    return null;
  }
  return at === null || faultOfTime(at, time) !== null ? time.earliest : at;
}

function refusalOf(sent: Sent | null, facts: SetFacts): SetRefusal | null {
  const { repeat, commands } = facts;
  if (repeat !== null) {
    return repeat;
  }
  if (sent === null) {
    return 'not-understood';
  }
  if (commands === 'none') {
    return 'commands-off';
  }
  // A request to lock is always accepted: even when it is late or the clocks are wrong, it opens nothing.
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
  const value = jsonIn(text);
  if (!isObject(value)) {
    return null;
  }
  const action = value['action'];
  const target = ACTIONS.get(typeof action === 'string' ? action.toLowerCase() : action);
  const at = instantIn(value['at']);
  // A lock command is accepted with any time.
  return target === undefined || (at === undefined && target === 'unsecured')
    ? null
    : { target, at: at ?? null, code: textIn(value['code']) };
}

const PIN_REFUSALS = { missing: 'no-pin', wrong: 'wrong-pin', disabled: 'pin-closed' } as const;

export type PinRefusal = (typeof PIN_REFUSALS)[keyof typeof PIN_REFUSALS];

/** Null: it is the right one, or none is asked for. Guesses at one lock count for all locks of an account. */
export function pinRefusal(pin: RemotePin | null, sent: string | null): PinRefusal | null {
  const verdict = pin?.verdict(sent, null) ?? 'right';
  return verdict === 'right' ? null : PIN_REFUSALS[verdict];
}
