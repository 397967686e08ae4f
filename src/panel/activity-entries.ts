// Selects the events for the activity list, without state that is merely read at a start.
import { refusalHandling } from '../domain/commands/refusal.ts';
import type { BoltState } from '../domain/locks/bolt.ts';
import { boltOf, type Lock } from '../domain/locks/lock.ts';
import type { LastMove } from '../domain/locks/move.ts';
import type { LockRuntimeEvent } from '../sync/locks/event-bus.ts';
import type { ActivityDetail } from './views/activity.ts';
import { speakableMove } from './views/lock.ts';

export interface ActivityEntry {
  readonly detail: ActivityDetail;
  /** False for a bolt position whose move the service may attribute later. */
  readonly settled: boolean;
}

/** No entry, one, or several for one event. */
export function activityEntriesOf(event: LockRuntimeEvent): readonly ActivityEntry[] {
  switch (event.type) {
    case 'lock-appeared':
      // Locks known before the start are no activity.
      return isKnown(event.lock) ? [settled({ type: 'appeared', others: 0 })] : [];
    case 'lock-changed':
      return [...presenceIn(event.previous, event.lock), ...boltIn(event.previous, event.lock)];
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

function boltIn(previous: Lock, lock: Lock): readonly ActivityEntry[] {
  const bolt = boltOf(lock);
  const { lastMove } = lock;
  if (lastMove !== null && lastMove !== previous.lastMove && lastMove.to === bolt) {
    return [settled({ type: 'bolt', bolt, move: speakableMove(lastMove) })];
  }
  // The first report after a start gives the bolt's position, not a move.
  return bolt === boltOf(previous) || !isKnown(previous)
    ? []
    : [{ detail: { type: 'bolt', bolt, move: byCommand(lock, bolt) }, settled: false }];
}

/** Attributes the bolt's move to our command where the service does not. */
function byCommand({ belief: { latest } }: Lock, bolt: BoltState): LastMove | null {
  const moved = latest?.source === 'command' && (bolt === 'secured' || bolt === 'unsecured');
  return moved ? { to: bolt, by: { method: 'own-command', id: null, name: null }, at: latest.at } : null;
}

/** Whether the service has reported on the lock since this process began. */
function isKnown({ belief, presenceAt, batteryAt }: Lock): boolean {
  return belief.latest !== null || presenceAt > 0 || batteryAt > 0;
}

function settled(detail: ActivityDetail): ActivityEntry {
  return { detail, settled: true };
}
