// Selects the events for the activity list, without state that is merely read at a start.
import { refusalHandling } from '../domain/commands/refusal.ts';
import { boltOf, type Lock } from '../domain/locks/lock.ts';
import type { LockRuntimeEvent } from '../engine/locks/event-bus.ts';
import type { ActivityDetail } from './views/activity.ts';
import { speakableMove } from './views/lock.ts';

export interface ActivityEntry {
  readonly detail: ActivityDetail;
  /** False for a bolt position whose move the service may attribute later. */
  readonly settled: boolean;
  /** The entry of the same move has another author; without such an entry it is none. */
  readonly corrects?: true;
}

/** No entry, one, or several for one event. */
export function activityEntriesOf(event: LockRuntimeEvent): readonly ActivityEntry[] {
  switch (event.type) {
    case 'lock-appeared':
      // Locks known before the start are no activity.
      return isKnown(event.lock) ? [settled({ type: 'appeared', others: 0 })] : [];
    case 'lock-changed':
      return [
        ...presenceIn(event.previous, event.lock),
        ...correctedIn(event.previous, event.lock),
        ...boltIn(event.previous, event.lock),
      ];
    case 'service-away':
    case 'locks-refreshed':
    case 'codes-changed':
    case 'code-operation':
      return [];
    case 'lock-removed':
      return [settled({ type: 'removed' })];
    case 'alert':
      return [settled({ type: 'alert', alert: event.alert })];
    case 'command-ended':
      return commandIn(event);
    case 'link-changed':
      // A change of the owner process is no activity of the account.
      return event.state === 'other-process' ? [] : [settled({ type: 'link', link: event.state })];
  }
}

function commandIn({
  target,
  outcome,
}: Extract<LockRuntimeEvent, { readonly type: 'command-ended' }>): readonly ActivityEntry[] {
  // After a refusal as busy, the request still waits for its turn.
  const busy = outcome.kind === 'refused' && refusalHandling(outcome.reason) === 'busy';
  return busy ? [] : [settled({ type: 'command', target, outcome })];
}

function presenceIn({ presence: before }: Lock, { presence }: Lock): readonly ActivityEntry[] {
  return presence === before ? [] : [settled({ type: 'presence', presence })];
}

function correctedIn({ recent: before }: Lock, { recent }: Lock): readonly ActivityEntry[] {
  return recent.moves
    .filter((move) => move.isCorrected === true && before.moves.every(({ by }) => by !== move.by))
    .map((move) => ({
      detail: { type: 'bolt', bolt: move.to, move: speakableMove(move) },
      settled: true,
      corrects: true,
    }));
}

function boltIn(previous: Lock, lock: Lock): readonly ActivityEntry[] {
  const bolt = boltOf(lock);
  const { lastMove } = lock;
  // A move is recognised by its author's object: a clock that is set back makes no new one.
  if (
    lastMove !== null &&
    lastMove.isCorrected !== true &&
    lastMove.by !== previous.lastMove?.by &&
    lastMove.to === bolt
  ) {
    return [settled({ type: 'bolt', bolt, move: speakableMove(lastMove) })];
  }
  // The first report after a start gives the bolt's position, not a move.
  return bolt === boltOf(previous) || !isKnown(previous)
    ? []
    : [{ detail: { type: 'bolt', bolt, move: null }, settled: false }];
}

/** Whether the service has reported on the lock since this process began. */
function isKnown({ belief, presenceAt, batteryAt }: Lock): boolean {
  return belief.latest !== null || presenceAt > 0 || batteryAt > 0;
}

function settled(detail: ActivityDetail): ActivityEntry {
  return { detail, settled: true };
}
