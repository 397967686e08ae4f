// The simulated service with all its routes in one Fastify application. A reset replaces it with a new one.
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { authRoutes } from './auth/auth-routes.ts';
import { calendarRoutes } from './calendars/calendar-routes.ts';
import { CALENDAR_PREFIX } from './calendars/calendar-service.ts';
import { GATEWAY_BODIES } from './contract/errors.ts';
import { DEFAULT_PRODUCT_SEGMENT } from './contract/names.ts';
import { controlRoutes } from './control/control-routes.ts';
import { doorsPage } from './control/doors-page.ts';
import { credentialingRoutes } from './credentialing/credentialing-routes.ts';
import { CREDENTIALING_PREFIX } from './credentialing/operations.ts';
import { deviceInterface } from './device-interface/device-routes.ts';
import { Gateway } from './device-interface/gateway.ts';
import type { Interface } from './faults/fault-answers.ts';
import { installFaults } from './faults/fault-hooks.ts';
import { RequestRecorder } from './scenario/request-recorder.ts';
import type { Scenario } from './scenario/scenario.ts';
import {
  type AccountRuntime,
  buildSimulatedService,
  type SimulatedServiceOptions,
} from './simulated-service.ts';
import { subscriptionRoutes } from './webhooks/subscription-routes.ts';

/** Where each interface hangs below the server's address: apart, so that a client that mixes them up gets a 404. */
export const PREFIXES = {
  auth: '/auth',
  base: '/api',
  credentials: '/credentials',
  control: '/_control',
} as const;

const INTERFACES: readonly (readonly [string, Interface])[] = [
  [PREFIXES.auth, 'authorization'],
  [PREFIXES.base, 'device'],
  [PREFIXES.credentials, 'credentialing'],
];

/** No request body is longer (wire contract 4: the largest is an access code). */
const LARGEST_BODY_BYTES = 1024 * 1024;

/** Ids are opaque, so a long wrong one must still be answered by the route it was meant for. */
const LONGEST_PATH_PARAMETER = 1024;

export interface Simulation extends AccountRuntime {
  readonly app: FastifyInstance;
  readonly productSegment: string;
}

export interface SimulationOptions extends SimulatedServiceOptions {
  readonly reset: (scenario: Scenario) => Promise<void>;
}

/** Builds the service and its routes; nothing listens yet. */
export async function openSimulation(options: SimulationOptions): Promise<Simulation> {
  const service = buildSimulatedService(options);
  const app = Fastify({
    exposeHeadRoutes: false,
    bodyLimit: LARGEST_BODY_BYTES,
    routerOptions: { maxParamLength: LONGEST_PATH_PARAMETER },
    frameworkErrors: (_error, _request, reply) => answerUndecodablePath(reply),
  });
  const productSegment = options.scenario.productSegment ?? DEFAULT_PRODUCT_SEGMENT;
  const recorder = new RequestRecorder(
    service.log,
    { now: () => service.clock.now(), monotonic: () => options.clock.monotonic() },
    changesAnswers,
  );
  app.addHook('onRequest', recorder.onRequest);
  app.addHook('preParsing', recorder.preParsing);
  keepTime(app, service);
  installFaults(app, {
    board: service.faults,
    clock: service.clock,
    seed: options.scenario.seed,
    interfaceOf,
  });
  // Last, so that the log has the final answer.
  app.addHook('onSend', recorder.onSend);
  await registerPartnerRoutes(app, service, productSegment);
  await app.register(async (scope) => calendarRoutes(scope, service), { prefix: CALENDAR_PREFIX });
  await app.register(async (scope) => controlRoutes(scope, { service, reset: options.reset }), {
    prefix: PREFIXES.control,
  });
  await app.register(async (scope) => doorsPage(scope, {}));
  app.setNotFoundHandler((_request, reply) => reply.code(404).send(GATEWAY_BODIES.routeUnknown));
  await app.ready();
  return {
    ...service,
    app,
    productSegment,
    close: async () => {
      await service.close();
      await app.close();
    },
  };
}

/** A path that cannot be decoded is unknown, too; the framework's own types would have an answer of its form here. */
function answerUndecodablePath(reply: FastifyReply): void {
  const { statusCode } = GATEWAY_BODIES.routeUnknown;
  reply.hijack().raw.writeHead(statusCode, { 'content-type': 'application/json; charset=utf-8' });
  reply.raw.end(JSON.stringify(GATEWAY_BODIES.routeUnknown));
}

/** The world has lived up to now before anyone looks at it, and the answer's `Date` is the simulator's. */
function keepTime(app: FastifyInstance, { clock, keeper }: AccountRuntime): void {
  // The world catches up here and not earlier, because a fault may have delayed the call.
  app.addHook('preHandler', (_request, _reply, done) => {
    keeper.catchUp();
    done();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    keeper.arm();
    void reply.header('date', new Date(clock.now()).toUTCString());
    done(null, payload);
  });
}

async function registerPartnerRoutes(
  app: FastifyInstance,
  { auth, world, credentialing, webhooks, script }: AccountRuntime,
  productSegment: string,
): Promise<void> {
  const gateway = new Gateway(auth);
  await app.register(async (scope) => authRoutes(scope, { server: auth }), { prefix: PREFIXES.auth });
  await app.register(
    async (scope) => {
      deviceInterface(scope, {
        world,
        gateway,
        productSegment,
        beforeCommand: (deviceId) => script.beforeCommand(deviceId),
      });
      subscriptionRoutes(scope, { service: webhooks, productSegment, gateway });
    },
    { prefix: PREFIXES.base },
  );
  await app.register(
    async (scope) =>
      credentialingRoutes(scope, {
        service: credentialing,
        checkKey: (request, reply) => gateway.checkKey(request, reply),
      }),
    { prefix: `${PREFIXES.credentials}${CREDENTIALING_PREFIX}` },
  );
}

/** Which interface a path belongs to; null for the control API and the pages. */
function interfaceOf(path: string): Interface | null {
  const [, interfaceName = null] = INTERFACES.find(([prefix]) => path.startsWith(`${prefix}/`)) ?? [];
  return interfaceName;
}

/**
 * Whether a request can change the answer to a later one; pages and readings of the control API cannot. A reading of a
 * calendar uses its faults up.
 */
function changesAnswers({ method, url }: FastifyRequest): boolean {
  return method !== 'GET' || interfaceOf(url) !== null || url.startsWith(`${CALENDAR_PREFIX}/`);
}
