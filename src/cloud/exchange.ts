// One request and its answer: the whole answer, or how far the exchange got before it failed.
import type { Dispatcher } from 'undici';
import type { CancelTimer, Clock } from '../support/clock.ts';
import type { Headers } from '../wire/endpoints.ts';
import { contentOf } from './content-coding.ts';

/** Status and headers. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: Headers;
}

/** A whole answer. Instants are monotonic, in milliseconds. */
export interface HttpAnswer extends AnswerHead {
  readonly kind: 'answer';
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

/** No whole answer. With `written` false no byte of the request was sent, so it certainly did not happen. */
export interface HttpFailure {
  readonly kind: 'failure';
  readonly why: FailureCause;
  readonly written: boolean;
  readonly cause: Error | undefined;
}

export type HttpOutcome = HttpAnswer | HttpFailure;

export interface ExchangeLimits {
  /** For the whole exchange, connecting included. */
  readonly deadlineMs: number;
  /** The request is sent within this time or not at all. */
  readonly startWithinMs: number;
  /** Largest body that is read, in bytes, packed and unpacked. */
  readonly maxBytes: number;
  /** Called when the connection is open, right before the first byte is sent: when it throws, none is. */
  readonly beforeLeaving: () => void;
}

/** Called once per answer, as soon as its head has arrived. */
export type HeadListener = (head: AnswerHead, sentAt: number, receivedAt: number) => void;

export class Exchange implements Dispatcher.DispatchHandler {
  readonly outcome: Promise<HttpOutcome>;
  readonly #clock: Clock;
  readonly #maxBytes: number;
  readonly #leavesUntil: number;
  readonly #beforeLeaving: () => void;
  readonly #onHead: HeadListener;
  readonly #resolve: (outcome: HttpOutcome) => void;
  /** When the exchange has to be over, in monotonic milliseconds. */
  readonly #endsBy: number;
  #cancelTimer: CancelTimer;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | null = null;
  #sentAt: number | null = null;
  #head: AnswerHead | null = null;
  #bytes = 0;
  #over = false;

  constructor(clock: Clock, limits: ExchangeLimits, onHead: HeadListener) {
    this.#clock = clock;
    this.#maxBytes = limits.maxBytes;
    const now = clock.monotonic();
    this.#leavesUntil = now + limits.startWithinMs;
    this.#endsBy = now + limits.deadlineMs;
    this.#beforeLeaving = limits.beforeLeaving;
    this.#onHead = onHead;
    const { promise, resolve } = Promise.withResolvers<HttpOutcome>();
    this.outcome = promise;
    this.#resolve = resolve;
    this.#cancelTimer = clock.after(Math.min(limits.deadlineMs, limits.startWithinMs), () => {
      this.#timeIsUp();
    });
    if (limits.startWithinMs <= 0) {
      this.abandon('timed-out');
    }
  }

  /** True once its outcome is known. */
  get isOver(): boolean {
    return this.#over;
  }

  /** Ends the exchange now. When nothing was written yet, nothing will be. */
  abandon(why: FailureCause, cause?: Error): void {
    this.#fail(why, cause);
    this.#controller?.abort(cause ?? new Error('The exchange was abandoned'));
  }

  /** undici calls this before the first byte is written, once the connection is open. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#checkBeforeSend();
    if (this.#over) {
      controller.abort(new Error('The exchange was abandoned'));
      return;
    }
    this.#sentAt = this.#clock.monotonic();
  }

  /** One timer serves both limits: most exchanges end before the first. */
  #timeIsUp(): void {
    const restMs = this.#sentAt === null ? 0 : this.#endsBy - this.#clock.monotonic();
    if (restMs > 0) {
      this.#cancelTimer = this.#clock.after(restMs, () => {
        this.#timeIsUp();
      });
    } else {
      this.abandon('timed-out');
    }
  }

  #checkBeforeSend(): void {
    if (this.#over) {
      return;
    }
    // After a pause of the whole process, the connection is reported before the timer that should have ended it.
    if (this.#clock.monotonic() >= this.#leavesUntil) {
      this.#fail('timed-out');
      return;
    }
    try {
      this.#beforeLeaving();
    } catch (error) {
      this.#fail(
        'cancelledBeforeSend',
        error instanceof Error ? error : new Error('The call was cancelled before it was sent'),
      );
    }
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // Heads of the 100s precede the real one.
    if (this.#over || status < 200) {
      return;
    }
    this.#head = { status, headers: flatten(headers) };
    if (this.#sentAt !== null) {
      this.#onHead(this.#head, this.#sentAt, this.#clock.monotonic());
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#maxBytes) {
      this.abandon('oversized');
      return;
    }
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#head === null || this.#sentAt === null) {
      this.#fail('lost');
      return;
    }
    const coding = this.#head.headers['content-encoding'];
    const content = contentOf(Buffer.concat(this.#chunks), coding, this.#maxBytes);
    if (content === null) {
      this.#fail('oversized');
      return;
    }
    this.#end({ kind: 'answer', ...this.#head, text: content.toString('utf8'), sentAt: this.#sentAt });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(this.#sentAt === null ? causeBeforeSending(error) : 'lost', withoutBytes(error));
  }

  #fail(why: FailureCause, cause?: Error): void {
    this.#end({ kind: 'failure', why, written: this.#sentAt !== null, cause });
  }

  #end(outcome: HttpOutcome): void {
    this.#over = true;
    this.#cancelTimer();
    this.#resolve(outcome);
  }
}

function flatten(headers: Record<string, string | string[] | undefined>): Headers {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) {
      flat[name.toLowerCase()] = typeof value === 'string' ? value : value.join(', ');
    }
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

function causeBeforeSending(error: Error): FailureCause {
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'UND_ERR_INVALID_ARG') {
    return 'invalid';
  }
  // OpenSSL's names for a certificate that proves nothing (Node, tls: X509 certificate error codes).
  return /CERT|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH/.test(code) ? 'distrusted' : 'unreachable';
}

/** The JSON of a body, or undefined when it is none. A reader may ignore a byte order mark (RFC 8259, 8.1). */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // The decoder of the body reports the mismatch.
    return undefined;
  }
}
