// Decodes every form of refusal: the gateway's, the device interface's, and bare sentences (wire contract 0).
import type { RefusalReason } from '../domain/commands/refusal.ts';
import { refusalReason } from './error-codes.ts';
import { integerOf, membersOf } from './lenient.ts';

/** A decoded error body. `sentence` may echo a PIN: it is for recognising known texts, and never reaches a message or a log. */
export interface ServiceError {
  readonly errorCode: number | null;
  /** Null when the body carried no number. */
  readonly reason: RefusalReason | null;
  readonly sentence: string;
}

/** Where a sentence stands; one name is the specification's own misspelling (specification, Command). */
const SENTENCES = ['Description', 'errorMessage', 'errorMesage', 'message', 'error'] as const;

/** Reads the body of a failed answer; anything but a JSON object is ignored. */
export function decodeError(body: unknown): ServiceError {
  const members = membersOf(body);
  const errorCode = integerOf(members['errorCode']);
  const said = SENTENCES.map((name) => members[name]).find((text) => typeof text === 'string' && text !== '');
  return {
    errorCode,
    reason: errorCode === null ? null : refusalReason(errorCode),
    sentence: typeof said === 'string' ? said : '',
  };
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
