// The access codes of a lock over the device interface: lists them, sends one command, reads a command back.
import type { AccessCode } from '../domain/access-code.ts';
import type { AccessCodeGateway, CodeCommand, CodeCommandReading } from '../domain/code-ports.ts';
import type { CommandId } from '../domain/command.ts';
import type { LockId } from '../domain/lock.ts';
import type { SendGuard } from '../domain/ports.ts';
import { refusalWords } from '../domain/refusal.ts';
import { FinalError, UncertainError, WaitError } from '../support/errors.ts';
import { decodeAccessCodes } from '../wire/access-code-codec.ts';
import { decodeCodeCommand, encodeCodeCommand } from '../wire/code-command-codec.ts';
import { commandIdOfLocation } from '../wire/command-codec.ts';
import { type CommandStyle, type DeviceEndpoints, deviceEndpoints, HEADERS } from '../wire/endpoints.ts';
import type { DeviceInterface } from './device-interface.ts';

export interface AccessCodeClientSettings {
  readonly productSegment: string;
  readonly commandStyle: CommandStyle;
}

export class AccessCodeClient implements AccessCodeGateway {
  readonly #service: Pick<DeviceInterface, 'read' | 'send'>;
  readonly #endpoints: DeviceEndpoints;
  readonly #style: CommandStyle;

  constructor(
    service: Pick<DeviceInterface, 'read' | 'send'>,
    { productSegment, commandStyle }: AccessCodeClientSettings,
  ) {
    this.#service = service;
    this.#endpoints = deviceEndpoints(productSegment);
    this.#style = commandStyle;
  }

  async codes(lockId: LockId, zone: string): Promise<readonly AccessCode[]> {
    const { body } = await this.#service.read(this.#endpoints.accessCodes(lockId), 'codes');
    const codes = decodeAccessCodes(body, zone);
    if (codes === null) {
      throw new FinalError('wire-mismatch', 'The answer of the service is no list of access codes.');
    }
    return codes;
  }

  async send(
    lockId: LockId,
    command: CodeCommand,
    zone: string,
    leave: SendGuard,
  ): Promise<CodeCommandReading> {
    const request = encodeCodeCommand(this.#endpoints, this.#style, lockId, command, zone);
    const reply = await this.#service.send(request, leave);
    const answer = decodeCodeCommand(reply.body, null);
    if (answer === null) {
      return { reading: { state: 'pending', commandId: idOf(reply.headers) }, codeId: null };
    }
    if (answer.reading.state === 'failed' && answer.reading.reason === 'lock-busy') {
      // The other form of the 409 (wire contract 10.1): no command was made.
      throw new WaitError('lock-busy', `The service refused: ${refusalWords('lock-busy')}.`, null);
    }
    return answer;
  }

  async codeOutcome(lockId: LockId, commandId: CommandId): Promise<CodeCommandReading> {
    const { body } = await this.#service.read(this.#endpoints.command(lockId, commandId), 'outcome');
    const answer = decodeCodeCommand(body, commandId);
    if (answer === null) {
      throw new FinalError(
        'wire-mismatch',
        'The answer of the service is not the command that was asked for.',
      );
    }
    return answer;
  }
}

/** An accepted command with an unreadable body is followed by its address, or else only the list settles it. */
function idOf(headers: Readonly<Record<string, string>>): CommandId {
  const id = commandIdOfLocation(headers[HEADERS.location]);
  if (id === null) {
    throw new UncertainError('The service accepted a command and did not say which.');
  }
  return id;
}
