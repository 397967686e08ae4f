// Which events people find in the activity list: what happened, not what was merely learned at a start.
import type { BoltState } from '../domain/bolt.ts';
import { boltOf, type LastMove, type Lock } from '../domain/lock.ts';
import { refusalHandling } from '../domain/refusal.ts';
import type { RuntimeEvent } from '../sync/account-runtime.ts';
import type { ActivityDetail } from './activity-view.ts';
import { speakableMove } from './lock-view.ts';

export interface ActivityEntry {
  readonly news: ActivityDetail;
  /** False for a bolt of which the service may yet tell who moved it. */
  readonly settled: boolean;
}

const NOTHING: readonly ActivityEntry[] = [];

/** News of a bolt are copied from this, as lock-machine.ts copies what stays. */
const BOLT_NEWS: ActivityDetail = { type: 'bolt', bolt: 'unknown', move: null };

/** Nothing, one thing, or several that happened at once. */
export function activityEntriesOf(event: RuntimeEvent): readonly ActivityEntry[] {
  switch (event.type) {
    case 'lock-appeared':
      // What the roster or Home remembers was there before.
      return isKnown(event.lock) ? [settled({ type: 'appeared' })] : [];
    case 'lock-changed':
      return [...presenceIn(event.previous, event.lock), ...boltIn(event.previous, event.lock)];
    case 'locks-refreshed':
      return NOTHING;
    case 'lock-removed':
      return [settled({ type: 'removed' })];
    case 'alert':
      return [settled({ type: 'alert', alert: event.alert })];
    case 'command-ended': {
      const { target, outcome } = event;
      // The request still waits for its turn.
      const busy = outcome.kind === 'refused' && refusalHandling(outcome.reason) === 'busy';
      return busy ? [] : [settled({ type: 'command', target, outcome })];
    }
    case 'link-changed':
      // Which process owns the account is nothing that happened to it.
      return event.state === 'other-process' ? [] : [settled({ type: 'link', link: event.state })];
  }
}

function presenceIn({ presence: before }: Lock, { presence }: Lock): readonly ActivityEntry[] {
  return presence === before ? [] : [settled({ type: 'presence', presence })];
}

function boltIn(previous: Lock, lock: Lock): readonly ActivityEntry[] {
  const bolt = boltOf(lock);
  const { lastMove } = lock;
  if (lastMove !== null && lastMove !== previous.lastMove && lastMove.to === bolt) {
    return [settled({ ...BOLT_NEWS, type: 'bolt', bolt, move: speakableMove(lastMove) })];
  }
  // The first word after a start tells where the bolt is, not that it moved.
  return bolt === boltOf(previous) || !isKnown(previous)
    ? []
    : [{ news: { type: 'bolt', bolt, move: byCommand(lock, bolt) }, settled: false }];
}

/** The end of a command of ours says who moved the bolt, even where the service never does. */
function byCommand({ belief: { latest } }: Lock, bolt: BoltState): LastMove | null {
  const moved = latest?.source === 'command' && (bolt === 'secured' || bolt === 'unsecured');
  return moved ? { to: bolt, by: { method: 'own-command', id: null, name: null }, at: latest.at } : null;
}

/** Whether the service has said anything of the lock in this process's life. */
function isKnown({ belief, presenceAt, batteryAt }: Lock): boolean {
  return belief.latest !== null || presenceAt > 0 || batteryAt > 0;
}

function settled(news: ActivityDetail): ActivityEntry {
  return { news, settled: true };
}
