// Carries notifications to receivers: one line per subscription, retries beside it, faults on request.
import type { CancelTimer } from '../../../src/support/clock.ts';
import { shiftInstants } from '../faults/answer-rewriting.ts';
import { createRandom } from '../world/random.ts';
import { type SenderOptions, sendAttempt } from './attempt-sender.ts';
import type { DeliveryFault, DeliveryFaults } from './delivery-faults.ts';
import type { Trigger } from './envelope.ts';
import { type NextMove, nextMove } from './retry-policy.ts';

export interface Receiver {
  readonly subscriptionId: string;
  readonly url: string;
}

/** The body: the same bytes at every attempt. */
export interface Notification {
  readonly eventId: string;
  readonly trigger: Trigger;
  readonly body: Buffer;
}

/**
 * One attempt, or one notification dropped by a fault, for the log and the doors page. Holds no signature: those differ
 * from run to run.
 */
export interface AttemptRecord {
  /** Epoch milliseconds at the attempt's end. */
  readonly at: number;
  readonly subscriptionId: string;
  readonly eventId: string;
  readonly trigger: Trigger;
  /** 1 for the first; 0 for a dropped notification. */
  readonly attempt: number;
  readonly outcome: number | 'timed-out' | 'unreachable' | 'dropped';
  readonly fault: DeliveryFault['kind'] | null;
  readonly next: NextMove['kind'];
  readonly retryInMs: number | null;
}

export interface CourierOptions extends SenderOptions {
  readonly seed: string;
  readonly faults: DeliveryFaults;
  readonly onAttempt: (record: AttemptRecord) => void;
  /** The receiver answered 410. */
  readonly onGone: (subscriptionId: string) => void;
}

interface Delivery {
  readonly receiver: Receiver;
  readonly notification: Notification;
  readonly fault: DeliveryFault | undefined;
  readonly attemptsMade: number;
  readonly retriesUsed: number;
  /** Epoch milliseconds; null before the first attempt. */
  readonly firstAttemptAt: number | null;
}

/** One subscription's way out: first attempts one after the other, so that nothing is overtaken by accident. */
interface Lane {
  readonly ended: AbortController;
  readonly timers: Set<CancelTimer>;
  /** A notification that waits until the next one has been sent. */
  readonly heldBack: Delivery[];
  tail: Promise<void>;
}

/** How long a notification that is to be overtaken waits for another one, milliseconds. */
const OVERTAKING_TIMEOUT_MS = 30_000;

function misdated(notification: Notification, offsetMs: number): Notification {
  return { ...notification, body: Buffer.from(shiftInstants(notification.body.toString(), offsetMs)) };
}

export class Courier {
  readonly #options: CourierOptions;
  readonly #lanes = new Map<string, Lane>();
  readonly #underWay = new Set<Promise<void>>();

  constructor(options: CourierOptions) {
    this.#options = options;
  }

  /** Takes charge of a notification; it is on its way when this returns, unless a fault strikes it. */
  accept(receiver: Receiver, notification: Notification): void {
    const fault = this.#options.faults.strikeNotification(notification.trigger);
    const delivery: Delivery = {
      receiver,
      notification: fault?.kind === 'misdate' ? misdated(notification, fault.offsetMs) : notification,
      fault,
      attemptsMade: 0,
      retriesUsed: 0,
      firstAttemptAt: null,
    };
    const lane = this.#laneOf(receiver.subscriptionId);
    switch (fault?.kind) {
      case 'drop':
        this.#report(delivery, 'dropped', { kind: 'give-up', reason: 'exhausted' });
        return;
      case 'delay':
        this.#after(lane, fault.delayMs, () => this.#queue(lane, delivery));
        return;
      case 'reorder':
        lane.heldBack.push(delivery);
        this.#after(lane, OVERTAKING_TIMEOUT_MS, () => this.#releaseHeldBack(lane));
        return;
      case 'double':
        this.#queue(lane, delivery);
        break;
      case 'forge':
      case 'misdate':
      case undefined:
        break;
    }
    this.#queue(lane, delivery);
    this.#releaseHeldBack(lane);
  }

