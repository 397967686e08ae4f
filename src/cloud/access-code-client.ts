// The access codes of a lock over the device interface: lists them, sends one command, reads a command back.
import type { AccessCode } from '../domain/access-code.ts';
import type { AccessCodeGateway, CodeCommand, CodeCommandReading } from '../domain/code-ports.ts';
import type { CommandId } from '../domain/command.ts';
import type { LockId } from '../domain/lock.ts';
import type { SendGuard } from '../domain/ports.ts';
import { decodeAccessCodes } from '../wire/access-code-codec.ts';
import { decodeCodeCommand, encodeCodeCommand } from '../wire/code-command-codec.ts';
import { type CommandStyle, type DeviceEndpoints, deviceEndpoints } from '../wire/endpoints.ts';
import { understood } from './answer-errors.ts';
import { pendingByLocation, throwIfBusy } from './command-answer.ts';
import type { DeviceInterface } from './device-interface.ts';
import type { LockClientSettings } from './lock-client.ts';

export class AccessCodeClient implements AccessCodeGateway {
  readonly #service: Pick<DeviceInterface, 'read' | 'send'>;
  readonly #endpoints: DeviceEndpoints;
  readonly #style: CommandStyle;

  constructor(
    service: Pick<DeviceInterface, 'read' | 'send'>,
    { productSegment, commandStyle }: Omit<LockClientSettings, 'log'>,
  ) {
    this.#service = service;
    this.#endpoints = deviceEndpoints(productSegment);
    this.#style = commandStyle;
  }

  async codes(lockId: LockId, zone: string): Promise<readonly AccessCode[]> {
    const { body } = await this.#service.read(this.#endpoints.accessCodes(lockId), 'codes');
    return understood(decodeAccessCodes(body, zone), 'no list of access codes');
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
      return { reading: pendingByLocation(reply.headers), codeId: null };
    }
    throwIfBusy(answer.reading);
    return answer;
  }

  async codeOutcome(lockId: LockId, commandId: CommandId): Promise<CodeCommandReading> {
    const { body } = await this.#service.read(this.#endpoints.command(lockId, commandId), 'outcome');
    return understood(decodeCodeCommand(body, commandId), 'not the command that was asked for');
  }
}
