// What becomes of a wish: sent, held behind the command in flight, already fulfilled, or forbidden.
import type { BoltPosition, BoltState } from './bolt.ts';
import type { Presence, Role } from './lock.ts';
import { LOCK_MAY_WAIT_MS, POSITION_COUNTS_FOR_MS, UNLOCK_MAY_WAIT_MS } from './time.ts';

/** What a person may forbid for one lock; no way in allows what this forbids. */
export interface LockRules {
  /** False: no unlock by any way but a hand, a code or a key at the door. */
  readonly remoteUnlock: boolean;
  /** True: a command is sent even when the lock is already where it is wished. */
  readonly force: boolean;
}

export interface RequestFacts {
  readonly target: BoltPosition;
  /** The bolt by fresh evidence; `unknown` when there is none. */
  readonly bolt: BoltState;
  readonly presence: Presence;
  readonly role: Role;
  readonly linked: boolean;
  readonly rules: LockRules;
  /** How long ago that evidence was last confirmed, in milliseconds. */
  readonly confirmedAgoMs: number;
  /** How long the wish may have waited to be heard, in milliseconds. */
  readonly unheardMs: number;
  /** The wish of the command in flight, and whether its end is still expected; null when there is none. */
  readonly inFlight: { readonly target: BoltPosition; readonly hopeful: boolean } | null;
}

export type RequestRefusal =
  | 'not-linked'
  | 'remote-unlock-forbidden'
  | 'role-may-not-command'
  | 'lock-missing'
  /** An unlock that nobody may wish any more: it may have been made longer ago than one may wait. */
  | 'too-late';

export type RequestDecision =
  /** Send a command now. */
  | { readonly kind: 'send' }
  /** One command at a time: keep this wish, the last one, until the command in flight has ended. */
  | { readonly kind: 'hold' }
  /** The command in flight is already bringing it about; a held wish to the contrary is dropped. */
  | { readonly kind: 'join' }
  /** Fresh evidence says that it is so already. */
  | { readonly kind: 'already' }
  | { readonly kind: 'refuse'; readonly reason: RequestRefusal };

export function judgeRequest(facts: RequestFacts): RequestDecision {
  const refusal = forbiddenBecause(facts);
  if (refusal !== null) {
    return { kind: 'refuse', reason: refusal };
  }
  if (facts.inFlight !== null) {
    return { kind: facts.inFlight.hopeful && facts.inFlight.target === facts.target ? 'join' : 'hold' };
  }
  return { kind: isThere(facts) && !facts.rules.force ? 'already' : 'send' };
}

/** Moving a bolt to where it is does no harm; leaving a door open on an old report does. */
function isThere({ target, bolt, presence, confirmedAgoMs }: RequestFacts): boolean {
  return bolt === target && presence === 'reachable' && confirmedAgoMs <= POSITION_COUNTS_FOR_MS;
}

function forbiddenBecause(facts: RequestFacts): RequestRefusal | null {
  const { target, role, linked, rules, presence, unheardMs } = facts;
  if (!linked) {
    return 'not-linked';
  }
  if (presence === 'missing') {
    return 'lock-missing';
  }
  if (target === 'unsecured' && !rules.remoteUnlock) {
    return 'remote-unlock-forbidden';
  }
  if (role === 'reader') {
    return 'role-may-not-command';
  }
  return target === 'unsecured' && unheardMs > UNLOCK_MAY_WAIT_MS ? 'too-late' : null;
}

/** How long a wish may wait to be sent. Late locking is safe, late unlocking never is. */
export function mayWaitMs(target: BoltPosition): number {
  return target === 'unsecured' ? UNLOCK_MAY_WAIT_MS : LOCK_MAY_WAIT_MS;
}
