// Addresses that features add to the server of the pages, beside the pages themselves.
import type { FastifyInstance } from 'fastify';
import { Additions } from '../../support/additions.ts';
import type { Clock } from '../../support/clock.ts';
import type { Operations } from '../socket/server.ts';

export const featureRoutes = new Additions<
  (app: FastifyInstance, operations: Operations, clock: Clock) => void
>();
