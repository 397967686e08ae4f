// Decodes every form of refusal: the gateway's, the device interface's, and bare sentences (wire contract 0).
import { z } from 'zod';
import type { RefusalReason } from '../domain/commands/refusal.ts';
import { refusalReason } from './error-codes.ts';
import { lenientInteger } from './lenient-schema.ts';

/** A decoded error body. `sentence` may echo a PIN: it is for recognising known texts, and never reaches a message or a log. */
export interface ServiceError {
  readonly errorCode: number | null;
  /** Null when the body carried no number. */
  readonly reason: RefusalReason | null;
  readonly sentence: string;
}

const sentence = z.string().catch('');

const bodySchema = z
  .object({
    errorCode: lenientInteger,
    Description: sentence,
    errorMessage: sentence,
    // The specification's own misspelling (specification, Command).
    errorMesage: sentence,
    message: sentence,
    error: sentence,
  })
  .transform(({ errorCode, ...texts }) => ({
    errorCode,
    sentence: Object.values(texts).find((text) => text !== '') ?? '',
  }))
  .catch({ errorCode: null, sentence: '' });

/** Reads the body of a failed answer; anything but a JSON object is ignored. */
export function decodeError(body: unknown): ServiceError {
  const { errorCode, sentence: said } = bodySchema.parse(body);
  return { errorCode, reason: errorCode === null ? null : refusalReason(errorCode), sentence: said };
}

/** Whether somebody before the service wrote the body: neither a number nor a sentence is where the service has them. */
export function isForeign({ errorCode, sentence: said }: ServiceError): boolean {
  return errorCode === null && said === '';
}

/**
 * Whether a 401 is about the subscription key, not the token: only their sentences differ (wire contract 0). Both names are
 * the service's own (specification, Authentication).
 */
export function isKeyRefusal(error: ServiceError): boolean {
  return /(?:subscription|api)[ -]?key/i.test(error.sentence);
}
