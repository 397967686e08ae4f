// A house with all its routes in one Fastify application. A reset throws it away and makes another.
import Fastify, { type FastifyInstance } from 'fastify';
import type { Clock } from '../support/clock.ts';
import { authRoutes } from './auth/auth-routes.ts';
import { GATEWAY_BODIES } from './contract/errors.ts';
import { DEFAULT_PRODUCT_SEGMENT } from './contract/names.ts';
import { controlRoutes } from './control/control-routes.ts';
import { doorsPage } from './control/doors-page.ts';
import { credentialingRoutes } from './credentialing/credentialing-routes.ts';
import { deviceInterface } from './device-interface/device-interface.ts';
import { Gateway } from './device-interface/gateway.ts';
import { buildHouse, type House } from './house.ts';
import { recordRequests } from './scenario/request-recorder.ts';
import type { Scenario, SeededScenario } from './scenario/scenario.ts';

/** Where each interface hangs below the server's address: apart, so that a client that mixes them up gets a 404. */
export const PREFIXES = {
  auth: '/auth',
  base: '/api',
  credentials: '/credentials',
  control: '/_control',
} as const;

const PARTNER_PREFIXES = [PREFIXES.auth, PREFIXES.base, PREFIXES.credentials];

/** Anything longer is nobody's request body (wire contract 4: the largest is an access code). */
const LARGEST_BODY_BYTES = 1024 * 1024;

/** Ids are opaque, so a long wrong one must still be answered by the route it was meant for. */
const LONGEST_PATH_PARAMETER = 1024;

export interface Simulation extends Omit<House, 'close'> {
  readonly app: FastifyInstance;
  readonly productSegment: string;
  close(): Promise<void>;
}

export interface SimulationOptions {
  readonly clock: Clock;
  readonly scenario: SeededScenario;
  /** Starts over with another scenario. */
  readonly reset: (scenario: Scenario) => Promise<void>;
}

/** Builds the house and its routes; nothing listens yet. */
export async function openSimulation({ clock, scenario, reset }: SimulationOptions): Promise<Simulation> {
  const house = buildHouse(clock, scenario);
  const app = Fastify({
    exposeHeadRoutes: false,
    bodyLimit: LARGEST_BODY_BYTES,
    routerOptions: { maxParamLength: LONGEST_PATH_PARAMETER },
    frameworkErrors: (_error, _request, reply) => {
      // A path that cannot be decoded; its own types would have an answer of the framework's form here.
      const { statusCode } = GATEWAY_BODIES.routeUnknown;
      reply.hijack().raw.writeHead(statusCode, { 'content-type': 'application/json; charset=utf-8' });
      reply.raw.end(JSON.stringify(GATEWAY_BODIES.routeUnknown));
    },
  });
  const productSegment = scenario.productSegment ?? DEFAULT_PRODUCT_SEGMENT;
  keepTime(app, house);
  recordRequests(
    app,
    house.log,
    () => house.clock.now(),
    ({ method, url }) => isTelling(method, url),
  );
  await registerPartnerRoutes(app, house, productSegment);
  await app.register(async (scope) => controlRoutes(scope, { house, reset }), { prefix: PREFIXES.control });
  await app.register(async (scope) => doorsPage(scope, {}));
  app.setNotFoundHandler((_request, reply) => reply.code(404).send(GATEWAY_BODIES.routeUnknown));
  await app.ready();
  return {
    ...house,
    app,
    productSegment,
    close: async () => {
      house.close();
      await app.close();
    },
  };
}

/** The world has lived up to now before a request is looked at, and the answer's `Date` is the simulator's. */
function keepTime(app: FastifyInstance, { clock, keeper }: House): void {
  app.addHook('onRequest', (_request, _reply, done) => {
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
  { auth, world, credentialing, script }: House,
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
        beforeCommand: (deviceId) => {
          script.beforeCommand(deviceId);
        },
      });
    },
    { prefix: PREFIXES.base },
  );
  await app.register(credentialingRoutes, {
    prefix: PREFIXES.credentials,
    service: credentialing,
    checkKey: (request, reply) => gateway.checkKey(request, reply),
  });
}

/** Whether a request can change what a later one is answered; pages and looks at the control API cannot. */
function isTelling(method: string, url: string): boolean {
  return method !== 'GET' || PARTNER_PREFIXES.some((prefix) => url.startsWith(`${prefix}/`));
}
