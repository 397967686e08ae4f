// Makes armed faults strike: hooks around every partner-facing route.
// Usage: call `installFaults` on the root scope before any partner-facing scope is
// registered, after the request recorder (so that swallowed requests are recorded too) and after the hook that sets `Date`.
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../../src/support/clock.ts';
import { HEADERS } from '../contract/names.ts';
import { createRandom, type RandomSource } from '../world/random.ts';
import { inOldForms, shiftInstant, shiftInstants, truncate, withOtherLockState } from './answer-rewriting.ts';
import type { Fault, FaultOf } from './fault.ts';
import { type AnsweringFault, type FaultAnswer, faultAnswer, type Interface } from './fault-answers.ts';
import type { FaultBoard } from './fault-board.ts';
import { IdleCloser } from './idle-closer.ts';
import { pause } from './pause.ts';

export interface FaultHookOptions {
  readonly board: FaultBoard;
  /** The simulator's clock. */
  readonly clock: Clock;
  /** The seed of the moments at which idle connections are closed. */
  readonly seed: string;
  /** The interface of a path; null where no fault applies (control, pages). */
  readonly interfaceOf: (path: string) => Interface | null;
}

interface StruckCall {
  readonly called: Interface;
  readonly faults: readonly Fault[];
}

/** Adds the hooks to a scope and all that is registered in it later. */
export function installFaults(app: FastifyInstance, options: FaultHookOptions): void {
  const hooks = new FaultHooks(options);
  app.addHook('onRequest', async (request, reply) => hooks.onRequest(request, reply));
  app.addHook('onSend', async (request, reply, payload) => hooks.onSend(request, reply, payload));
  app.addHook('onResponse', async (request) => hooks.onResponse(request));
  app.addHook('preClose', async () => hooks.letGo());
}

class FaultHooks {
  readonly #options: FaultHookOptions;
  readonly #idleCloser: IdleCloser;
  readonly #fixedRandom: RandomSource;
  readonly #struck = new WeakMap<FastifyRequest, StruckCall>();
  readonly #closing = new AbortController();

  constructor(options: FaultHookOptions) {
    this.#options = options;
    this.#idleCloser = new IdleCloser(options.clock);
    this.#fixedRandom = createRandom(`${options.seed}/close-idle`);
  }

