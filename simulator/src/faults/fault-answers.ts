// Answers that a fault puts in place of the service's own.
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { ERRORS, type ErrorCode, errorBody, GATEWAY_BODIES } from '../contract/errors.ts';
import { HEADERS } from '../contract/names.ts';
import type { FaultOf, Wait } from './fault.ts';

/** The interfaces of the service, each with an error form of its own. */
export type Interface = 'authorization' | 'device' | 'credentialing';

export interface FaultAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: string | Readable;
}

/** A fault that answers in the service's place. */
export type AnsweringFault = FaultOf<'status' | 'html' | 'huge-body' | 'redirect'>;

const JSON_TYPE = 'application/json; charset=utf-8';

/** The page of a common proxy that cannot reach its upstream. */
const HTML_PAGE =
  '<!DOCTYPE html>\n<html><head><title>Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>\n';

/** Seconds named when a fault that must name some was armed without. */
const DEFAULT_WAIT_SECONDS = 30;

/** The answer of a fault to a call on one of the interfaces; `now` is epoch milliseconds. */
export function faultAnswer(fault: AnsweringFault, called: Interface, now: number): FaultAnswer {
  switch (fault.kind) {
    case 'status':
      return statusAnswer(fault, called, now);
    case 'html':
      return {
        status: fault.status,
        headers: { 'content-type': 'text/html; charset=utf-8' },
        payload: fault.page ?? HTML_PAGE,
      };
    case 'huge-body':
      return hugeAnswer(fault);
    case 'redirect':
      return { status: fault.status, headers: { location: fault.location }, payload: '' };
  }
}

function statusAnswer(fault: FaultOf<'status'>, called: Interface, now: number): FaultAnswer {
  const wait = fault.wait ?? defaultWait(fault.status);
  const body = fault.body ?? bodyOf(fault.status, called, wait);
  return {
    status: fault.status,
    headers: { 'content-type': JSON_TYPE, ...(wait === undefined ? {} : waitHeaders(wait, now)) },
    payload: JSON.stringify(body),
  };
}

function defaultWait(status: number): Wait | undefined {
  if (status === 429) {
    return { seconds: DEFAULT_WAIT_SECONDS, said: 'x-retry-after' };
  }
  return status === 503 ? { seconds: DEFAULT_WAIT_SECONDS, said: 'retry-after' } : undefined;
}

function waitHeaders({ seconds, said }: Wait, now: number): Record<string, string> {
  const resetSeconds = Math.ceil(now / 1000) + seconds;
  switch (said) {
    case 'retry-after':
      return { 'Retry-After': String(seconds) };
    case 'x-retry-after':
      return { [HEADERS.rateRetryAfter]: String(seconds) };
    case 'reset-epoch':
      return { [HEADERS.rateLimitReset]: String(resetSeconds) };
    case 'reset-iso':
      return { [HEADERS.rateLimitReset]: new Date(resetSeconds * 1000).toISOString() };
    case 'text':
    case 'nothing':
      return {};
  }
}

/** The errors of each interface in its own form (wire contract 0, 1, 8 and 9). */
function bodyOf(status: number, called: Interface, wait: Wait | undefined): unknown {
  if (status === 429) {
    return { error: throttledText(wait) };
  }
  switch (called) {
    case 'device':
      return status === 401 ? GATEWAY_BODIES.tokenBad : deviceError(status);
    case 'credentialing':
      return status === 401 ? GATEWAY_BODIES.tokenBad : { error: 'The request could not be handled.' };
    case 'authorization':
      return { error: oauthError(status) };
  }
}

/** With a header that names the wait, or the text alone, the sentence is the specification's; else it names none. */
function throttledText(wait: Wait | undefined): string {
  return wait?.said === 'text' || wait?.said === 'retry-after' || wait?.said === 'x-retry-after'
    ? `Rate limit reached. Try again in ${String(wait.seconds)} seconds.`
    : 'Rate limit reached.';
}

function deviceError(status: number): unknown {
  const code = DEVICE_ERROR_OF_STATUS[status] ?? 1;
  return errorBody({ status, errorCode: code, description: ERRORS[code].words });
}

/** Wire contract 0, error bodies of the device interface. */
const DEVICE_ERROR_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 20,
  409: 36,
  500: 1,
  502: 7,
  503: 1,
  504: 13,
};

function oauthError(status: number): string {
  if (status >= 500) {
    return 'server_error';
  }
  return status === 401 ? 'invalid_grant' : 'invalid_request';
}

function hugeAnswer({ bytes, compressed }: FaultOf<'huge-body'>): FaultAnswer {
  const plain = Readable.from(hugeJson(bytes));
  return {
    status: 200,
    headers: { 'content-type': JSON_TYPE, ...(compressed ? { 'content-encoding': 'gzip' } : {}) },
    payload: compressed ? plain.pipe(createGzip()) : plain,
  };
}

const HUGE_START = '{"filler":"';
const HUGE_END = '"}';
const HUGE_CHUNK = 'x'.repeat(65_536);

/** Valid JSON of exactly this many bytes, made as it is read. */
function* hugeJson(bytes: number): Generator<string> {
  yield HUGE_START;
  let left = bytes - HUGE_START.length - HUGE_END.length;
  while (left > 0) {
    yield HUGE_CHUNK.slice(0, left);
    left -= HUGE_CHUNK.length;
  }
  yield HUGE_END;
}
