// One request for a calendar and its answer, in memory up to the limit and not beyond.
import type { Dispatcher } from 'undici';
import type { CalendarProblem } from './calendar-problems.ts';
import { LARGEST_CALENDAR_BYTES } from './calendar-text.ts';
import { PRIVATE_ADDRESS_CODE } from './guarded-lookup.ts';

export type CalendarAnswer =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly header: (name: string) => string | undefined;
      /** The body of a success only. Its memory is its own, so that it can be handed to a thread. */
      readonly bytes: Uint8Array<ArrayBuffer>;
    }
  | { readonly kind: 'failed'; readonly problem: CalendarProblem };

const FIRST_BYTES = 64 * 1024;

type Head = Omit<CalendarAnswer & { readonly kind: 'answer' }, 'bytes'>;

export class CalendarExchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<CalendarAnswer>;
  readonly #resolve: (answer: CalendarAnswer) => void;
  #head: Head | null = null;
  /** Chunks are copied at once: millions of tiny chunks would take a hundred times the size of the answer. */
  #bytes = new Uint8Array(FIRST_BYTES);
  #length = 0;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<CalendarAnswer>();
    this.answer = promise;
    this.#resolve = resolve;
  }

  /** The first outcome counts. */
  fail(problem: CalendarProblem): void {
    this.#resolve({ kind: 'failed', problem });
  }

  /** undici requires this handler; the exchange needs nothing from it. */
  onRequestStart(): void {}

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // Heads with a status of 1xx precede the real head.
    if (status < 200) {
      return;
    }
    this.#head = { kind: 'answer', status, header: (name) => [headers[name]].flat()[0] };
    if (status >= 300) {
      // The body of a refusal is not read.
      this.#end();
      controller.abort(new Error('Only the head was wanted'));
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const length = this.#length + chunk.length;
    if (length > LARGEST_CALENDAR_BYTES) {
      this.fail('too-large');
      controller.abort(new Error('The answer is too large'));
      return;
    }
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(
        Math.min(Math.max(length, this.#bytes.length * 2), LARGEST_CALENDAR_BYTES),
      );
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(chunk, this.#length);
    this.#length = length;
  }

  onResponseEnd(): void {
    this.#end();
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.fail(this.#head === null ? problemOf(error) : 'incomplete');
  }

  #end(): void {
    if (this.#head === null) {
      this.fail('unreachable');
    } else {
      this.#resolve({ ...this.#head, bytes: this.#bytes.subarray(0, this.#length) });
    }
  }
}

/** Maps the error names of Node and OpenSSL. The error itself is dropped, because it may hold the address. */
function problemOf(error: Error): CalendarProblem {
  const code = 'code' in error ? String(error.code) : '';
  if (code === PRIVATE_ADDRESS_CODE) {
    return 'address-private';
  }
  if (/^(?:ENOTFOUND|EAI_)/.test(code)) {
    return 'name-unknown';
  }
  return /CERT|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH/.test(code) ? 'bad-certificate' : 'unreachable';
}
