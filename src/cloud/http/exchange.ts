// One request and its answer: the whole answer, or how far the exchange got before it failed.
import type { Dispatcher } from 'undici';
import type { CancelTimer, Clock } from '../../support/clock.ts';
import { HEADERS, type Headers } from '../../wire/endpoints.ts';
import { certificateFaultOf } from './certificate-faults.ts';
import { unpacked } from './content-coding.ts';
import type { ServiceTime } from './service-time.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the base address, beginning with a slash. */
  readonly path: string;
  readonly headers: Headers;
  readonly body?: string;
  /** Gives up after this long, connecting included; the default is `ANSWER_WITHIN_MS`. */
  readonly deadlineMs?: number;
  /** The request is sent within this time or not at all; the default is the deadline. */
  readonly startWithinMs?: number;
  /** Called right before the first byte is sent: when it throws, nothing is sent, and the error is the cause. */
  readonly beforeLeaving?: () => void;
  /** Awaited while the connection opens: when it rejects, nothing is sent, and the error is the cause. */
  readonly notBefore?: Promise<unknown>;
  /**
   * True for requests that must not be repeated: they use a connection that carried nothing before, which the service
   * cannot just have closed for being idle (faults#78). It costs one or two round trips unless one was opened ahead.
   */
  readonly ownConnection?: boolean;
  /** True for content after which nothing more is needed: the answer is taken then, though its end never comes (faults#180). */
  readonly isWhole?: (text: string) => boolean;
}

/** A whole answer. Instants are monotonic, in milliseconds. */
export interface HttpAnswer {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly sentAt: number;
}

/**
 * `unreachable`: no connection; `distrusted`: the certificate of the other side is not valid; `invalid`: the request
 * cannot be written as HTTP; `timed-out`, `lost`, `oversized`: no whole answer arrived; `closed`: this process ends;
 * `cancelledBeforeSend`: the check before the first byte threw, and its error is the cause.
 */
export type FailureCause =
  | 'unreachable'
  | 'distrusted'
  | 'invalid'
  | 'timed-out'
  | 'lost'
  | 'oversized'
  | 'closed'
  | 'cancelledBeforeSend';

/** There is no whole answer. With `written` false no byte of the request was sent, so it certainly did not happen. */
export interface HttpFailure {
  readonly kind: 'failure';
  readonly why: FailureCause;
  readonly written: boolean;
  readonly cause: unknown;
}

export type HttpOutcome = HttpAnswer | HttpFailure;

/** The slowest answer that we plan for takes 30 s (faults#31), and a command is given up after 35 s. */
const ANSWER_WITHIN_MS = 32_000;

/** Whether an answer is whole is judged for this many of its pieces (our choice): small answers come in one or two. */
const MOST_CHUNKS_JUDGED = 64;

/** No answer of the service comes near it: 1,000 locks take 0.5 MB (faults#74). Applies to bytes on the wire and unpacked. */
export const LARGEST_ANSWER_BYTES = 5 * 1024 * 1024;

export class Exchange implements Dispatcher.DispatchHandler {
  readonly outcome: Promise<HttpOutcome>;
  readonly #resolve: (outcome: HttpOutcome) => void;
  readonly #clock: Clock;
  readonly #serviceTime: Pick<ServiceTime, 'observe'> | undefined;
  readonly #beforeLeaving: (() => void) | undefined;
  readonly #isWhole: HttpRequest['isWhole'];
  /** When the request has to be sent, and when it has to be over, in monotonic milliseconds. */
  readonly #leavesUntil: number;
  readonly #endsBy: number;
  #cancelTimer: CancelTimer;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | null = null;
  #sentAt: number | null = null;
  #head: Omit<HttpAnswer, 'text'> | null = null;
  #over = false;

