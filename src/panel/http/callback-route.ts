// The OAuth callback on the dashboard, where the redirect URI leads there. It needs no login, because the browser comes from
// the service and can only hand code and state to the pending link attempt.
import type { FastifyInstance } from 'fastify';
import type { LinkCallback } from '../../linking/link-callback.ts';
import type { Clock } from '../../support/clock.ts';
import { WaitError } from '../../support/errors.ts';
import { answerError } from './answers.ts';
import { refusalBudget } from './refusal-budget.ts';

export function callbackRoute(app: FastifyInstance, callback: LinkCallback, clock: Clock): void {
  const { pathname } = new URL(callback.redirectUri);
  const budget = refusalBudget(clock);
  // A hook compares the path as registered: a route would decode escapes, and read colons and stars as patterns.
  app.addHook('onRequest', async (request, reply) => {
    if (request.method !== 'GET' || request.url.split('?', 1)[0] !== pathname) {
      return;
    }
    const { kind, status, headers, body } = await callback.answer(request.url);
    const waitMs = kind === 'not-linked' ? budget.take() : null;
    return waitMs === null
      ? reply.code(status).headers(headers).send(body)
      : answerError(request, reply, new WaitError('rate-limited', TOO_OFTEN, waitMs));
  });
}

const TOO_OFTEN = 'That was tried too often. Wait a moment, then start again.';
