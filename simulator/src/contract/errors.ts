// The 39 error numbers with their words and status codes, and every fixed error body of the device interface
// (specification, Device command error codes; wire contract 0 and 3).

/** One row of the table: the words, and the `statusCode` a failed command carries (wire contract 3). */
interface ErrorRow {
  readonly words: string;
  readonly statusCode: 400 | 404 | 409 | 500 | 502 | 504;
}

const row = <Status extends ErrorRow['statusCode']>(statusCode: Status, words: string) => ({
  statusCode,
  words,
});

/** All 39 numbers. */
export const ERRORS = {
  0: row(500, 'Operation completed successfully'),
  1: row(500, 'General failure during the operation'),
  2: row(409, 'Access code already exists'),
  3: row(400, 'PIN code is out of the acceptable range'),
  4: row(409, 'An access code with this name already exists'),
  5: row(500, 'Failed to add the access code to the device'),
  6: row(500, 'Failed to delete the access code from the device'),
  7: row(502, 'Network error occurred while updating storage'),
  8: row(504, 'No response received while updating storage'),
  9: row(502, 'Update storage operation was denied'),
  10: row(502, 'Network error occurred while deleting storage'),
  11: row(504, 'No response received while deleting storage'),
  12: row(502, 'Delete storage operation was denied'),
  13: row(504, 'Lost connection while waiting for a response'),
  14: row(500, 'JSON assembler error occurred'),
  15: row(500, 'JSON parser error occurred'),
  16: row(400, 'Access code ID not provided'),
  17: row(400, 'PIN not provided'),
  18: row(400, 'Access code name not provided'),
  19: row(400, 'Schedule not provided'),
  20: row(400, 'Parameters provided are not valid'),
  21: row(400, 'User-disabled status not provided'),
  22: row(400, 'Activation seconds not provided'),
  23: row(400, 'Expiration seconds not provided'),
  24: row(400, 'Parameters provided are not valid'),
  25: row(400, 'Command type is not valid'),
  26: row(404, 'User not found in the device'),
  27: row(409, 'Duplicate access code ID found in the device'),
  28: row(400, 'Access code name is too long'),
  29: row(400, 'Access code length not provided'),
  30: row(400, 'Access code length is out of range'),
  31: row(404, 'Access code ID is not valid'),
  32: row(409, 'Bolt is jammed'),
  33: row(500, 'Schedule Locking error'),
  34: row(400, 'Schedule parameters are not valid'),
  35: row(400, 'Maximum schedule is not valid'),
  36: row(409, 'Cannot process multiple device commands simultaneously'),
  37: row(409, 'A subset of the access code is already in use'),
  38: row(409, 'A superset of the access code is already in use'),
} as const satisfies Readonly<Record<number, ErrorRow>>;

/** One of the 39 numbers. */
export type ErrorCode = keyof typeof ERRORS;

/** The 39 numbers in order. */
export const ERROR_CODES: readonly ErrorCode[] = Object.keys(ERRORS)
  .map(Number)
  .filter((code) => isErrorCode(code));

/** Whether a number is one of the 39. */
export function isErrorCode(code: number): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}

/** The error object inside a failed command. */
export interface CommandErrorRecord {
  readonly statusCode: number;
  readonly errorCode: ErrorCode;
  readonly errorMessage: string;
}

/** The error object of a command that failed with `code`. */
export function commandError(code: ErrorCode): CommandErrorRecord {
  return { statusCode: ERRORS[code].statusCode, errorCode: code, errorMessage: ERRORS[code].words };
}

/** The service's no to a call: the HTTP status and the two members of the body. */
export interface Refusal {
  readonly status: number;
  readonly errorCode: ErrorCode;
  readonly description: string;
}

/** The body of a refusal, with the specification's capital D. */
export function errorBody({ errorCode, description }: Refusal) {
  return { errorCode, Description: description };
}

/**
 * The refusal of a call for one of the 39 reasons, with the status of that number in an immediate answer: 5 is a clash there,
 * and a fault (500) as a report of the lock (wire contract 3).
 */
export function refuse(code: ErrorCode): Refusal {
  const status = code === 5 ? 409 : ERRORS[code].statusCode;
  return { status, errorCode: code, description: ERRORS[code].words };
}

/** Refusals that are fixed texts of wire contract 0. */
export const REFUSALS = {
  deviceUnknown: { status: 404, errorCode: 1, description: 'Device not found' },
  /** A command the service never had or has forgotten. The contract gives it the device's own body. */
  commandUnknown: { status: 404, errorCode: 1, description: 'Device not found' },
  accessCodeUnknown: refuse(31),
  roleForbids: { status: 403, errorCode: 1, description: 'Not permitted for this role' },
  codeReadOnly: { status: 403, errorCode: 1, description: 'Not permitted for this role' },
  notJson: { status: 400, errorCode: 15, description: ERRORS[15].words },
} as const satisfies Readonly<Record<string, Refusal>>;

/** Bodies of the gateway before the device interface proper (wire contract 0); the first three are sent with 401. */
export const GATEWAY_BODIES = {
  keyMissing: { statusCode: 401, message: 'Access denied: subscription key is missing.' },
  keyWrong: { statusCode: 401, message: 'Access denied: subscription key is not valid.' },
  tokenBad: { statusCode: 401, message: 'Access token is missing or not valid.' },
  routeUnknown: { statusCode: 404, message: 'Resource not found' },
} as const;

/** Goes with `tokenBad`. */
export const INVALID_TOKEN_CHALLENGE = 'Bearer error="invalid_token"';
