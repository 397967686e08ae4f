// HTTP around the authorization server: the consent page, its answer, and the token endpoint (wire contract 1).
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { OAUTH_PATHS } from '../contract/names.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { consentPage, linkingFaultPage, type Page } from './consent-page.ts';
import { loopbackGuard } from './loopback-guard.ts';
import type { TokenAnswer } from './token-request.ts';

/** Where the consent page posts its answer; no partner ever calls it. */
const CONSENT_PATH = '/OAuth2/consent';

const FORM = 'application/x-www-form-urlencoded';

/** Registers the routes; paths are relative to `{auth_url}`. */
export function authRoutes(app: FastifyInstance, { server }: { readonly server: AuthorizationServer }): void {
  // Every body is read as text: one that is no form must get an OAuth error, not a framework's.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));

  app.get(OAUTH_PATHS.authorize, (request, reply) => {
    const verdict = server.authorize(queryOf(request));
    switch (verdict.kind) {
      case 'page':
        return sendPage(reply.code(400), linkingFaultPage(verdict.fault));
      case 'redirect':
        return reply.header('cache-control', 'no-store').redirect(verdict.location, 302);
      case 'consent':
        return sendPage(
          reply,
          consentPage({
            clientName: verdict.request.client.name,
            owners: server.owners(),
            action: `${app.prefix}${CONSENT_PATH}`,
            ticket: server.ask(verdict.request),
            redirectUri: verdict.request.redirectUri,
          }),
        );
    }
  });

  app.post(CONSENT_PATH, { onRequest: loopbackGuard }, (request, reply) => {
    const form = formOf(request);
    const userId = form?.get('answer') === 'allow' ? (form.get('user') ?? '') : null;
    const location = server.answer(form?.get('ticket') ?? '', userId);
    return location === undefined
      ? sendPage(reply.code(400), linkingFaultPage('This question was already answered, or is too old.'))
      : reply.header('cache-control', 'no-store').redirect(location, 302);
  });

  const answerToken = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    sendTokenAnswer(reply, server.token(formOf(request)));
  app.post(OAUTH_PATHS.token, answerToken);
  app.post(`${OAUTH_PATHS.token}/`, answerToken);
}

function sendTokenAnswer(reply: FastifyReply, answer: TokenAnswer): FastifyReply {
  reply.code(answer.status).header('cache-control', 'no-store').header('pragma', 'no-cache');
  // The capital letters are the specification's (OAuth errors).
  reply.header('content-type', 'application/json; charset=UTF-8');
  if (answer.status !== 200) {
    return reply.send(JSON.stringify({ error: answer.error }));
  }
  const { accessToken, refreshToken, expiresInS } = answer.pair;
  return reply.send(
    JSON.stringify({
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: expiresInS,
      refresh_token: refreshToken,
    }),
  );
}

function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', page.contentSecurityPolicy)
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'same-origin')
    .send(page.html);
}

/** The query as it was sent, repeated parameters included, which a parsed object would hide. */
function queryOf(request: FastifyRequest): URLSearchParams {
  const mark = request.url.indexOf('?');
  return new URLSearchParams(mark === -1 ? '' : request.url.slice(mark + 1));
}

/** The body as a form; null when its content type is another. */
function formOf(request: FastifyRequest): URLSearchParams | null {
  const contentType = (request.headers['content-type'] ?? '').split(';', 1)[0];
  return contentType?.trim().toLowerCase() === FORM && typeof request.body === 'string'
    ? new URLSearchParams(request.body)
    : null;
}
