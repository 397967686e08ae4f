// One simulated service from its first moment: the house, its authorization server, its log, and all routes in one
// Fastify application. A reset throws it away and makes another.
import Fastify, { type FastifyInstance } from 'fastify';
import type { Clock } from '../support/clock.ts';
import { authRoutes } from './auth/auth-routes.ts';
import { AuthorizationServer } from './auth/authorization-server.ts';
import type { ResourceOwner } from './auth/consent-page.ts';
import { DEFAULT_CLIENT_WISHES, issuePartnerClient } from './auth/partner-client.ts';
import { SecretMint } from './auth/secret-mint.ts';
import { GATEWAY_BODIES } from './contract/errors.ts';
import { DEFAULT_PRODUCT_SEGMENT } from './contract/names.ts';
import { controlRoutes } from './control/control-routes.ts';
import { doorsPage } from './control/doors-page.ts';
import { EventStream } from './control/event-stream.ts';
import { takeSnapshot } from './control/snapshot.ts';
import { deviceInterface } from './device-interface/device-interface.ts';
import { Gateway } from './device-interface/gateway.ts';
import { RequestLog } from './scenario/request-log.ts';
import { recordRequests } from './scenario/request-recorder.ts';
import type { Scenario } from './scenario/scenario.ts';
import { Script } from './scenario/script.ts';
import { ShiftedClock } from './shifted-clock.ts';
import { defaultSetup } from './world/default-setup.ts';
import { createWorld } from './world/world.ts';
import type { World } from './world/world-types.ts';
import { WorldKeeper } from './world-keeper.ts';

/** Where each interface hangs below the server's address: apart, so that a client that mixes them up gets a 404. */
export const PREFIXES = {
  auth: '/auth',
  base: '/api',
  credentials: '/credentials',
  control: '/_control',
} as const;

/** Anything longer is nobody's request body (wire contract 4: the largest is an access code). */
const LARGEST_BODY_BYTES = 1024 * 1024;

/** Ids are opaque, so a long wrong one must still be answered by the route it was meant for. */
const LONGEST_PATH_PARAMETER = 1024;

/** What every part of a simulation may look at. */
export interface Simulation {
  readonly app: FastifyInstance;
  /** The simulator's time: the clock it was given, moved on by hand. */
  readonly clock: ShiftedClock;
  readonly startedAt: number;
  readonly scenario: SeededScenario;
  readonly productSegment: string;
  readonly world: World;
  readonly keeper: WorldKeeper;
  readonly auth: AuthorizationServer;
  readonly log: RequestLog;
  readonly stream: EventStream;
  close(): Promise<void>;
}

/** A scenario whose chance is settled, so that it can be written into a log. */
export type SeededScenario = Scenario & { readonly seed: string };

export interface SimulationOptions {
  readonly clock: Clock;
  readonly scenario: SeededScenario;
  /** Starts over with another scenario, or with this one. */
  readonly reset: (scenario: Scenario | undefined) => Promise<void>;
}

/** Builds the house and its routes; nothing listens yet. */
export async function openSimulation(options: SimulationOptions): Promise<Simulation> {
  const parts = settle(options);
  const app = Fastify({
    exposeHeadRoutes: false,
    bodyLimit: LARGEST_BODY_BYTES,
    routerOptions: { maxParamLength: LONGEST_PATH_PARAMETER },
    frameworkErrors: (_error, _request, reply) => {
      void reply.code(404).send(GATEWAY_BODIES.routeUnknown);
    },
  });
  const simulation: Simulation = {
    ...parts,
    app,
    close: async () => {
      parts.stream.close();
      parts.keeper.stop();
      parts.clock.stop();
      await app.close();
    },
  };
  keepTime(simulation);
  recordRequests(
    app,
    parts.log,
    () => parts.clock.now(),
    ({ method, url }) => isTelling(method, url),
  );
  await registerRoutes(simulation, parts.script, options);
  await app.ready();
  return simulation;
}

/** Everything but the routes. */
function settle({ clock: base, scenario }: SimulationOptions) {
  const clock = new ShiftedClock(
    base,
    scenario.startAt === undefined ? base.now() : Date.parse(scenario.startAt),
  );
  const startedAt = clock.now();
  const house = defaultSetup(scenario.seed, startedAt);
  const world = createWorld({
    ...house,
    busyMode: scenario.settings?.busyMode ?? '409',
    users: scenario.users ?? house.users,
    // The default locks belong to the default users.
    devices: scenario.locks ?? (scenario.users === undefined ? house.devices : []),
  });
  const mint = new SecretMint(scenario.seed);
  const auth = new AuthorizationServer({
    clients: (scenario.clients ?? DEFAULT_CLIENT_WISHES).map((wish, index) =>
      issuePartnerClient(wish, index, mint),
    ),
    owners: () => ownersOf(world),
    now: () => clock.now(),
    mint,
    settings: scenario.settings?.authorization ?? {},
  });
  const keeper = new WorldKeeper(world, clock);
  const stream = new EventStream(base, () => takeSnapshot({ clock, world, auth }));
  world.onHappening((happening) => {
    if (happening.kind === 'signed-out-everywhere') {
      auth.revoke(happening.userId, null);
    }
    stream.publish('happening', happening);
  });
  const script = new Script(scenario.script ?? [], { world, auth }, clock, (step) => {
    keeper.catchUp();
    step();
    keeper.arm();
  });
  const log = new RequestLog();
  log.onRequest((request) => {
    stream.publish('request', request);
  });
  const productSegment = scenario.productSegment ?? DEFAULT_PRODUCT_SEGMENT;
  return { clock, startedAt, scenario, productSegment, world, keeper, auth, log, stream, script };
}

/** The world has lived up to now before a request is looked at, and the answer's `Date` is the simulator's. */
function keepTime({ app, clock, keeper }: Simulation): void {
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

async function registerRoutes(
  simulation: Simulation,
  script: Script,
  { reset }: SimulationOptions,
): Promise<void> {
  const { app, auth, world, productSegment } = simulation;
  const gateway = new Gateway(auth);
  await app.register(async (scope) => authRoutes(scope, { server: auth }), { prefix: PREFIXES.auth });
  await app.register(
    async (scope) =>
      deviceInterface(scope, {
        world,
        gateway,
        productSegment,
        beforeCommand: (deviceId) => {
          script.beforeCommand(deviceId);
        },
      }),
    { prefix: PREFIXES.base },
  );
  await app.register(async (scope) => controlRoutes(scope, { simulation, reset }), {
    prefix: PREFIXES.control,
  });
  await app.register(async (scope) => doorsPage(scope, {}));
}

/** Whether a request can change what a later one is answered; pages and looks at the control API cannot. */
function isTelling(method: string, url: string): boolean {
  return (
    method !== 'GET' ||
    [PREFIXES.auth, PREFIXES.base, PREFIXES.credentials].some((prefix) => url.startsWith(`${prefix}/`))
  );
}

function ownersOf(world: World): readonly ResourceOwner[] {
  const locks = world.deviceIds().map((deviceId) => world.inspect(deviceId));
  return world.users().map(({ userId, friendlyName }) => ({
    id: userId,
    displayName: friendlyName,
    locks: locks.flatMap(({ name, roles }) => {
      const role = roles[userId];
      return role === undefined ? [] : [{ name, role }];
    }),
  }));
}
