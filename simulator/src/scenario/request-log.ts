// The recorded log: every request with its answer, as lines that can be stored, compared and replayed.
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';

/**
 * One request. Secrets stand in it as they were sent, for a replay needs them: it is handed out on request only and
 * never printed. All of them are secrets of a simulation.
 */
export const recordedRequestSchema = z.object({
  /** Counts from 1 in order of arrival. */
  sequence: z.int(),
  /** Arrival in the simulator's time, ISO 8601 in UTC. */
  at: z.iso.datetime(),
  method: z.string(),
  /** Path and query as sent. */
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string().nullable(),
  /** Null: not answered (yet), or cut off. */
  status: z.int().nullable(),
  /** The answer's text up to `LONGEST_RECORDED_BODY`; null when there was none. */
  answer: z.string().nullable(),
});
export type RecordedRequest = Readonly<z.infer<typeof recordedRequestSchema>>;

/** Characters of a body that are kept: enough for every single object, and a bound for a list of a thousand locks. */
const LONGEST_RECORDED_BODY = 8192;

/** How many requests are kept; the oldest go first. At the longest bodies that is a bound of some 20 MB. */
const LOG_CAPACITY = 2000;

/** Headers that are left out: values that differ from run to run (ports, agents, connections) and change no answer. */
const RECORDED_HEADERS = [
  'accept',
  'authorization',
  'content-type',
  'if-modified-since',
  'if-none-match',
  'vendor-subscription-key',
] as const;

/** `tookMs` is no part of the log, for it differs from run to run. */
type Listener = (request: RecordedRequest, tookMs: number) => void;

export class RequestLog {
  readonly #requests = new Map<number, RecordedRequest>();
  readonly #listeners = new Set<Listener>();
  #sequence = 0;

  /** Opens an entry at arrival and returns its number. */
  open(request: {
    readonly at: number;
    readonly method: string;
    readonly url: string;
    readonly headers: IncomingHttpHeaders;
  }): number {
    this.#sequence += 1;
    this.#requests.set(this.#sequence, {
      sequence: this.#sequence,
      at: new Date(request.at).toISOString(),
      method: request.method,
      url: request.url,
      headers: recordedHeaders(request.headers),
      body: null,
      status: null,
      answer: null,
    });
    if (this.#requests.size > LOG_CAPACITY) {
      const oldest = this.#requests.keys().next();
      if (oldest.done !== true) {
        this.#requests.delete(oldest.value);
      }
    }
    return this.#sequence;
  }

  /** Completes an entry once its request is answered, and notifies the listeners. */
  close(
    sequence: number,
    outcome: Pick<RecordedRequest, 'body' | 'status' | 'answer'>,
    tookMs: number,
  ): void {
    const opened = this.#requests.get(sequence);
    if (opened === undefined) {
      return;
    }
    const request = { ...opened, ...outcome, answer: clip(outcome.answer) };
    this.#requests.set(sequence, request);
    for (const listener of this.#listeners) {
      listener(request, tookMs);
    }
  }

  /** Oldest first. */
  entries(): readonly RecordedRequest[] {
    return [...this.#requests.values()];
  }

  /** Calls back with each request once it is answered, until the returned function is called. */
  onRequest(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

function recordedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const recorded: Record<string, string> = {};
  for (const name of RECORDED_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string') {
      recorded[name] = value;
    }
  }
  return recorded;
}

function clip(text: string | null): string | null {
  return text !== null && text.length > LONGEST_RECORDED_BODY ? text.slice(0, LONGEST_RECORDED_BODY) : text;
}
