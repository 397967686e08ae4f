// Commands on access codes, to the service's words and back (wire contract 3 and 4).
import { accessCodeId } from '../domain/codes/access-code.ts';
import type { CodeCommand, CodeCommandReading } from '../domain/codes/ports.ts';
import type { CommandId } from '../domain/commands/command.ts';
import type { LockId } from '../domain/locks/lock.ts';
import { encodeChanges } from './access-code-codec.ts';
import { type CommandRequest, decodeCommand } from './command-codec.ts';
import type { CommandStyle, DeviceEndpoints } from './endpoints.ts';
import { idOf, membersOf } from './lenient.ts';

const NAMES = {
  add: 'AddAccessCode',
  update: 'UpdateAccessCode',
  remove: 'DeleteAccessCode',
  'remove-all': 'DeleteAllAccessCodes',
} as const satisfies Record<CodeCommand['kind'], string>;

/** The request of a command. The aliases name the code in their path (wire contract 4). */
export function encodeCodeCommand(
  endpoints: DeviceEndpoints,
  style: CommandStyle,
  lockId: LockId,
  command: CodeCommand,
  zone: string,
): CommandRequest {
  const data = dataOf(command, zone);
  if (style === 'commands') {
    return { method: 'POST', path: endpoints.commands(lockId), body: { name: NAMES[command.kind], data } };
  }
  switch (command.kind) {
    case 'add':
      return { method: 'POST', path: endpoints.accessCodes(lockId), body: data };
    case 'update':
      return { method: 'PUT', path: endpoints.accessCode(lockId, command.codeId), body: data };
    case 'remove':
      return { method: 'DELETE', path: endpoints.accessCode(lockId, command.codeId), body: null };
    case 'remove-all':
      return { method: 'DELETE', path: endpoints.accessCodes(lockId), body: null };
  }
}

function dataOf(command: CodeCommand, zone: string): Readonly<Record<string, unknown>> {
  switch (command.kind) {
    case 'add':
      return encodeChanges(command.draft, zone);
    case 'update':
      return { accessCodeId: command.codeId, ...encodeChanges(command.changes, zone) };
    case 'remove':
      return { accessCodeId: command.codeId };
    case 'remove-all':
      return {};
  }
}

/** Reads a Command object as `decodeCommand` does, with the id of the code where it names one. */
export function decodeCodeCommand(body: unknown, asked: CommandId | null): CodeCommandReading | null {
  const reading = decodeCommand(body, asked);
  const id = idOf(membersOf(membersOf(body)['data'])['accessCodeId']);
  return reading === null ? null : { reading, codeId: id === null ? null : accessCodeId(id) };
}
