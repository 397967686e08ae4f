// The scope of `{base_url}`: the gateway's checks, bodies as text, unknown routes, and the errors of the contract's table.
import type { FastifyError, FastifyInstance } from 'fastify';
import { errorBody, GATEWAY_BODIES, refuse } from '../contract/errors.ts';
import { type DeviceRoutesOptions, deviceRoutes } from './device-routes.ts';

/** Registers all routes of the device interface; other routes below `{base_url}` may register in the same scope. */
export function deviceInterface(app: FastifyInstance, options: DeviceRoutesOptions): void {
  // Bodies are read as text, because they may be judged only after the access (wire contract 0, order of checks).
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', options.gateway.onRequest);
  app.setNotFoundHandler((_request, reply) =>
    reply.code(GATEWAY_BODIES.routeUnknown.statusCode).send(GATEWAY_BODIES.routeUnknown),
  );
  app.setErrorHandler((error: FastifyError, _request, reply) => {
    const status = error.statusCode ?? 500;
    return reply.code(status).send(status < 500 ? errorBody(refuse(20)) : errorBody(refuse(1)));
  });
  deviceRoutes(app, options);
}
