// The access codes of a lock over the device interface: lists them, sends one command, reads a command back.
import type { AccessCodeGateway } from '../domain/codes/ports.ts';
import { decodeAccessCodes } from '../wire/access-code-codec.ts';
import { decodeCodeCommand, encodeCodeCommand } from '../wire/code-command-codec.ts';
import { deviceEndpoints } from '../wire/endpoints.ts';
import { pendingByLocation, throwIfBusy } from './command-answer.ts';
import type { DeviceInterface } from './device-interface.ts';
import { isPart, understood } from './http/answer-errors.ts';
import type { LockClientSettings } from './lock-client.ts';

export function accessCodeClient(
  service: Pick<DeviceInterface, 'read' | 'send'>,
  { productSegment, commandStyle }: Omit<LockClientSettings, 'log'>,
): AccessCodeGateway {
  const endpoints = deviceEndpoints(productSegment);
  return {
    codes: async (lockId, zone) => {
      const { body, headers } = await service.read(endpoints.accessCodes(lockId), 'codes');
      // A code of another page would count as gone while it opens the door.
      const codes = isPart(headers) ? null : decodeAccessCodes(body, zone);
      return understood(codes, 'no whole list of access codes');
    },
    send: async (lockId, command, zone, leave) => {
      const request = encodeCodeCommand(endpoints, commandStyle, lockId, command, zone);
      const { body, headers } = await service.send(request, leave);
      const answer = decodeCodeCommand(body, null) ?? { reading: pendingByLocation(headers), codeId: null };
      throwIfBusy(answer.reading);
      return answer;
    },
    codeOutcome: async (lockId, commandId) => {
      const { body } = await service.read(endpoints.command(lockId, commandId), 'outcome');
      return understood(decodeCodeCommand(body, commandId), 'not the command that was asked for');
    },
  };
}
