// The feeds of stays at their secret addresses. They need no login, because the address is the secret, and nothing is logged.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { message } from '../../../domain/language/message.ts';
import { answerError } from '../../../panel/http/answers.ts';
import { refusalBudget } from '../../../panel/http/refusal-budget.ts';
import type { Operations } from '../../../panel/socket/server.ts';
import type { Clock } from '../../../support/clock.ts';
import { FinalError, RetryError, WaitError } from '../../../support/errors.ts';

/** Some readers add a question of their own. */
const PATH = /^\/stays\/([\w-]{43})\.ics(?:\?.*)?$/u;
const feed = z.object({ text: z.string().nullable() });

const NOT_HERE = 'Nothing is here.';

/** What failed may hold the secret: nothing of it is passed on. */
const UNREADABLE = new RetryError('unreachable', message('The stays cannot be read now.'));

export function feedRoute(app: FastifyInstance, operations: Operations, clock: Clock): void {
  const budget = refusalBudget(clock);
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const secret = PATH.exec(request.url)?.[1] ?? '';
    try {
      const { text } = feed.parse(await operations['stays.read-feed']?.({ secret }));
      if (text !== null) {
        // Whole at every reading: a copy that is kept could outlive the address.
        return await reply.type('text/calendar; charset=utf-8').send(text);
      }
    } catch (error) {
      return answerError(request, reply, error instanceof WaitError ? error : UNREADABLE);
    }
    const waitMs = budget.take();
    return waitMs === null
      ? answerError(request, reply, new FinalError('not-found', NOT_HERE))
      : answerError(request, reply, new WaitError('rate-limited', NOT_HERE, waitMs));
  };
  app.route({ method: ['GET', 'HEAD'], url: '/stays/:file', handler: answer });
}
