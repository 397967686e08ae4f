// The locks of the account over the device interface: lists them, moves one bolt, reads a command back.
import { message } from '../domain/language/message.ts';
import type { LockGateway, LockReading } from '../domain/ports.ts';
import { FinalError } from '../support/errors.ts';
import type { Log } from '../support/log.ts';
import { UnknownWords } from '../support/text/unknown-words.ts';
import { decodeCommand, encodeMove, strangeCommandWords } from '../wire/command-codec.ts';
import { deviceListDecoder } from '../wire/device-codec.ts';
import { type CommandStyle, deviceEndpoints } from '../wire/endpoints.ts';
import { t } from '../words/translate.ts';
import { pendingByLocation, throwIfBusy } from './command-answer.ts';
import type { DeviceInterface } from './device-interface.ts';
import { understood } from './http/answer-errors.ts';

export interface LockClientSettings {
  readonly productSegment: string;
  readonly commandStyle: CommandStyle;
  readonly log: Log;
}

export function lockClient(
  service: Pick<DeviceInterface, 'read' | 'send'>,
  { productSegment, commandStyle, log }: LockClientSettings,
): LockGateway {
  const endpoints = deviceEndpoints(productSegment);
  const unknownWords = new UnknownWords(
    log,
    t('The service uses a word that is not known here, taken as unknown'),
  );
  const decodeDeviceList = deviceListDecoder();
  return {
    list: async () => {
      const { body, askedAt } = await service.read(endpoints.devices, 'list').catch(unknownAddress);
      const listing = understood(decodeDeviceList(body), 'no list of devices');
      unknownWords.name(listing.strangeWords);
      return { locks: notOfTheFuture(listing.locks, askedAt), askedAt, complete: listing.complete };
    },
    command: async (lockId, target, leave) => {
      const request = encodeMove(endpoints, commandStyle, lockId, target);
      const { body, headers, askedAt } = await service.send(request, leave);
      unknownWords.name(strangeCommandWords(body));
      const reading = decodeCommand(body, null) ?? pendingByLocation(headers);
      throwIfBusy(reading);
      return { reading, askedAt };
    },
    outcome: async (lockId, commandId) => {
      const { body, askedAt } = await service.read(endpoints.command(lockId, commandId), 'outcome');
      unknownWords.name(strangeCommandWords(body));
      return {
        reading: understood(decodeCommand(body, commandId), 'not the command that was asked for'),
        askedAt,
      };
    },
  };
}

/** No lock was asked for, so it is the address that is not known. */
function unknownAddress(error: unknown): never {
  throw error instanceof FinalError && error.code === 'not-found'
    ? new FinalError(
        error.code,
        message(
          'The service knows no locks at this address (HTTP 404); check {address} and {segment} in config.json.',
          { address: 'partner.baseUrl', segment: 'partner.productSegment' },
        ),
        { cause: error },
      )
    : error;
}

/** A lock's clock may run ahead, yet no reading is newer than the question. */
function notOfTheFuture(locks: readonly LockReading[], askedAt: number): readonly LockReading[] {
  return locks.map((reading) => ({
    ...reading,
    lastConnectedAt: reading.lastConnectedAt === null ? null : Math.min(reading.lastConnectedAt, askedAt),
  }));
}