  /** `serviceTime` learns from the answer as soon as its head has arrived. */
  constructor(clock: Clock, request: HttpRequest, serviceTime?: Pick<ServiceTime, 'observe'>) {
    const { deadlineMs = ANSWER_WITHIN_MS, startWithinMs = deadlineMs } = request;
    const { promise, resolve } = Promise.withResolvers<HttpOutcome>();
    this.outcome = promise;
    this.#resolve = resolve;
    this.#clock = clock;
    this.#serviceTime = serviceTime;
    this.#beforeLeaving = request.beforeLeaving;
    this.#isWhole = request.isWhole;
    this.#endsBy = clock.monotonic() + deadlineMs;
    this.#leavesUntil = Math.min(clock.monotonic() + startWithinMs, this.#endsBy);
    this.#cancelTimer = this.#abandonAt(this.#leavesUntil);
  }

  /** Ends the exchange now. When nothing was written yet, nothing will be. */
  abandon(why: FailureCause, cause?: unknown): void {
    this.#fail(why, cause);
    this.#controller?.abort(new Error('The exchange was abandoned'));
  }

  /** undici calls this before the first byte is written, once the connection is open. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // After a pause of the whole process, the connection is reported before the timer that should have ended it.
    if (this.#over || this.#clock.monotonic() >= this.#leavesUntil) {
      this.abandon('timed-out');
      return;
    }
    try {
      this.#beforeLeaving?.();
    } catch (error) {
      this.abandon('cancelledBeforeSend', error);
      return;
    }
    this.#sentAt = this.#clock.monotonic();
    this.#cancelTimer();
    this.#cancelTimer = this.#abandonAt(this.#endsBy);
  }

  #abandonAt(at: number): CancelTimer {
    return this.#clock.after(at - this.#clock.monotonic(), () => this.abandon('timed-out'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // Heads of the 100s precede the real one.
    if (this.#over || this.#sentAt === null || status < 200) {
      return;
    }
    this.#head = { kind: 'answer', status, headers: flatten(headers), sentAt: this.#sentAt };
    this.#serviceTime?.observe(this.#head.headers[HEADERS.date], this.#sentAt, this.#clock.monotonic());
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#takeEarly();
  }

  onResponseEnd(): void {
    const content = this.#content();
    if (this.#head === null) {
      this.#fail('lost');
    } else if (content === null) {
      this.#fail('oversized');
    } else {
      this.#end({ ...this.#head, text: content });
    }
  }

  /** What has arrived so far; null where it is too large. */
  #content(): string | null {
    const coding = this.#head?.headers['content-encoding'];
    return unpacked(Buffer.concat(this.#chunks), coding, LARGEST_ANSWER_BYTES)?.toString('utf8') ?? null;
  }

  #takeEarly(): void {
    if (this.#isWhole === undefined || this.#head === null || this.#chunks.length > MOST_CHUNKS_JUDGED) {
      return;
    }
    const text = this.#content() ?? '';
    if (this.#isWhole(text)) {
      this.#end({ ...this.#head, text });
    }
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(causeOf(error, this.#sentAt !== null), withoutBytes(error));
  }

  #fail(why: FailureCause, cause?: unknown): void {
    this.#end({ kind: 'failure', why, written: this.#sentAt !== null, cause });
  }

  /** The first outcome counts. */
  #end(outcome: HttpOutcome): void {
    this.#over = true;
    this.#cancelTimer();
    this.#resolve(outcome);
  }
}

/** undici writes the names in lower case. */
function flatten(headers: Record<string, string | string[] | undefined>): Headers {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    flat[name] = [value].flat().join(', ');
  }
  return flat;
}

/** The parser's error carries what it could not read, and the service may have repeated a code there (faults#68). */
function withoutBytes(error: Error): Error {
  if ('data' in error) {
    error.data = undefined;
  }
  return error;
}

function causeOf(error: Error, wasSent: boolean): FailureCause {
  const code = 'code' in error ? String(error.code) : '';
  if (wasSent) {
    return code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE' ? 'oversized' : 'lost';
  }
  if (code === 'UND_ERR_INVALID_ARG') {
    return 'invalid';
  }
  return certificateFaultOf(error) === null ? 'unreachable' : 'distrusted';
}

/** The JSON of a body; undefined when it has none. A reader may ignore a byte order mark (RFC 8259, 8.1). */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // The decoder of the body reports the mismatch.
    return undefined;
  }
}
