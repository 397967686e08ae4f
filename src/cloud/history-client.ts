// The history of a lock over the device interface.
import type { HistoryEntry, HistoryQuestion } from '../domain/history.ts';
import type { LockId } from '../domain/lock.ts';
import type { LockHistory } from '../domain/ports.ts';
import { type Log, oneLine } from '../support/log.ts';
import { type DeviceEndpoints, deviceEndpoints } from '../wire/endpoints.ts';
import { decodeHistory, historyPath } from '../wire/history-codec.ts';
import { understood } from './answer-errors.ts';
import type { DeviceInterface } from './device-interface.ts';

export interface HistoryClientSettings {
  readonly productSegment: string;
  readonly log: Log;
}

export class HistoryClient implements LockHistory {
  readonly #service: Pick<DeviceInterface, 'read'>;
  readonly #endpoints: DeviceEndpoints;
  readonly #log: Log;

  constructor(service: Pick<DeviceInterface, 'read'>, { productSegment, log }: HistoryClientSettings) {
    this.#service = service;
    this.#endpoints = deviceEndpoints(productSegment);
    this.#log = log;
  }

  async history(lockId: LockId, question: HistoryQuestion): Promise<readonly HistoryEntry[]> {
    const { body } = await this.#service.read(historyPath(this.#endpoints, lockId, question), 'history');
    const decoded = understood(decodeHistory(body, question.deviceTime), 'no history');
    for (const word of decoded.strangeWords) {
      this.#log.debug(`The service's history has a word that is not known here: ${oneLine(word)}`);
    }
    return decoded.entries;
  }
}
