// Events that the account's owner emits to other processes, in a form that crosses a socket.
import type { RuntimeLinkState } from '../domain/account/account.ts';
import type { CodeProgress } from '../domain/codes/operation.ts';
import type { CommandOutcome } from '../domain/commands/command.ts';
import type { BoltPosition } from '../domain/locks/bolt.ts';
import type { LockId } from '../domain/locks/lock.ts';
import type { AlertReport } from '../domain/webhooks/service-event.ts';
import type { RuntimeEvent } from '../engine/account-runtime.ts';
import { Additions } from '../support/additions.ts';
import type { ActivityView } from './views/activity.ts';
import { type LockView, viewOf } from './views/lock.ts';

/** Each feature declares its events here, by type, with what else they hold. */
export interface FeatureEvents {}

/** Their types. */
export const featureEvents = new Additions<readonly string[]>();

export type PanelEvent =
  | OwnEvent
  | { [Type in keyof FeatureEvents]: { readonly type: Type } & FeatureEvents[Type] }[keyof FeatureEvents];

export type OwnEvent =
  /** A lock appeared or changed. */
  | { readonly type: 'lock'; readonly lock: LockView }
  | { readonly type: 'lock-removed'; readonly id: LockId; readonly name: string }
  | { readonly type: 'link'; readonly link: RuntimeLinkState }
  /** An event of a lock that is not part of its state. */
  | { readonly type: 'alert'; readonly id: LockId; readonly alert: AlertReport['type'] }
  | {
      readonly type: 'command-ended';
      readonly id: LockId;
      readonly target: BoltPosition;
      readonly outcome: CommandOutcome;
    }
  /** The access codes of this lock changed: `codes.list` has them. */
  | { readonly type: 'codes'; readonly id: LockId }
  /** Guests, or how their codes stand, have changed: `guests.list` has them. */
  | { readonly type: 'guests' }
  /** Stays, their calendars, or how their codes stand, have changed: `stays.list` has them. */
  | { readonly type: 'stays' }
  /** An operation on access codes has come further, or ended. */
  | { readonly type: 'code-operation'; readonly operation: CodeProgress }
  /** An entry of the activity list, new or replaced by its number. */
  | { readonly type: 'activity'; readonly activity: ActivityView }
  /** Other options are in force for this lock: `locks.settings` has them. */
  | { readonly type: 'lock-settings'; readonly id: LockId }
  /** How webhooks are doing has changed: `webhooks.status` has it. */
  | { readonly type: 'webhooks' }
  /** A linking began, or ended in one way or another: `link.show` has it. */
  | { readonly type: 'linking' }
  /** Whether the linked account is another one has changed: `link.show` has it. */
  | { readonly type: 'account-change' };

/** The compiler checks that none is missing. */
const TYPES: Readonly<Record<OwnEvent['type'], true>> = {
  lock: true,
  'lock-removed': true,
  link: true,
  alert: true,
  'command-ended': true,
  codes: true,
  guests: true,
  stays: true,
  'code-operation': true,
  activity: true,
  'lock-settings': true,
  webhooks: true,
  linking: true,
  'account-change': true,
};

export function panelEventsOf(event: RuntimeEvent): readonly PanelEvent[] {
  if (event.type === 'service-away') {
    // A page sees sooner by itself that a question is not answered.
    return [];
  }
  return event.type === 'locks-refreshed'
    ? event.locks.map((lock) => ({ type: 'lock', lock: viewOf(lock) }))
    : [panelEventOf(event)];
}

function panelEventOf(
  event: Exclude<RuntimeEvent, { readonly type: 'locks-refreshed' | 'service-away' }>,
): PanelEvent {
  switch (event.type) {
    case 'lock-appeared':
    case 'lock-changed':
      return { type: 'lock', lock: viewOf(event.lock) };
    case 'lock-removed':
      return { type: 'lock-removed', id: event.id, name: event.name };
    case 'link-changed':
      return { type: 'link', link: event.state };
    case 'alert':
      return { type: 'alert', id: event.id, alert: event.alert };
    case 'codes-changed':
      return { type: 'codes', id: event.id };
    case 'command-ended':
      return event;
    case 'code-operation':
      return { type: 'code-operation', operation: event.operation };
    case 'stay-code-ready':
    case 'stay-not-ready':
    case 'stay-arrived':
    case 'stay-ended':
      return { type: 'stays' };
  }
}

/** Whether an event from an owner of the same form is known here. */
export function isPanelEvent(event: unknown): event is PanelEvent {
  return (
    typeof event === 'object' &&
    event !== null &&
    'type' in event &&
    typeof event.type === 'string' &&
    (isOwn(event.type) || featureEvents.all.flat().includes(event.type))
  );
}

export function isOwn(type: string): type is OwnEvent['type'] {
  return Object.hasOwn(TYPES, type);
}
