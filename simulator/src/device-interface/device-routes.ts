// The device interface over HTTP: devices, commands and their aliases, access codes, history (wire contract 2-5).
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isObject, jsonIn, memberOf } from '../../../src/support/text/foreign-json.ts';
import {
  errorBody,
  GATEWAY_BODIES,
  REFUSALS,
  type Refusal,
  refuse as refusalOf,
} from '../contract/errors.ts';
import { DEVICE_PATHS } from '../contract/names.ts';
import type { Answer, CommandName, CommandRecord } from '../world/records.ts';
import type { DeviceService } from '../world/world-types.ts';
import type { Gateway } from './gateway.ts';

export interface DeviceRoutesOptions {
  readonly world: DeviceService;
  readonly gateway: Gateway;
  readonly productSegment: string;
  /** Called with each command just before the world gets it, so that a script may act "on the second command". */
  readonly beforeCommand?: (deviceId: string) => void;
}

interface DeviceRoute {
  Params: { deviceId: string };
}
interface CommandRoute {
  Params: { deviceId: string; commandId: string };
}
interface AccessCodeRoute {
  Params: { deviceId: string; accessCodeId: string };
}

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
    return reply.code(status).send(status < 500 ? errorBody(refusalOf(20)) : errorBody(refusalOf(1)));
  });
  deviceRoutes(app, options);
}

function deviceRoutes(app: FastifyInstance, options: DeviceRoutesOptions): void {
  const { world, gateway, productSegment } = options;
  const path = (name: keyof typeof DEVICE_PATHS): string => `/${productSegment}${DEVICE_PATHS[name]}`;
  const userOf = (request: FastifyRequest): string => gateway.callerOf(request).userId;

  app.get(path('devices'), (request, reply) => reply.send(world.listDevices(userOf(request))));
  app.get<DeviceRoute>(path('device'), (request, reply) =>
    answer(reply, world.getDevice(userOf(request), request.params.deviceId)),
  );
  app.get<CommandRoute>(path('command'), (request, reply) => {
    const { deviceId, commandId } = request.params;
    return answer(reply, world.getCommand(userOf(request), deviceId, commandId));
  });
  app.get<DeviceRoute>(path('accessCodes'), (request, reply) => {
    const codes = world.listAccessCodes(userOf(request), request.params.deviceId);
    return answer(reply, codes.ok ? { ok: true, value: { accessCodes: codes.value } } : codes);
  });
  app.get<AccessCodeRoute>(path('accessCode'), (request, reply) => {
    const { deviceId, accessCodeId } = request.params;
    return answer(reply, world.getAccessCode(userOf(request), deviceId, accessCodeId));
  });
  app.get<DeviceRoute & { Querystring: HistoryQuery }>(path('history'), (request, reply) => {
    const { limit, deviceLocalTime } = readHistoryQuery(request.query);
    return answer(reply, world.history(userOf(request), request.params.deviceId, limit, deviceLocalTime));
  });
  commandRoutes(app, options, path);
}

/** The parameters as Fastify parses them: a repeated one is an array, which is as bad as any other value. */
interface HistoryQuery {
  readonly limit?: unknown;
  readonly deviceLocalTime?: unknown;
}

/** `limit` is NaN when any parameter is unreadable: the world refuses that with 20, after it has checked access. */
function readHistoryQuery({ limit = '50', deviceLocalTime = 'false' }: HistoryQuery) {
  const flag = typeof deviceLocalTime === 'string' ? deviceLocalTime.toLowerCase() : '';
  const isReadable =
    (flag === 'true' || flag === 'false') && typeof limit === 'string' && /^\d{1,9}$/u.test(limit);
  return { limit: isReadable ? Number(limit) : Number.NaN, deviceLocalTime: flag === 'true' };
}

function commandRoutes(
  app: FastifyInstance,
  { world, gateway, productSegment, beforeCommand }: DeviceRoutesOptions,
  path: (name: keyof typeof DEVICE_PATHS) => string,
): void {
  const submit = (
    request: FastifyRequest<DeviceRoute>,
    reply: FastifyReply,
    name: unknown,
    data: unknown,
  ) => {
    const { deviceId } = request.params;
    beforeCommand?.(deviceId);
    const { userId } = gateway.callerOf(request);
    return accepted(request, reply, productSegment, world.submitCommand(userId, deviceId, name, data));
  };
  /** A body must be read only after access was checked: a stranger's bad JSON is still a stranger's. */
  const withBody = (
    request: FastifyRequest<DeviceRoute>,
    reply: FastifyReply,
    use: (body: unknown) => FastifyReply,
  ): FastifyReply => {
    const body = jsonIn(String(request.body));
    if (body !== undefined) {
      return use(body);
    }
    const device = world.getDevice(gateway.callerOf(request).userId, request.params.deviceId);
    return refuse(reply, device.ok ? REFUSALS.notJson : device.refusal);
  };
  const alias =
    (name: CommandName, data: unknown) => (request: FastifyRequest<DeviceRoute>, reply: FastifyReply) =>
      submit(request, reply, name, data);

  app.post<DeviceRoute>(path('commands'), (request, reply) =>
    withBody(request, reply, (body) =>
      submit(request, reply, memberOf(body, 'name'), memberOf(body, 'data')),
    ),
  );
  app.post<DeviceRoute>(path('lock'), alias('ChangeLockState', { lockState: 'Locked' }));
  app.post<DeviceRoute>(path('unlock'), alias('ChangeLockState', { lockState: 'Unlocked' }));
  app.post<DeviceRoute>(path('accessCodes'), (request, reply) =>
    withBody(request, reply, (body) => submit(request, reply, 'AddAccessCode', body)),
  );
  app.delete<DeviceRoute>(path('accessCodes'), alias('DeleteAllAccessCodes', {}));
  app.put<AccessCodeRoute>(path('accessCode'), (request, reply) =>
    withBody(request, reply, (body) => {
      // The path's id wins over one in the body (wire contract 11); a body that is no object stays as it is.
      const { accessCodeId } = request.params;
      return submit(request, reply, 'UpdateAccessCode', isObject(body) ? { ...body, accessCodeId } : body);
    }),
  );
  app.delete<AccessCodeRoute>(path('accessCode'), (request, reply) =>
    submit(request, reply, 'DeleteAccessCode', { accessCodeId: request.params.accessCodeId }),
  );
}

/** 202 with an absolute `Location` for the read-back; absolute means the host by which the caller came. */
function accepted(
  request: FastifyRequest<DeviceRoute>,
  reply: FastifyReply,
  productSegment: string,
  command: Answer<CommandRecord>,
): FastifyReply {
  if (!command.ok) {
    return refuse(reply, command.refusal);
  }
  const { deviceId, commandId } = command.value;
  const path = `/${productSegment}${DEVICE_PATHS.command}`
    .replace(':deviceId', deviceId)
    .replace(':commandId', commandId);
  const { protocol, host, server } = request;
  return reply
    .code(202)
    .header('location', `${protocol}://${host}${server.prefix}${path}`)
    .send(command.value);
}

function answer(reply: FastifyReply, result: Answer<unknown>): FastifyReply {
  return result.ok ? reply.send(result.value) : refuse(reply, result.refusal);
}

function refuse(reply: FastifyReply, refusal: Refusal): FastifyReply {
  return reply.code(refusal.status).send(errorBody(refusal));
}
