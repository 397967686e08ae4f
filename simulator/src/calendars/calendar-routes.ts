// Serves booking calendars at their secret addresses, as a portal does.
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../../src/support/clock.ts';
import { pause } from '../faults/pause.ts';
import { answerReading } from './calendar-answer.ts';
import type { CalendarService } from './calendar-service.ts';

export interface CalendarRoutesOptions {
  readonly calendars: CalendarService;
  /** The simulator's clock. */
  readonly clock: Clock;
}

/** Registers the route; paths are relative to `/calendars`. */
export function calendarRoutes(app: FastifyInstance, { calendars, clock }: CalendarRoutesOptions): void {
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());
  app.get<{ Params: { token: string } }>('/:token.ics', async (request, reply) => {
    const calendar = calendars.byToken(request.params.token);
    if (calendar === undefined) {
      return reply.code(404).type('text/plain; charset=utf-8').send('Not Found\n');
    }
    const { delayMs, fault } = calendars.faults.strikeReading(calendar.name);
    if (delayMs > 0) {
      await pause(clock, delayMs, closing.signal);
    }
    const { 'if-none-match': ifNoneMatch, 'if-modified-since': ifModifiedSince } = request.headers;
    const answer = answerReading(calendar, fault, { ifNoneMatch, ifModifiedSince }, clock.now());
    return reply.code(answer.status).headers(answer.headers).send(answer.payload);
  });
}
