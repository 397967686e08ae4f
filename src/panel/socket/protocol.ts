// Encodes the messages of the local socket: one JSON message per line; errors keep their class.
//
// call:   {"id": 1, "operation": "name", "input": ...}
// answer: {"id": 1, "result": ...} or {"id": 1, "error": {"disposition", "code", "message", "words"?, "waitMs"?, "reason"?}}
// event:  {"event": ...}, to every caller. An error without an id (null) ends the conversation.
//
// An owner that ends says so: {"event": {"type": "closing", "next": "expected"}}. A caller confirms it by the call `HEARD`,
// its last one. A call that arrives in between is not begun: {"id": 1, "error": ..., "notBegun": true}.
import { isMessage, type Message } from '../../domain/language/message.ts';
import {
  FinalError,
  type LatchkeyError,
  RelinkError,
  RetryError,
  UncertainError,
  WaitError,
} from '../../support/errors.ts';
import { isObject, jsonIn } from '../../support/text/foreign-json.ts';
import { errorViewOf } from '../views/error.ts';
import { NotBegunError } from './not-begun.ts';

/** Longest call, in bytes: settings and links are far smaller (our choice). */
export const LONGEST_CALL_BYTES = 256 * 1024;

/** Longest answer or event, in bytes: years of a lock's history (our choice). */
export const LONGEST_ANSWER_BYTES = 8 * 1024 * 1024;

/** Whether another process is about to own the account, when its owner ends. */
export type NextOwner = 'expected' | 'none';

const CLOSING = 'closing';

/** A caller's last word. */
export const HEARD = 'heard';

export interface CallMessage {
  readonly id: number;
  readonly operation: string;
  readonly input: unknown;
}

export type OwnerMessage =
  | { readonly kind: 'result'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'error'; readonly id: number | null; readonly error: LatchkeyError }
  | { readonly kind: 'event'; readonly event: unknown }
  | { readonly kind: 'closing'; readonly next: NextOwner };

/** Cuts a stream of bytes into lines. A line that is too long throws, before it is kept. */
export class LineSplitter {
  readonly #longestBytes: number;
  #pending: Buffer[] = [];
  #pendingBytes = 0;

  constructor(longestBytes: number) {
    this.#longestBytes = longestBytes;
  }

  /** The lines that `chunk` completes, one by one. */
  *split(chunk: Buffer): Generator<string> {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      this.#add(chunk.subarray(start, end));
      start = end + 1;
      const line = Buffer.concat(this.#pending).toString('utf8');
      this.#pending = [];
      this.#pendingBytes = 0;
      yield line;
    }
    this.#add(chunk.subarray(start));
  }

  #add(part: Buffer): void {
    this.#pendingBytes += part.length;
    if (this.#pendingBytes > this.#longestBytes) {
      throw new FinalError('bad-request', `A message is longer than ${this.#longestBytes} bytes.`);
    }
    if (part.length > 0) {
      this.#pending.push(part);
    }
  }
}

export function callLine(call: CallMessage): string {
  return lineOf(call, LONGEST_CALL_BYTES);
}

export function resultLine(id: number, result: unknown): string {
  return lineOf({ id, result }, LONGEST_ANSWER_BYTES);
}

export function errorLine(id: number | null, error: LatchkeyError): string {
  const notBegun = error instanceof NotBegunError ? { notBegun: true } : {};
  return lineOf({ id, error: errorViewOf(error), ...notBegun }, LONGEST_ANSWER_BYTES);
}

export function closingLine(next: NextOwner): string {
  return eventLine({ type: CLOSING, next });
}

export function eventLine(event: unknown): string {
  return lineOf({ event }, LONGEST_ANSWER_BYTES);
}

function lineOf(message: object, longestBytes: number): string {
  const line = `${JSON.stringify(message)}\n`;
  if (Buffer.byteLength(line) > longestBytes) {
    throw new FinalError('bad-request', `A message is longer than ${longestBytes} bytes.`);
  }
  return line;
}

/** Throws `bad-request` when the line is not a call. */
export function readCall(line: string): CallMessage {
  const message = objectOf(line);
  const id = message?.['id'];
  const operation = message?.['operation'];
  if (!Number.isSafeInteger(id) || typeof id !== 'number' || typeof operation !== 'string') {
    throw new FinalError('bad-request', 'A call is one line of JSON: {"id", "operation", "input"}.');
  }
  return { id, operation, input: message?.['input'] };
}

/** Throws `wire-mismatch` for a line that an owner of this version does not send. */
export function readOwnerMessage(line: string): OwnerMessage {
  const message = objectOf(line);
  if (message !== null && 'event' in message) {
    const { event } = message;
    return isObject(event) && event['type'] === CLOSING
      ? { kind: 'closing', next: event['next'] === 'none' ? 'none' : 'expected' }
      : { kind: 'event', event };
  }
  const id = message?.['id'];
  if (message !== null && 'error' in message && (typeof id === 'number' || id === null)) {
    const error = message['notBegun'] === true ? new NotBegunError() : readError(message['error']);
    return { kind: 'error', id, error };
  }
  if (typeof id === 'number') {
    return { kind: 'result', id, result: message?.['result'] };
  }
  throw new FinalError('wire-mismatch', 'The owner of the account said something that is not an answer.');
}

/** The codes of each kind of error; the compiler sees that none is missing. */
const RETRY: Readonly<Record<RetryError['code'], true>> = {
  unreachable: true,
  'timed-out': true,
  'server-fault': true,
  'storage-failed': true,
  aborted: true,
};
const WAIT: Readonly<Record<WaitError['code'], true>> = {
  'rate-limited': true,
  overloaded: true,
  'lock-busy': true,
  'lock-offline': true,
};
const RELINK: Readonly<Record<RelinkError['code'], true>> = {
  unlinked: true,
  revoked: true,
  expired: true,
  'signed-out': true,
  'used-elsewhere': true,
  moved: true,
};
const FINAL: Readonly<Record<FinalError['code'], true>> = {
  refused: true,
  'not-permitted': true,
  'not-found': true,
  'wire-mismatch': true,
  'bad-configuration': true,
  'bad-request': true,
  'changed-meanwhile': true,
  'not-owner': true,
};

/** An error of another version, which this one does not know, is taken as final. */
function readError(value: unknown): LatchkeyError {
  const { disposition, code, waitMs, reason, ...said } = isObject(value) ? value : {};
  const words = wordsIn(said);
  if (disposition === 'uncertain') {
    return new UncertainError(words);
  }
  if (disposition === 'retry' && isOneOf(RETRY, code)) {
    return new RetryError(code, words);
  }
  if (disposition === 'wait' && isOneOf(WAIT, code)) {
    return new WaitError(code, words, typeof waitMs === 'number' ? waitMs : null);
  }
  if (disposition === 'relink' && isOneOf(RELINK, code)) {
    return new RelinkError(code, words);
  }
  if (disposition === 'final' && isOneOf(FINAL, code)) {
    return new FinalError(code, words, typeof reason === 'string' ? { reason } : {});
  }
  return new FinalError('wire-mismatch', words);
}

function wordsIn({ words, message }: Readonly<Record<string, unknown>>): string | Message {
  if (isMessage(words)) {
    return words;
  }
  return typeof message === 'string' ? message : 'The owner of the account gave no reason.';
}

function isOneOf<T extends string>(codes: Readonly<Record<T, true>>, code: unknown): code is T {
  return typeof code === 'string' && Object.hasOwn(codes, code);
}

function objectOf(line: string): Readonly<Record<string, unknown>> | null {
  const value = jsonIn(line);
  return isObject(value) ? value : null;
}
