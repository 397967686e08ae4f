// Serves the built pages from memory. They hold nothing about anybody: what they show, they have to ask for.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FinalError, RetryError } from '../support/errors.ts';
import { answerError } from './http-answers.ts';
import type { PageFile } from './page-files.ts';

export const NOT_BUILT =
  'The pages are not built. Reinstall the plugin or, in its sources, run "npm run build"; then restart Homebridge.';

export function pageRoutes(app: FastifyInstance, files: ReadonlyMap<string, PageFile>): void {
  for (const [path, file] of files) {
    app.get(path, (request, reply) => give(request, reply, file));
  }
  if (!files.has('/')) {
    app.get('/', (request, reply) => answerError(request, reply, new RetryError('unreachable', NOT_BUILT)));
  }
  app.setNotFoundHandler((request, reply) =>
    answerError(request, reply, new FinalError('not-found', 'Nothing is here.')),
  );
}

function give(request: FastifyRequest, reply: FastifyReply, { type, bytes, etag }: PageFile): FastifyReply {
  // Kept by the browser, but never used without asking: a new version is seen at once.
  reply.headers({ 'cache-control': 'no-cache', etag });
  return request.headers['if-none-match'] === etag
    ? reply.code(304).send()
    : reply.header('content-type', type).send(bytes);
}
