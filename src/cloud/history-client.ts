// The history of a lock over the device interface.
import type { HistoryQuestion } from '../domain/history.ts';
import type { LockId } from '../domain/lock.ts';
import type { HistoryList, LockHistory } from '../domain/ports.ts';
import { FinalError } from '../support/errors.ts';
import { type Log, oneLine } from '../support/log.ts';
import { type DeviceEndpoints, deviceEndpoints } from '../wire/endpoints.ts';
import {
  decodeHistory,
  HISTORY_FORMS,
  type HistoryForm,
  historyPath,
  historyQuestion,
} from '../wire/history-codec.ts';
import { understood } from './answer-errors.ts';
import type { DeviceInterface } from './device-interface.ts';
import type { LockClientSettings } from './lock-client.ts';

export class HistoryClient implements LockHistory {
  readonly #service: Pick<DeviceInterface, 'read'>;
  readonly #endpoints: DeviceEndpoints;
  readonly #log: Log;
  /** The first form that the service took, for as long as this process lives. */
  #form: HistoryForm = 'whole';

  constructor(
    service: Pick<DeviceInterface, 'read'>,
    { productSegment, log }: Omit<LockClientSettings, 'commandStyle'>,
  ) {
    this.#service = service;
    this.#endpoints = deviceEndpoints(productSegment);
    this.#log = log;
  }

  /** A service that refuses the question is asked for less. When it refuses that, too, the first refusal counts. */
  async history(lockId: LockId, question: HistoryQuestion): Promise<HistoryList> {
    let refusal: unknown = null;
    for (const form of HISTORY_FORMS.slice(HISTORY_FORMS.indexOf(this.#form))) {
      try {
        const list = await this.#ask(lockId, question, form);
        this.#form = form;
        return list;
      } catch (error) {
        if (!isRefusal(error)) {
          throw error;
        }
        refusal ??= error;
      }
    }
    throw refusal;
  }

  async #ask(lockId: LockId, question: HistoryQuestion, form: HistoryForm): Promise<HistoryList> {
    const path = historyPath(this.#endpoints, lockId, question, form);
    const { body } = await this.#service.read(path, 'history');
    const { limit, deviceTime } = historyQuestion(question, form);
    const decoded = understood(decodeHistory(body, deviceTime), 'no history');
    for (const word of decoded.strangeWords) {
      this.#log.debug(`The service's history has a word that is not known here: ${oneLine(word)}`);
    }
    // A service that ignores the limit may give years.
    return { entries: decoded.entries.slice(0, question.limit), limit };
  }
}

/** The question itself was not accepted: not an unknown lock, a missing right or a passing fault. */
function isRefusal(error: unknown): boolean {
  return error instanceof FinalError && error.code === 'refused';
}
