// The history of a lock over the device interface.
import type { LockHistory } from '../domain/ports.ts';
import { FinalError } from '../support/errors.ts';
import { oneLine } from '../support/log.ts';
import { deviceEndpoints } from '../wire/endpoints.ts';
import {
  decodeHistory,
  HISTORY_FORMS,
  type HistoryForm,
  historyPath,
  historyQuestion,
} from '../wire/history-codec.ts';
import type { DeviceInterface } from './device-interface.ts';
import { isPart, understood } from './http/answer-errors.ts';
import type { LockClientSettings } from './lock-client.ts';

export function historyClient(
  service: Pick<DeviceInterface, 'read'>,
  { productSegment, log }: Omit<LockClientSettings, 'commandStyle'>,
): LockHistory {
  const endpoints = deviceEndpoints(productSegment);
  /** The first form that the service took, for as long as this process lives. */
  let taken: HistoryForm = 'whole';

  return {
    /** A service that refuses the question is asked for less. When it refuses that, too, the first refusal counts. */
    history: async (lockId, question) => {
      let refusal: unknown = null;
      for (const form of HISTORY_FORMS.slice(HISTORY_FORMS.indexOf(taken))) {
        try {
          const { body, headers, askedAt } = await service.read(
            historyPath(endpoints, lockId, question, form),
            'history',
          );
          const { limit, deviceTime } = historyQuestion(question, form);
          const decoded = understood(decodeHistory(body, deviceTime), 'no history');
          const { entries, unread, strangeWords } = decoded;
          taken = form;
          for (const word of strangeWords) {
            log.debug(`The service's history has a word that is not known here: ${oneLine(word)}`);
          }
          // A service that ignores the limit may give years.
          const shown = entries.slice(0, question.limit);
          // Where a part is missing, older ones may exist all the same: fewer than were asked for do not say that these are all.
          return {
            entries: shown,
            limit: isPart(headers) ? shown.length : limit - unread,
            holes: decoded.holes.map(({ from, to }) => ({ from, to: Math.max(to ?? askedAt, from + 1) })),
          };
        } catch (error) {
          if (!isRefusal(error)) {
            throw error;
          }
          refusal ??= error;
        }
      }
      throw refusal;
    },
  };
}

/** The question itself was not accepted: not an unknown lock, a missing right or a passing fault. */
function isRefusal(error: unknown): boolean {
  return error instanceof FinalError && error.code === 'refused';
}
