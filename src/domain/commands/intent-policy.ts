// Decides on a request: send it, hold it behind the command in flight, call it fulfilled, or refuse it.
import type { BoltPosition, BoltState } from '../locks/bolt.ts';
import type { Presence, Role } from '../locks/lock.ts';
import { LOCK_MAY_WAIT_MS, POSITION_COUNTS_FOR_MS, UNLOCK_MAY_WAIT_MS } from '../time/time.ts';
import type { CommandPhase } from './command.ts';

/** Rules of one lock that every way of control obeys. */
export interface LockRules {
  /** False: only a hand, a code or a key at the lock itself can unlock it. */
  readonly remoteUnlock: boolean;
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
  /** How long the request may have waited before it was read, in milliseconds. */
  readonly unheardMs: number;
  /** The command in flight; null when there is none. */
  readonly active: { readonly target: BoltPosition; readonly phase: CommandPhase } | null;
}

export type RequestRefusal =
  | 'not-linked'
  | 'remote-unlock-forbidden'
  | 'role-may-not-command'
  | 'lock-missing'
  /** An unlock that may have been requested longer ago than it may wait. */
  | 'too-late';

export type RequestDecision =
  /** Send a command now. */
  | { readonly kind: 'send' }
  /** One command at a time: keep this request, the last one, until the command in flight has ended. */
  | { readonly kind: 'hold' }
  /** The command in flight already leads to the target; a held request to the contrary is dropped. */
  | { readonly kind: 'join' }
  /** Fresh evidence shows the target already. */
  | { readonly kind: 'already' }
  | { readonly kind: 'refuse'; readonly reason: RequestRefusal };

export function judgeRequest(facts: RequestFacts): RequestDecision {
  const refusal = forbiddenBecause(facts);
  if (refusal !== null) {
    return { kind: 'refuse', reason: refusal };
  }
  const { active } = facts;
  // After a lost reply, no command is known to be in flight. The new request is sent, and refused as busy (36) while one still runs.
  if (active !== null && active.phase !== 'uncertain') {
    return { kind: active.phase !== 'overdue' && active.target === facts.target ? 'join' : 'hold' };
  }
  const isFulfilled = active === null && isThere(facts);
  return { kind: isFulfilled ? 'already' : 'send' };
}

/** "Lock" is never fulfilled already (faults#114): a needless command does no harm, and a hand may have opened since the report. */
function isThere({ target, bolt, presence, confirmedAgoMs }: RequestFacts): boolean {
  const isUnlocked = target === 'unsecured' && bolt === target;
  return isUnlocked && presence === 'reachable' && confirmedAgoMs <= POSITION_COUNTS_FOR_MS;
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

/** How long a request may wait to be sent. Late locking is safe, late unlocking never is. */
export function mayWaitMs(target: BoltPosition): number {
  return target === 'unsecured' ? UNLOCK_MAY_WAIT_MS : LOCK_MAY_WAIT_MS;
}
