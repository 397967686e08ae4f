// The control API for tests and the doors page: physical actions, switches, time, the log.
import type { FastifyError, FastifyInstance } from 'fastify';
import { ZodError, z } from 'zod';
import { loopbackGuard } from '../auth/loopback-guard.ts';
import { findLock, LOCK_ACTIONS } from '../scenario/lock-actions.ts';
import { writeRecording } from '../scenario/recording.ts';
import type { RequestLog } from '../scenario/request-log.ts';
import { parseScenario, type Scenario, ScenarioError, type SeededScenario } from '../scenario/scenario.ts';
import { SERVICE_ACTIONS } from '../scenario/service-actions.ts';
import type { ShiftedClock } from '../time/shifted-clock.ts';
import type { AttemptRecord } from '../webhooks/courier.ts';
import type { WorldKeeper } from '../world/house/world-keeper.ts';
import type { EventStream } from './event-stream.ts';
import { type SnapshotSource, takeSnapshot } from './snapshot.ts';

export interface ControlRoutesOptions {
  readonly service: SnapshotSource & {
    readonly clock: ShiftedClock;
    readonly keeper: WorldKeeper;
    readonly log: RequestLog;
    readonly deliveries: readonly AttemptRecord[];
    readonly stream: EventStream;
    readonly startedAt: number;
    readonly scenario: SeededScenario;
  };
  readonly reset: (scenario: Scenario) => Promise<void>;
}

/** Ten years: past every lifetime the specification names. */
const LONGEST_STEP_MS = 3660 * 86_400_000;

const advanceSchema = z.strictObject({ ms: z.int().min(0).max(LONGEST_STEP_MS) });
const resetSchema = z.strictObject({
  seed: z.string().min(1).exactOptional(),
  scenario: z.unknown().exactOptional(),
});

/** Registers the routes; paths are relative to `/_control`. */
export function controlRoutes(app: FastifyInstance, options: ControlRoutesOptions): void {
  app.addHook('onRequest', loopbackGuard);
  readJsonBodies(app);
  answerControlErrors(app);
  readingRoutes(app, options);
  actingRoutes(app, options);
}

function readingRoutes(app: FastifyInstance, { service }: ControlRoutesOptions): void {
  app.get('/state', (_request, reply) =>
    reply.send({ now: new Date(service.clock.now()).toISOString(), ...takeSnapshot(service) }),
  );
  app.get('/stream', (_request, reply) => service.stream.open(reply));
  app.get('/actions', (_request, reply) =>
    reply.send({ lock: describe(LOCK_ACTIONS), house: describe(SERVICE_ACTIONS) }),
  );
  app.get('/requests', (_request, reply) => reply.send(service.log.entries()));
  app.get('/deliveries', (_request, reply) => reply.send(service.deliveries));
  app.get('/log', (_request, reply) =>
    reply
      .header('content-type', 'application/jsonl; charset=utf-8')
      .header('content-disposition', 'attachment; filename="simulator-log.jsonl"')
      .send(writeRecording(service)),
  );
}

function actingRoutes(app: FastifyInstance, { service, reset }: ControlRoutesOptions): void {
  const { clock, keeper, stream, world } = service;
  const done = (result: unknown): { readonly done: true; readonly result: unknown } => {
    keeper.arm();
    stream.touch();
    return { done: true, result: result ?? null };
  };
  app.post<{ Params: { lock: string; action: string } }>('/locks/:lock/:action', (request, reply) => {
    const { lock, action } = request.params;
    const deviceId = findLock(world, lock);
    const lockAction = LOCK_ACTIONS.get(action);
    if (deviceId === undefined || lockAction === undefined) {
      const missing = deviceId === undefined ? 'lock' : 'action';
      return reply.code(404).send({ error: `There is no such ${missing}.` });
    }
    return reply.send(done(lockAction.run(service, deviceId, request.body)));
  });
  app.post<{ Params: { action: string } }>('/house/:action', (request, reply) => {
    const serviceAction = SERVICE_ACTIONS.get(request.params.action);
    return serviceAction === undefined
      ? reply.code(404).send({ error: 'There is no such action.' })
      : reply.send(done(serviceAction.run(service, request.body)));
  });
  app.post('/time/advance', (request, reply) => {
    clock.advance(advanceSchema.parse(request.body).ms);
    keeper.catchUp();
    return reply.send(done({ now: new Date(clock.now()).toISOString() }));
  });
  app.post('/reset', async (request, reply) => {
    const { seed, scenario } = resetSchema.parse(request.body);
    const base = scenario === undefined ? service.scenario : parseScenario(scenario, 'The scenario');
    await reset(seed === undefined ? base : { ...base, seed });
    return reply.send({ done: true, result: null });
  });
}

/** Each action with the JSON Schema of its details: the API describes itself. */
function describe(
  actions: ReadonlyMap<string, { readonly summary: string; readonly schema: z.ZodType }>,
): Record<string, unknown> {
  return Object.fromEntries(
    [...actions].map(([name, { summary, schema }]) => [
      name,
      { summary, details: z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) },
    ]),
  );
}

/** Fastify parses JSON itself; a POST without a body or type is an empty object, so that `curl -X POST` just works. */
function readJsonBodies(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _reply, done) => {
    request.body ??= {};
    done();
  });
}

/** 400 with one issue for each mistake and the path to it; 404 for ids that nothing has. */
function answerControlErrors(app: FastifyInstance): void {
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
