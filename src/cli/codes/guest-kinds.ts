// Kinds of guests that features bring to `latchkey guests add` and `update`, beside those with hours and locks of their own.
import type { Command } from 'commander';
import type { CodeChanges } from '../../domain/codes/operation.ts';
import type { GuestAnswer, GuestView } from '../../panel/operations/guests.ts';
import { Additions } from '../../support/additions.ts';
import type { CommandContext } from '../account/account-command.ts';
import type { CodeFlags } from './codes-command.ts';

/** Each feature declares its options here. */
export interface GuestFlags extends CodeFlags {
  readonly on?: readonly string[];
  readonly allLocks?: boolean;
}

interface GuestKind {
  readonly withOptions: (command: Command) => Command;
  readonly isAsked: (flags: GuestFlags) => boolean;
  readonly add: (context: CommandContext, flags: GuestFlags, name: string) => Promise<GuestAnswer>;
  readonly change: (
    context: CommandContext,
    flags: GuestFlags,
    guest: GuestView,
    changes: Pick<CodeChanges, 'name' | 'pin'>,
  ) => Promise<GuestAnswer>;
}

export const guestKinds = new Additions<GuestKind>();

export function withKinds(command: Command): Command {
  return guestKinds.all.reduce((all, { withOptions }) => withOptions(all), command);
}

/** The kind that the options of a command name, if any. */
export function kindAsked(flags: GuestFlags): GuestKind | undefined {
  return guestKinds.all.find(({ isAsked }) => isAsked(flags));
}
