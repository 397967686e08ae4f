// A command to move a bolt, to the service's words and back (wire contract 3).
import { type CommandId, type CommandReading, commandId } from '../domain/commands/command.ts';
import { withoutCodes } from '../domain/locks/access.ts';
import type { BoltPosition, BoltState } from '../domain/locks/bolt.ts';
import type { LockId } from '../domain/locks/lock.ts';
import { BOLTS } from './device-codec.ts';
import type { CommandStyle, DeviceEndpoints } from './endpoints.ts';
import { refusalReason } from './error-codes.ts';
import { idOf, integerOf, isObject, membersOf } from './lenient.ts';

/** One request that sends a command; null: without a body. */
export interface CommandRequest {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>> | null;
}

const LOCK_STATES: Readonly<Record<BoltPosition, 'Locked' | 'Unlocked'>> = {
  secured: 'Locked',
  unsecured: 'Unlocked',
};

/** The request that moves a bolt. The aliases say all in their path; their body repeats it, as wire contract 4 has it. */
export function encodeMove(
  endpoints: DeviceEndpoints,
  style: CommandStyle,
  lockId: LockId,
  target: BoltPosition,
): CommandRequest {
  const data = { lockState: LOCK_STATES[target] };
  if (style === 'commands') {
    return { method: 'POST', path: endpoints.commands(lockId), body: { name: 'ChangeLockState', data } };
  }
  const path = target === 'secured' ? endpoints.lock(lockId) : endpoints.unlock(lockId);
  return { method: 'POST', path, body: data };
}

/** "Operation completed successfully" (specification, Device command error codes). */
const NO_ERROR = 0;

/** Specification, States and transitions. In any letter case: a word proves no bolt by its case. */
const STATES: ReadonlySet<string> = new Set(['pending', 'successful', 'failed']);

/**
 * Reads a Command object. `asked` is the id it was asked for, null in the answer to a new command. Null when it is no
 * command, has no id, or has the id of another. Only the word "Successful" is success, in any letter case; a word that
 * we do not know is no end, so the command counts as pending.
 */
export function decodeCommand(body: unknown, asked: CommandId | null): CommandReading | null {
  const command = membersOf(body);
  const id = idOf(command['commandId']) ?? asked;
  if (!isObject(body) || id === null || (asked !== null && id !== asked)) {
    return null;
  }
  const { error, lockState } = membersOf(command['data']);
  const errorCode = integerOf(membersOf(error)['errorCode']);
  const known = knownState(command['state']);
  if (known === 'successful') {
    return successOf(commandId(id), errorCode, lockState);
  }
  return known === 'failed'
    ? { state: 'failed', commandId: commandId(id), reason: refusalReason(errorCode) }
    : { state: 'pending', commandId: commandId(id) };
}

/** The state of a command in a word that we do not know, with its member's name: for one line in the log. Foreign text. */
export function strangeCommandWords(body: unknown): readonly string[] {
  const { state } = membersOf(body);
  return state === undefined || state === null || knownState(state) !== null
    ? []
    : [withoutCodes(`state ${JSON.stringify(state)}`)];
}

function knownState(word: unknown): string | null {
  const state = typeof word === 'string' ? word.toLowerCase() : '';
  return STATES.has(state) ? state : null;
}

/** A success with an error contradicts itself (specification, States and transitions): it proves neither. */
function successOf(id: CommandId, errorCode: number | null, lockState: unknown): CommandReading {
  return errorCode === null || errorCode === NO_ERROR
    ? { state: 'successful', commandId: id, ...boltSaid(lockState) }
    : { state: 'failed', commandId: id, reason: 'unrecognised' };
}

/** The position in a successful command; nothing where it names none that is known. */
function boltSaid(word: unknown): { readonly bolt?: BoltState } {
  const bolt = BOLTS.get(word);
  return bolt === undefined ? {} : { bolt };
}

/** The command's id from the address of its read-back, for an accepted command with a lost body; null without one. */
export function commandIdOfLocation(location: string | undefined): CommandId | null {
  const encoded = /\/commands\/(?<id>[^/?#]+)\/?(?:[?#].*)?$/.exec(location ?? '')?.groups?.['id'];
  if (encoded === undefined) {
    return null;
  }
  try {
    const id = idOf(decodeURIComponent(encoded));
    return id === null ? null : commandId(id);
  } catch {
    // A broken percent escape names no command.
    return null;
  }
}