  /** Ends everything on its way to one subscription, at once. */
  cancel(subscriptionId: string): void {
    const lane = this.#lanes.get(subscriptionId);
    this.#lanes.delete(subscriptionId);
    lane?.ended.abort();
    for (const cancelTimer of lane?.timers ?? []) {
      cancelTimer();
    }
  }

  /** Resolves when nothing is being sent. Retries that wait for their time do not count. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) {
      await Promise.all(this.#underWay);
    }
  }

  /** Ends everything and leaves no timer and no connection behind. */
  async close(): Promise<void> {
    for (const subscriptionId of this.#lanes.keys()) {
      this.cancel(subscriptionId);
    }
    await this.idle();
  }

  #laneOf(subscriptionId: string): Lane {
    const lane = this.#lanes.get(subscriptionId) ?? {
      ended: new AbortController(),
      timers: new Set(),
      heldBack: [],
      tail: Promise.resolve(),
    };
    this.#lanes.set(subscriptionId, lane);
    return lane;
  }

  #releaseHeldBack(lane: Lane): void {
    for (const delivery of lane.heldBack.splice(0)) {
      this.#queue(lane, delivery);
    }
  }

  #queue(lane: Lane, delivery: Delivery): void {
    lane.tail = lane.tail.then(() => this.#attempt(lane, delivery));
    this.#track(lane.tail);
  }

  #track(work: Promise<void>): void {
    const tracked = work.finally(() => this.#underWay.delete(tracked));
    this.#underWay.add(tracked);
  }

  #after(lane: Lane, delayMs: number, act: () => void): void {
    const cancelTimer = this.#options.clock.after(delayMs, () => {
      lane.timers.delete(cancelTimer);
      act();
    });
    lane.timers.add(cancelTimer);
  }

  async #attempt(lane: Lane, delivery: Delivery): Promise<void> {
    const { clock, seed, settings, onGone } = this.#options;
    const firstAttemptAt = delivery.firstAttemptAt ?? clock.now();
    const { receiver, notification, fault } = delivery;
    const forgery = fault?.kind === 'forge' ? fault.forgery : null;
    const { signal } = lane.ended;
    const outcome = await sendAttempt(this.#options, receiver.url, notification.body, forgery, signal);
    if (signal.aborted) {
      return;
    }
    const attemptsMade = delivery.attemptsMade + 1;
    const { subscriptionId } = delivery.receiver;
    // Each attempt has a random source of its own: the order in which receivers answer must not change any other jitter.
    const jitter = createRandom(
      `${seed}/${subscriptionId}/${delivery.notification.eventId}/${String(attemptsMade)}`,
    ).next();
    const progress = { firstAttemptAt, now: clock.now(), retriesUsed: delivery.retriesUsed };
    const move = nextMove(outcome, progress, settings(), jitter);
    const attempted = { ...delivery, attemptsMade, firstAttemptAt };
    this.#report(attempted, outcome.kind === 'answered' ? outcome.status : outcome.kind, move);
    if (move.kind === 'retry') {
      const retriesUsed = delivery.retriesUsed + (move.usesRetry ? 1 : 0);
      this.#after(lane, move.delayMs, () => {
        this.#track(this.#attempt(lane, { ...attempted, retriesUsed }));
      });
    }
    if (move.kind === 'give-up' && move.reason === 'gone') {
      onGone(subscriptionId);
    }
  }

  #report(delivery: Delivery, outcome: AttemptRecord['outcome'], move: NextMove): void {
    const { eventId, trigger } = delivery.notification;
    this.#options.onAttempt({
      at: this.#options.clock.now(),
      subscriptionId: delivery.receiver.subscriptionId,
      eventId,
      trigger,
      attempt: delivery.attemptsMade,
      outcome,
      fault: delivery.fault?.kind ?? null,
      next: move.kind,
      retryInMs: move.kind === 'retry' ? move.delayMs : null,
    });
  }
}
