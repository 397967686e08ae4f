// The locks of the account over the device interface: lists them, moves one bolt, reads a command back.
import type { BoltPosition } from '../domain/bolt.ts';
import type { CommandId } from '../domain/command.ts';
import type { LockId } from '../domain/lock.ts';
import type { Listing, LockGateway, LockReading, SendGuard, TimedCommandReading } from '../domain/ports.ts';
import { FinalError } from '../support/errors.ts';
import type { Log } from '../support/log.ts';
import { UnknownWords } from '../support/unknown-words.ts';
import { decodeCommand, encodeMove, strangeCommandWords } from '../wire/command-codec.ts';
import { decodeDeviceList } from '../wire/device-codec.ts';
import { type CommandStyle, type DeviceEndpoints, deviceEndpoints } from '../wire/endpoints.ts';
import { understood } from './answer-errors.ts';
import { pendingByLocation, throwIfBusy } from './command-answer.ts';
import type { DeviceInterface } from './device-interface.ts';

export interface LockClientSettings {
  readonly productSegment: string;
  readonly commandStyle: CommandStyle;
  readonly log: Log;
}

export class LockClient implements LockGateway {
  readonly #service: Pick<DeviceInterface, 'read' | 'send'>;
  readonly #endpoints: DeviceEndpoints;
  readonly #style: CommandStyle;
  readonly #unknownWords: UnknownWords;

  constructor(
    service: Pick<DeviceInterface, 'read' | 'send'>,
    { productSegment, commandStyle, log }: LockClientSettings,
  ) {
    this.#service = service;
    this.#endpoints = deviceEndpoints(productSegment);
    this.#style = commandStyle;
    this.#unknownWords = new UnknownWords(
      log,
      'The service uses a word that is not known here, taken as unknown',
    );
  }

  async list(): Promise<Listing> {
    const { body, askedAt } = await this.#service.read(this.#endpoints.devices, 'list').catch(unknownAddress);
    const listing = understood(decodeDeviceList(body), 'no list of devices');
    this.#unknownWords.name(listing.strangeWords);
    return { locks: notOfTheFuture(listing.locks, askedAt), askedAt, complete: listing.complete };
  }

  async command(lockId: LockId, target: BoltPosition, leave: SendGuard): Promise<TimedCommandReading> {
    const request = encodeMove(this.#endpoints, this.#style, lockId, target);
    const reply = await this.#service.send(request, leave);
    const reading = decodeCommand(reply.body, null);
    this.#unknownWords.name(strangeCommandWords(reply.body));
    if (reading === null) {
      return { reading: pendingByLocation(reply.headers), askedAt: reply.askedAt };
    }
    throwIfBusy(reading);
    return { reading, askedAt: reply.askedAt };
  }

  async outcome(lockId: LockId, commandId: CommandId): Promise<TimedCommandReading> {
    const { body, askedAt } = await this.#service.read(this.#endpoints.command(lockId, commandId), 'outcome');
    const reading = decodeCommand(body, commandId);
    this.#unknownWords.name(strangeCommandWords(body));
    return { reading: understood(reading, 'not the command that was asked for'), askedAt };
  }
}

/** No lock was asked for, so it is the address that is not known. */
function unknownAddress(error: unknown): never {
  throw error instanceof FinalError && error.code === 'not-found'
    ? new FinalError(
        error.code,
        'The service knows no locks at this address (HTTP 404); check partner.baseUrl and partner.productSegment in config.json.',
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
