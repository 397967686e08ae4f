// Serves the built pages from memory. They contain no personal data and load it through the API.
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

/** A year, the longest that is usual. */
const FOR_GOOD = 'max-age=31536000, immutable';

function give(request: FastifyRequest, reply: FastifyReply, file: PageFile): FastifyReply {
  const [encoding, bytes] = bodyFor(request.headers['accept-encoding'], file);
  // The page itself is never used without asking, so that a new version is seen at once.
  reply.headers({
    'cache-control': file.isNamedByContent ? FOR_GOOD : 'no-cache',
    vary: 'accept-encoding',
    etag: file.etag,
  });
  if (request.headers['if-none-match'] === file.etag) {
    return reply.code(304).send();
  }
  if (encoding !== null) {
    reply.header('content-encoding', encoding);
  }
  return reply.header('content-type', file.type).send(bytes);
}

/** The best of the compressed copies that the browser takes, else the file as it is. */
function bodyFor(accepted = '', { bytes, compressed }: PageFile): readonly [string | null, Buffer] {
  const offered = new Set(accepted.split(',').map((entry) => entry.trim().toLowerCase()));
  return [...compressed].find(([encoding]) => offered.has(encoding)) ?? [null, bytes];
}
