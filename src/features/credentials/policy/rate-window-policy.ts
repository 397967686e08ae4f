// Arithmetic of fixed rate windows: when the next call of one operation may leave, so that no window of the service ever holds
// more of them than its limit. All instants are epoch milliseconds of this machine, but for `reset`, which is the service's.
//
// Each call occupies a slot until the window that counted it has certainly ended. As long as there are never more occupied slots
// than the limit allows, no window can overflow, wherever the service's windows begin.
import type { RateFacts } from '../../../domain/polling/rate-facts.ts';
import type { Instant } from '../../../domain/time/instant.ts';

/** Length of a window (specification, Rate limits), in milliseconds. */
export const RATE_WINDOW_MS = 60_000;

/** How long a call may be on its way, in milliseconds: one that never came back may have been counted until then. */
const MAX_IN_FLIGHT_MS = 35_000;

/** Added to each end of a window for timers that fire early and clocks that drift (our choice), in milliseconds. */
export const WINDOW_MARGIN_MS = 250;

/** Resolution of a Date header and of a reset in whole seconds, in milliseconds. */
const SECOND_MS = 1_000;

/** How far the service's clock may be off where an answer carries no Date, in milliseconds. */
const MAX_CLOCK_SKEW_MS = 5_000;

/** Resets of answers of one window differ by this much at most where a service counts back from "now", in milliseconds. */
const SAME_WINDOW_MS = 2_000;

/** A reset this much later than 60 s means a longer window, up to an hour; below, it is rounding and skew. */
const LONGER_WINDOW_MS = RATE_WINDOW_MS + 2 * MAX_CLOCK_SKEW_MS;
const MAX_WINDOW_MS = 3_600_000;

/** One call that was counted, or may have been. */
export interface RateSlot {
  readonly id: number;
  /** The slot is occupied until then at the latest. */
  readonly endsBy: Instant;
  /** The service's reset of the window that counted it; null while unknown. */
  readonly reset: Instant | null;
}

/** The newest window that the service described. */
export interface KnownWindow {
  readonly reset: Instant;
  /** The window has certainly ended by then. */
  readonly endsBy: Instant;
  /** Most calls that an answer of this window counted, those of other machines included. */
  readonly counted: number;
}

/** Everything known of one operation's windows. */
export interface RateState {
  readonly limit: number;
  readonly lastId: number;
  readonly slots: readonly RateSlot[];
  readonly window: KnownWindow | null;
  /** The end of the wait that a refusal asked for; 0 without one. */
  readonly blockedUntil: Instant;
  /** When the state was last used: a clock that shows less was set back. */
  readonly seenAt: Instant;
}

export type RateDecision =
  | { readonly kind: 'go'; readonly id: number }
  /** `refused`: the service asked for the wait itself. */
  | { readonly kind: 'wait'; readonly until: Instant; readonly why: 'limit' | 'refused' };

export function freshRateState(limit: number): RateState {
  return { limit, lastId: 0, slots: [], window: null, blockedUntil: 0, seenAt: 0 };
}

/** Takes a slot for a call that is sent now, or tells when one is free. */
export function reserveCall(
  state: RateState,
  now: Instant,
): { readonly state: RateState; readonly decision: RateDecision } {
  const current = pruned(state, now);
  if (current.blockedUntil > now) {
    return { state: current, decision: { kind: 'wait', until: current.blockedUntil, why: 'refused' } };
  }
  if (occupied(current, now) >= current.limit) {
    return { state: current, decision: { kind: 'wait', until: freeAt(current, now), why: 'limit' } };
  }
  const id = current.lastId + 1;
  const slot = { id, endsBy: now + MAX_IN_FLIGHT_MS + RATE_WINDOW_MS + WINDOW_MARGIN_MS, reset: null };
  return { state: { ...current, lastId: id, slots: [...current.slots, slot] }, decision: { kind: 'go', id } };
}

/** The call certainly was not sent: its slot is free again. */
export function cancelCall(state: RateState, id: number): RateState {
  return { ...state, slots: state.slots.filter((slot) => slot.id !== id) };
}

/** The call was answered, and so was counted at `receivedAt` at the latest. */
export function recordAnswer(state: RateState, id: number, receivedAt: Instant, facts: RateFacts): RateState {
  const limit = facts.limit !== null && facts.limit >= 1 ? facts.limit : state.limit;
  const endsBy = windowEnd(receivedAt, facts);
  const slots = state.slots.map((slot) => (slot.id === id ? { id, endsBy, reset: facts.reset } : slot));
  const window = knownWindow(state.window, facts, endsBy);
  return { ...state, limit, window, slots: slots.map((slot) => tightened(slot, window)) };
}

