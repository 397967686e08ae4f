// The OAuth callback, when the registered redirect URI leads to the panel: it needs no login, for the browser
// comes from the service, and all it can do is to hand code and state to the linking that waits for them.
import type { FastifyInstance } from 'fastify';
import type { LinkCallback } from '../setup/link-callback.ts';
import type { Clock } from '../support/clock.ts';
import { WaitError } from '../support/errors.ts';
import { answerError } from './http-answers.ts';
import { refusalBudget } from './refusal-budget.ts';

export function callbackRoute(app: FastifyInstance, callback: LinkCallback, clock: Clock): void {
  const { pathname } = new URL(callback.redirectUri);
  const budget = refusalBudget(clock);
  // A colon would begin a pattern.
  app.get(pathname.replaceAll(':', '::'), async (request, reply) => {
    const { kind, status, headers, body } = await callback.answer(request.url);
    const waitMs = kind === 'not-linked' ? budget.take() : null;
    return waitMs === null
      ? reply.code(status).headers(headers).send(body)
      : answerError(request, reply, new WaitError('rate-limited', TOO_OFTEN, waitMs));
  });
}

const TOO_OFTEN = 'That was tried too often. Wait a moment, then start linking again.';
