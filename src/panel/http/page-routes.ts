// Serves the built pages from memory. They contain no personal data and load it through the API.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { message } from '../../domain/language/message.ts';
import { FinalError, RetryError } from '../../support/errors.ts';
import { answerError } from './answers.ts';
import type { PageFile } from './page-files.ts';

export const NOT_BUILT = message(
  'The pages are not built. Reinstall the plugin or, in its sources, run "{command}"; then restart Homebridge.',
  { command: 'npm run build' },
);

export function pageRoutes(app: FastifyInstance, files: ReadonlyMap<string, PageFile>): void {
  for (const [path, file] of files) {
    app.get(path, (request, reply) => sendFile(request, reply, file));
  }
  if (!files.has('/')) {
    app.get('/', (request, reply) => answerError(request, reply, new RetryError('unreachable', NOT_BUILT)));
  }
  app.setNotFoundHandler((request, reply) =>
    answerError(request, reply, new FinalError('not-found', 'Nothing is here.')),
  );
}

/** A year, the longest that is usual. */
const FOR_GOOD = 'max-age=31536000, immutable';

function sendFile(request: FastifyRequest, reply: FastifyReply, file: PageFile): FastifyReply {
  const gzipped = takesGzip(request.headers['accept-encoding']) ? file.gzipped : null;
  // The page itself is never used without asking, so that a new version is seen at once.
  reply.headers({
    'cache-control': file.isNamedByContent ? FOR_GOOD : 'no-cache',
    vary: 'accept-encoding',
    etag: file.etag,
  });
  if (request.headers['if-none-match'] === file.etag) {
    return reply.code(304).send();
  }
  if (gzipped !== null) {
    reply.header('content-encoding', 'gzip');
  }
  return reply.header('content-type', file.type).send(gzipped ?? file.bytes);
}

/** Whether the browser takes gzip (RFC 9110, section 12.5.3); with a quality of its own it gets the plain file. */
function takesGzip(accepted = ''): boolean {
  return accepted.split(',').some((entry) => entry.trim().toLowerCase() === 'gzip');
}