/** The newest window, after an answer. A late answer of an older window changes nothing. */
function knownWindow(
  known: KnownWindow | null,
  { limit, remaining, reset }: RateFacts,
  endsBy: Instant,
): KnownWindow | null {
  if (reset === null) {
    return known;
  }
  const counted = limit === null || remaining === null ? 0 : Math.max(limit - remaining, 0);
  if (known !== null && sameWindow(known.reset, reset)) {
    return { reset, endsBy: Math.min(endsBy, known.endsBy), counted: Math.max(counted, known.counted) };
  }
  return known !== null && known.reset > reset ? known : { reset, endsBy, counted };
}

/** The service refused a call all the same: no call is sent before the named wait is over. */
export function recordRefusal(state: RateState, until: Instant): RateState {
  return { ...state, blockedUntil: Math.max(state.blockedUntil, until) };
}

/** How long `calls` more of one operation take from now, in milliseconds, as far as the limit decides. */
export function expectedDurationMs(state: RateState, calls: number, now: Instant): number {
  const current = pruned(state, now);
  const free = Math.max(current.limit - occupied(current, now), 0);
  const blockedMs = Math.max(current.blockedUntil - now, 0);
  if (calls === 0) {
    return 0;
  }
  if (calls <= free) {
    return blockedMs;
  }
  const rounds = Math.ceil((calls - free) / current.limit);
  const firstWaitMs = free > 0 ? RATE_WINDOW_MS : Math.max(freeAt(current, now) - now, 0);
  return Math.max(blockedMs, firstWaitMs) + (rounds - 1) * (RATE_WINDOW_MS + WINDOW_MARGIN_MS);
}

/** Calls of ours that may still be counted, and calls of others that the newest window counted. */
function occupied({ slots, window }: RateState, now: Instant): number {
  return slots.filter(({ endsBy }) => endsBy > now).length + foreignCalls(slots, window, now);
}

function foreignCalls(slots: readonly RateSlot[], window: KnownWindow | null, now: Instant): number {
  if (window === null || window.endsBy <= now) {
    return 0;
  }
  const ours = slots.filter(({ reset }) => sameWindow(reset, window.reset)).length;
  return Math.max(window.counted - ours, 0);
}

/** The earliest instant at which a slot is free, as far as is known. Takes a state without windows that are over. */
function freeAt(state: RateState, now: Instant): Instant {
  // The end of the known window is one of them: that of the call whose answer described the window.
  const ends = state.slots.map(({ endsBy }) => endsBy).toSorted((one, other) => one - other);
  return ends.find((end) => occupied(state, end) < state.limit) ?? now + RATE_WINDOW_MS;
}

/**
 * When the window that counted an answered call has certainly ended. A window that was open when the call was counted ends within
 * its length of that; the service's own word for its end, read by its own clock, may be earlier.
 */
function windowEnd(receivedAt: Instant, { reset, date }: RateFacts): Instant {
  const byLength = receivedAt + RATE_WINDOW_MS + WINDOW_MARGIN_MS;
  if (reset === null) {
    return byLength;
  }
  const byReset =
    WINDOW_MARGIN_MS + SECOND_MS + (date === null ? reset + MAX_CLOCK_SKEW_MS : receivedAt + (reset - date));
  const lengthMs = byReset - receivedAt;
  if (date !== null && lengthMs > LONGER_WINDOW_MS && lengthMs <= MAX_WINDOW_MS) {
    return byReset;
  }
  // A reset in the past describes no window: two clocks of the service disagree, or it is garbled.
  return lengthMs > 0 ? Math.min(byLength, byReset) : byLength;
}

function tightened(slot: RateSlot, window: KnownWindow | null): RateSlot {
  return window !== null && sameWindow(slot.reset, window.reset)
    ? { ...slot, endsBy: Math.min(slot.endsBy, window.endsBy) }
    : slot;
}

function sameWindow(one: Instant | null, other: Instant | null): boolean {
  return one !== null && other !== null && Math.abs(one - other) <= SAME_WINDOW_MS;
}

/** Drops windows that are over. Where this machine's clock was set back, every instant moves with it. */
function pruned(state: RateState, now: Instant): RateState {
  const moveMs = now < state.seenAt - SECOND_MS ? now - state.seenAt : 0;
  const { window } = state;
  return {
    ...state,
    slots: state.slots
      .map((slot) => ({ ...slot, endsBy: slot.endsBy + moveMs }))
      .filter(({ endsBy }) => endsBy > now),
    window:
      window === null || window.endsBy + moveMs <= now ? null : { ...window, endsBy: window.endsBy + moveMs },
    blockedUntil: state.blockedUntil + moveMs <= now ? 0 : state.blockedUntil + moveMs,
    seenAt: moveMs < 0 ? now : Math.max(state.seenAt, now),
  };
}
