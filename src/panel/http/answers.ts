// Error answers of the dashboard's server: one status for each kind of error, JSON for our script, plain words for a person.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FinalError, type LatchkeyError, messageOf, WaitError } from '../../support/errors.ts';
import { errorViewOf } from '../views/error.ts';

/** None is 401 or 403: those mean that the request did not reach the plugin's operations. */
const FINAL_STATUSES: Readonly<Record<FinalError['code'], number>> = {
  refused: 409,
  'not-permitted': 409,
  'not-found': 404,
  'wire-mismatch': 502,
  'bad-configuration': 409,
  'bad-request': 400,
  'changed-meanwhile': 409,
  'not-owner': 409,
};

const OTHER_STATUSES: Readonly<Record<Exclude<LatchkeyError['disposition'], 'final'>, number>> = {
  retry: 503,
  wait: 429,
  relink: 409,
  uncertain: 500,
};

/** Whether a route is for our page's script; an unknown route counts as a person's. */
export function isForScript(request: FastifyRequest): boolean {
  return (request.routeOptions.url ?? request.url).startsWith('/api/');
}

/** Answers with an error; its words are for the person. `status`: another than its kind has. */
export function answerError(
  request: FastifyRequest,
  reply: FastifyReply,
  error: LatchkeyError,
  status = statusOf(error),
): FastifyReply {
  reply.code(status);
  if (error instanceof WaitError && error.waitMs !== null) {
    reply.header('retry-after', String(Math.ceil(error.waitMs / 1_000)));
  }
  if (!request.raw.complete && request.method !== 'GET') {
    // The rest of the request body is not awaited.
    reply.header('connection', 'close');
  }
  return isForScript(request)
    ? reply.send({ error: errorViewOf(error) })
    : reply.type('text/plain; charset=utf-8').send(`${messageOf(error)}\n`);
}

function statusOf(error: LatchkeyError): number {
  if (error instanceof FinalError) {
    return FINAL_STATUSES[error.code];
  }
  return error.disposition === 'final' ? 500 : OTHER_STATUSES[error.disposition];
}
