// Reads bodies of the control API and reports their faults.
import type { FastifyError, FastifyInstance } from 'fastify';
import { ZodError } from 'zod';
import { ScenarioError } from '../scenario/scenario.ts';

/** Fastify parses JSON itself; a POST without a body or type is an empty object, so that `curl -X POST` just works. */
export function readJsonBodies(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _reply, done) => {
    request.body ??= {};
    done();
  });
}

/** 400 with one issue for each mistake and the path to it; 404 for ids that nothing has. */
export function answerControlErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, _request, reply) => {
    if (error instanceof ZodError) {
      const issues = error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
      return reply.code(400).send({ error: 'The details are not right.', issues });
    }
    // The error of the world for contradictory details, such as an id given twice.
    if (error instanceof ScenarioError || error instanceof RangeError) {
      return reply.code(400).send({ error: error.message });
    }
    if (error.name === 'UnknownIdError') {
      return reply.code(404).send({ error: error.message });
    }
    const status = error.statusCode ?? 500;
    return reply.code(status).send({ error: error.message });
  });
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send({ error: 'There is no such control call.', see: `${app.prefix}/actions` }),
  );
}
