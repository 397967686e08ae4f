// Keeps strangers' pages away from the control API and the doors page: a browser may be talked into a request to
// loopback by any web site, by name (DNS rebinding) or across origins.
import type { FastifyReply, FastifyRequest } from 'fastify';

/** `127.0.0.1`, `localhost` or `[::1]`, with or without a port. */
const LOOPBACK_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/iu;

/** An `onRequest` hook: 421 for a foreign Host, 403 for a foreign Origin. */
export function loopbackGuard(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const { host = '', origin } = request.headers;
  if (!LOOPBACK_HOST.test(host)) {
    void reply.code(421).send({ error: 'This host is not served here: use the loopback address.' });
    return;
  }
  if (origin !== undefined && origin !== `http://${host}`) {
    void reply.code(403).send({ error: 'Requests from pages of another origin are not served.' });
    return;
  }
  done();
}
