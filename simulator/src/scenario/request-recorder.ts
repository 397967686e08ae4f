// Logs every request that can change an answer, including those that faults swallow.
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../../src/support/clock.ts';
import { SUBSCRIPTION_PATHS } from '../contract/names.ts';
import type { RequestLog } from './request-log.ts';

interface OpenEntry {
  readonly sequence: number;
  /** On the monotonic axis. */
  readonly arrivedAt: number;
  readonly chunks: Buffer[];
}

type Done = (error: null, payload: unknown) => void;

/**
 * Hooks for the root scope: `onRequest` and `preParsing` before all others, `onSend` after them. Bodies are taken as
 * they pass by, since invalid or unread bodies must be recorded too.
 */
export class RequestRecorder {
  readonly #log: RequestLog;
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly #isRecorded: (request: FastifyRequest) => boolean;
  readonly #open = new WeakMap<FastifyRequest, OpenEntry>();

  /**
   * The clock's wall is the simulator's, its monotonic axis the machine's: a step by hand makes no answer slow.
   * `isRecorded` leaves out reads (pages, control reads).
   */
  constructor(
    log: RequestLog,
    clock: Pick<Clock, 'now' | 'monotonic'>,
    isRecorded: (request: FastifyRequest) => boolean,
  ) {
    this.#log = log;
    this.#clock = clock;
    this.#isRecorded = isRecorded;
  }

  readonly onRequest = (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    if (this.#isRecorded(request)) {
      const { method, url, headers } = request;
      this.#open.set(request, {
        sequence: this.#log.open({ at: this.#clock.now(), method, url, headers }),
        arrivedAt: this.#clock.monotonic(),
        chunks: [],
      });
      // A connection cut by a fault never sends: a request still open then was not answered.
      reply.raw.once('close', () => this.#close(request, null, null));
    }
    done();
  };

  readonly preParsing = (
    request: FastifyRequest,
    _reply: FastifyReply,
    payload: Readable,
    done: (error: null, payload: Readable) => void,
  ): void => {
    const entry = request.method === 'GET' ? undefined : this.#open.get(request);
    if (entry !== undefined) {
      payload.on('data', (chunk: Buffer) => entry.chunks.push(chunk));
    }
    done(null, payload);
  };

  readonly onSend = (request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done): void => {
    const wasCut = request.raw.socket.destroyed;
    const answer =
      typeof payload === 'string' && payload !== '' && isRepeatable(request.url) ? payload : null;
    this.#close(request, wasCut ? null : reply.statusCode, wasCut ? null : answer);
    done(null, payload);
  };

  #close(request: FastifyRequest, status: number | null, answer: string | null): void {
    const entry = this.#open.get(request);
    if (entry !== undefined) {
      this.#open.delete(request);
      const body = entry.chunks.length === 0 ? null : Buffer.concat(entry.chunks).toString('utf8');
      const tookMs = this.#clock.monotonic() - entry.arrivedAt;
      this.#log.close(entry.sequence, { body, status, answer }, tookMs);
    }
  }
}

/** The signing key is the one thing here that no seed settles: it stays out of a log that is the same on every run. */
function isRepeatable(url: string): boolean {
  return !url.endsWith(SUBSCRIPTION_PATHS.publicKey);
}