  /** First of all: which faults strike, and those that keep the work from being done. */
  async onRequest(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    this.#watchConnection(request, reply);
    const path = request.url.split('?', 1)[0] ?? '';
    const called = this.#options.interfaceOf(path);
    const faults = called === null ? [] : this.#options.board.strikeCall(request.method, path);
    if (called === null || faults.length === 0) {
      return undefined;
    }
    this.#struck.set(request, { called, faults });
    await this.#waitFor(faults, 'before-work');
    if (faults.some((fault) => fault.kind === 'cut' && fault.when === 'before-work')) {
      return cutOffUnread(request, reply);
    }
    const instead = faults.find((fault) => answersInstead(fault, 'before-work'));
    return instead === undefined
      ? undefined
      : reply.send(replace(reply, faultAnswer(instead, called, this.#options.clock.now())));
  }

  /** The answer is ready: late, lost, replaced, rewritten or cut. */
  async onSend(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
    const { called, faults } = this.#struck.get(request) ?? { called: null, faults: [] };
    if (called === null) {
      return payload;
    }
    await this.#waitFor(faults, 'after-work');
    const instead = faults.find((fault) => answersInstead(fault, 'after-work'));
    const answer =
      instead === undefined
        ? rewrite(payload, faults)
        : replace(reply, faultAnswer(instead, called, this.#options.clock.now()));
    for (const fault of faults) {
      if (fault.kind === 'clock-skew') {
        shiftHeaders(reply, fault.offsetMs, this.#options.clock.now());
      } else if (fault.kind === 'date-header') {
        misdate(reply, fault.offsetMs, this.#options.clock.now());
      }
    }
    const cut = faults.find((fault) => fault.kind === 'cut');
    return cut === undefined ? answer : cutOffAnswered(request, reply, answer, cut);
  }

  /** Decides about the connection once the answer is out. */
  onResponse(request: FastifyRequest): void {
    for (const fault of this.#struck.get(request)?.faults ?? []) {
      if (fault.kind === 'close-idle') {
        this.#idleCloser.closeAfter(request.raw.socket, this.#fixedRandom.integer(0, fault.withinMs));
      }
    }
  }

  /** On shutdown, held answers are sent at once. */
  letGo(): void {
    this.#closing.abort();
  }

  #watchConnection(request: FastifyRequest, reply: FastifyReply): void {
    const { socket } = request.raw;
    this.#idleCloser.began(socket);
    reply.raw.once('close', () => this.#idleCloser.ended(socket));
  }

  async #waitFor(faults: readonly Fault[], when: FaultOf<'latency'>['when']): Promise<void> {
    for (const fault of faults) {
      if (fault.kind === 'latency' && fault.when === when) {
        await pause(this.#options.clock, fault.delayMs, this.#closing.signal);
      }
    }
  }
}

function answersInstead(fault: Fault, when: 'before-work' | 'after-work'): fault is AnsweringFault {
  switch (fault.kind) {
    case 'status':
    case 'html':
    case 'huge-body':
      return fault.when === when;
    case 'redirect':
      return when === 'before-work';
    case 'latency':
    case 'cut':
    case 'truncated-json':
    case 'old-forms':
    case 'clock-skew':
    case 'date-header':
    case 'other-lock-state':
    case 'close-idle':
      return false;
  }
}

/** Takes the place of the service's answer. */
function replace(reply: FastifyReply, answer: FaultAnswer): FaultAnswer['payload'] {
  reply.code(answer.status).headers(answer.headers);
  return answer.payload;
}

function rewrite(payload: unknown, faults: readonly Fault[]): unknown {
  if (typeof payload !== 'string' || !/^[[{]/.test(payload)) {
    return payload;
  }
  let json = payload;
  for (const fault of faults) {
    if (fault.kind === 'old-forms') {
      json = inOldForms(json, fault.forms);
    } else if (fault.kind === 'other-lock-state') {
      json = withOtherLockState(json);
    } else if (fault.kind === 'clock-skew') {
      json = shiftInstants(json, fault.offsetMs);
    }
  }
  return faults.some(({ kind }) => kind === 'truncated-json') ? truncate(json) : json;
}

/** Moves the `Date` header, or takes it out. */
function misdate(reply: FastifyReply, offsetMs: number | null, now: number): void {
  if (offsetMs === null) {
    reply.removeHeader('date');
    reply.raw.sendDate = false;
    return;
  }
  const date = reply.getHeader('date');
  const shown = typeof date === 'string' ? Date.parse(date) : now;
  reply.header('date', new Date(shown + offsetMs).toUTCString());
}

function shiftHeaders(reply: FastifyReply, offsetMs: number, now: number): void {
  misdate(reply, offsetMs, now);
  const reset = reply.getHeader(HEADERS.rateLimitReset);
  if (reset !== undefined) {
    const shifted = Number.isNaN(Number(reset))
      ? shiftInstant(String(reset), offsetMs)
      : String(Number(reset) + Math.round(offsetMs / 1000));
    reply.header(HEADERS.rateLimitReset, shifted);
  }
}

/** Resets the connection once the whole request has come in: to the caller it was sent, and nothing came back. */
async function cutOffUnread(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  reply.hijack();
  try {
    await finished(request.raw.resume());
  } catch {
    // The caller has closed the connection first: there is nothing to cut.
  }
  request.raw.socket.resetAndDestroy();
  return reply;
}

/** Resets the connection instead of answering, or closes it when half of the answer is out. */
function cutOffAnswered(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: unknown,
  cut: FaultOf<'cut'>,
): unknown {
  const { socket } = request.raw;
  if (cut.when === 'after-work' || typeof answer !== 'string') {
    socket.resetAndDestroy();
    return answer;
  }
  const whole = Buffer.from(answer);
  reply.header('content-length', whole.byteLength);
  return Readable.from(firstHalf(whole, socket));
}

async function* firstHalf(whole: Buffer, socket: Socket): AsyncGenerator<Buffer> {
  yield whole.subarray(0, Math.floor(whole.byteLength / 2));
  socket.destroySoon();
}
