// The common part of answers to commands on bolts and on access codes.
import type { CommandId, CommandReading } from '../domain/commands/command.ts';
import { message } from '../domain/language/message.ts';
import { UncertainError, WaitError } from '../support/errors.ts';
import { commandIdOfLocation } from '../wire/command-codec.ts';
import { HEADERS, type Headers } from '../wire/endpoints.ts';
import { REFUSALS } from '../words/refusals.ts';

/** An accepted command with an unreadable body is followed by its address, or else only a reading of the lock settles it. */
export function pendingByLocation(headers: Headers): {
  readonly state: 'pending';
  readonly commandId: CommandId;
} {
  const commandId = commandIdOfLocation(headers[HEADERS.location]);
  if (commandId === null) {
    throw new UncertainError(message('The service accepted a command and did not say which.'));
  }
  return { state: 'pending', commandId };
}

/** The other form of the 409 (wire contract 10.1): no command was made. */
export function throwIfBusy(reading: CommandReading): void {
  if (reading.state === 'failed' && reading.reason === 'lock-busy') {
    throw new WaitError(
      'lock-busy',
      message('The service refused: {why}.', { why: REFUSALS[reading.reason] }),
      null,
    );
  }
}
