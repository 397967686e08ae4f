// Writes every request that can change an answer into the log, whatever happens to it on the way.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RequestLog } from './request-log.ts';

interface OpenEntry {
  readonly sequence: number;
  readonly chunks: Buffer[];
}

/**
 * Adds hooks to the root scope, before any route: bodies are taken as they pass by, since what is no JSON or too
 * early to be read must be recorded too. `isRecorded` leaves out what only looks (pages, control reads).
 */
export function recordRequests(
  app: FastifyInstance,
  log: RequestLog,
  now: () => number,
  isRecorded: (request: FastifyRequest) => boolean,
): void {
  const open = new WeakMap<FastifyRequest, OpenEntry>();
  const close = (request: FastifyRequest, status: number | null, answer: string | null): void => {
    const entry = open.get(request);
    if (entry !== undefined) {
      open.delete(request);
      const body = entry.chunks.length === 0 ? null : Buffer.concat(entry.chunks).toString('utf8');
      log.close(entry.sequence, { body, status, answer });
    }
  };

  app.addHook('onRequest', (request, reply, done) => {
    if (isRecorded(request)) {
      const { method, url, headers } = request;
      open.set(request, { sequence: log.open({ at: now(), method, url, headers }), chunks: [] });
      // A connection cut by a fault never sends: what is still open then was not answered.
      reply.raw.once('close', () => {
        close(request, null, null);
      });
    }
    done();
  });
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const entry = request.method === 'GET' ? undefined : open.get(request);
    if (entry !== undefined) {
      payload.on('data', (chunk: Buffer) => {
        entry.chunks.push(chunk);
      });
    }
    done(null, payload);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    close(request, reply.statusCode, typeof payload === 'string' && payload !== '' ? payload : null);
    done(null, payload);
  });
}
