// What the owner of the account tells the other processes as it happens, in a form that crosses a socket.
import type { HouseLink } from '../domain/account.ts';
import type { Rest } from '../domain/bolt.ts';
import type { CommandOutcome } from '../domain/command.ts';
import type { LockId } from '../domain/lock.ts';
import type { AlertNews } from '../domain/service-event.ts';
import type { HouseHappening } from '../sync/house.ts';
import type { HappeningView } from './happening-view.ts';
import { type LockView, viewOf } from './lock-view.ts';

export type PanelEvent =
  /** A lock appeared or changed. */
  | { readonly type: 'lock'; readonly lock: LockView }
  | { readonly type: 'lock-removed'; readonly id: LockId; readonly name: string }
  | { readonly type: 'link'; readonly link: HouseLink }
  /** Something at a door that is no state of it. */
  | { readonly type: 'alert'; readonly id: LockId; readonly alert: AlertNews['type'] }
  | {
      readonly type: 'command-ended';
      readonly id: LockId;
      readonly wish: Rest;
      readonly outcome: CommandOutcome;
    }
  /** An entry of the list of happenings, new or known by its number. */
  | { readonly type: 'happening'; readonly happening: HappeningView }
  /** Other options are in force for this lock: `locks.settings` has them. */
  | { readonly type: 'lock-settings'; readonly id: LockId }
  /** How webhooks are doing has changed: `webhooks.status` has it. */
  | { readonly type: 'webhooks' }
  /** A linking began, or ended in one way or another: `link.show` has it. */
  | { readonly type: 'linking' }
  /** Whether the linked account is another one has changed: `link.show` has it. */
  | { readonly type: 'account-change' };

/** The compiler sees that none is missing. */
const TYPES: Readonly<Record<PanelEvent['type'], true>> = {
  lock: true,
  'lock-removed': true,
  link: true,
  alert: true,
  'command-ended': true,
  happening: true,
  'lock-settings': true,
  webhooks: true,
  linking: true,
  'account-change': true,
};

export function panelEventsOf(happening: HouseHappening): readonly PanelEvent[] {
  return happening.type === 'locks-refreshed'
    ? happening.locks.map((lock) => ({ type: 'lock', lock: viewOf(lock) }))
    : [panelEventOf(happening)];
}

function panelEventOf(happening: Exclude<HouseHappening, { readonly type: 'locks-refreshed' }>): PanelEvent {
  switch (happening.type) {
    case 'lock-appeared':
    case 'lock-changed':
      return { type: 'lock', lock: viewOf(happening.lock) };
    case 'lock-removed':
      return { type: 'lock-removed', id: happening.id, name: happening.name };
    case 'link-changed':
      return { type: 'link', link: happening.state };
    case 'alert':
      return { type: 'alert', id: happening.id, alert: happening.alert };
    case 'command-ended':
      return happening;
  }
}

/** Whether what an owner of the same form said is an event that is known here. */
export function isPanelEvent(event: unknown): event is PanelEvent {
  return (
    typeof event === 'object' &&
    event !== null &&
    'type' in event &&
    typeof event.type === 'string' &&
    Object.hasOwn(TYPES, event.type)
  );
}
