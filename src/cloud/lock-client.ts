// The locks of the account over the device interface: lists them, moves one bolt, reads a command back.
import { message } from '../domain/language/message.ts';
import type { LockGateway, LockReading } from '../domain/ports.ts';
import type { Log } from '../support/log.ts';
import { UnknownWords } from '../support/text/unknown-words.ts';
import { decodeCommand, encodeMove, strangeCommandWords } from '../wire/command-codec.ts';
import { deviceListDecoder } from '../wire/device-codec.ts';
import { type CommandStyle, deviceEndpoints } from '../wire/endpoints.ts';
import { t } from '../words/translate.ts';
import { pendingByLocation, throwIfBusy } from './command-answer.ts';
import type { DeviceInterface } from './device-interface.ts';
import { isPart, rewordedBy, understood } from './http/answer-errors.ts';

export interface LockClientSettings {
  readonly productSegment: string;
  readonly commandStyle: CommandStyle;
  readonly log: Log;
}

/** No lock was asked for, so the same refusals mean something else here. */
const rethrown = rewordedBy({
  'not-found': message(
    'The service knows no locks at this address (HTTP 404); check {address} and {segment} in config.json.',
    { address: 'partner.baseUrl', segment: 'partner.productSegment' },
  ),
  'not-permitted': message(
    'The service does not let this account see its locks (HTTP 403); ask whoever made the partner agreement.',
  ),
});

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
      const { body, headers, askedAt } = await service.read(endpoints.devices, 'list').catch(rethrown);
      const listing = understood(decodeDeviceList(body), 'no list of devices');
      const isWhole = !isPart(headers);
      unknownWords.name([...listing.strangeWords, ...(isWhole ? [] : [SEVERAL_PAGES])]);
      const unread = isWhole ? listing.unread : Number.POSITIVE_INFINITY;
      return { locks: notOfTheFuture(listing.locks, askedAt), askedAt, unread };
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

/** Logged in place of a word: locks are missing here, and a person should learn why. */
const SEVERAL_PAGES = 'a list of several pages, of which only the first is read';

/** A lock's clock may run ahead, yet no reading is newer than the question. */
function notOfTheFuture(locks: readonly LockReading[], askedAt: number): readonly LockReading[] {
  return locks.map((reading) => ({
    ...reading,
    lastConnectedAt: reading.lastConnectedAt === null ? null : Math.min(reading.lastConnectedAt, askedAt),
  }));
}
