// The doors that a guest is to open, for the message to the guest: each with whether its lock has the code.
import { hasCode } from '../../domain/codes/guest-step.ts';
import type { GuestView } from './standings.ts';

export interface GuestDoor {
  readonly name: string;
  readonly isReady: boolean;
}

export function doorsOfGuest(guest: Pick<GuestView, 'onLocks'>): readonly GuestDoor[] {
  return wantedOnLocks(guest).map((on) => ({ name: on.lockName, isReady: hasCode(on) }));
}

export function wantedOnLocks({ onLocks }: Pick<GuestView, 'onLocks'>): GuestView['onLocks'] {
  return onLocks.filter(({ isLeaving }) => !isLeaving);
}
