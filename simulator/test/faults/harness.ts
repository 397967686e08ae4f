// A small service behind the fault hooks: it counts its work, and has a gateway, an error and a control route.
import Fastify, { type FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { type Fault, faultSchema } from '../../src/faults/fault.ts';
import type { Interface } from '../../src/faults/fault-answers.ts';
import { FaultBoard } from '../../src/faults/fault-board.ts';
import { installFaults } from '../../src/faults/fault-hooks.ts';

export const DEVICES = '/api/locks/devices';
export const COMMANDS = '/api/locks/devices/6c1d/commands';

export const DEVICE = {
  id: '6c1d',
  name: 'Front door',
  lockState: 'Locked',
  percentageBatteryLevel: 87,
  lastUpdated: '2026-04-14T12:00:03.120Z',
};
export const FAILED_COMMAND = {
  commandId: '77aa',
  state: 'Failed',
  name: 'ChangeLockState',
  data: {
    lockState: 'Unknown',
    error: { statusCode: 409, errorCode: 32, errorMessage: 'Bolt is jammed' },
  },
};

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const connectionError = z.object({ cause: z.object({ code: z.string() }) });

export class FaultHarness {
  readonly clock = new ManualClock();
  readonly board: FaultBoard;
  /** Calls that reached the service's work. */
  worked = 0;
  /** Calls that reached the service's gateway. */
  entered = 0;
  url = '';
  readonly server: FastifyInstance;

  private constructor(seed: string) {
    this.board = new FaultBoard(seed);
    const app = Fastify();
    this.server = app;
    app.addHook('onSend', async (_request, reply) => {
      reply.header('date', new Date(this.clock.now()).toUTCString());
    });
    installFaults(app, { board: this.board, clock: this.clock, seed, interfaceOf });
    void app.register(async (scope) => {
      this.#addRoutes(scope);
    });
  }

  /** Starts a service for the running test, with these faults armed; it ends with the test. */
  static async start(...faults: readonly z.input<typeof faultSchema>[]): Promise<FaultHarness> {
    const harness = await FaultHarness.startWithSeed('seed');
    for (const fault of faults) {
      harness.arm(fault);
    }
    return harness;
  }

  static async startWithSeed(seed: string): Promise<FaultHarness> {
    const harness = new FaultHarness(seed);
    harness.url = await harness.server.listen({ host: '127.0.0.1', port: 0 });
    onTestFinished(() => harness.#stop());
    return harness;
  }

  async #stop(): Promise<void> {
    this.server.server.closeAllConnections();
    await this.server.close();
  }

  /** Arms a fault as the control API would. */
  arm(fault: z.input<typeof faultSchema>): Fault {
    const parsed = faultSchema.parse(fault);
    this.board.arm(parsed);
    return parsed;
  }

  async call(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      redirect: 'manual',
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  /** Calls and answers the status, or the code of what happened to the connection. */
  async outcome(method: string, path: string, body?: unknown): Promise<number | string> {
    try {
      return (await this.call(method, path, body)).status;
    } catch (error) {
      return connectionError.parse(error).cause.code;
    }
  }

  #addRoutes(app: FastifyInstance): void {
    app.addHook('onRequest', async () => {
      this.entered += 1;
    });
    const answer = (value: unknown) => async (): Promise<unknown> => {
      this.worked += 1;
      return value;
    };
    app.get(DEVICES, answer([DEVICE]));
    app.get('/api/locks/devices/:deviceId', answer(DEVICE));
    app.get('/api/locks/devices/:deviceId/commands/:commandId', answer(FAILED_COMMAND));
    app.post('/api/locks/devices/:deviceId/commands', async (_request, reply) => {
      this.worked += 1;
      return reply.code(202).send({ commandId: '77aa', state: 'Pending' });
    });
    app.get('/api/locks/devices/:deviceId/history', answer([{ timestamp: '2026-04-14T08:15:30.250-04:00' }]));
    app.post('/auth/OAuth2/token', answer({ access_token: 'a' }));
    app.get('/credentials/SMC/credentials/mobile', async (_request, reply) => {
      reply.header('x-rate-limit-reset', '1776168060');
      return [];
    });
    app.get('/_control/state', answer({ locks: 3 }));
  }
}

function interfaceOf(path: string): Interface | null {
  if (path.startsWith('/auth/')) {
    return 'authorization';
  }
  if (path.startsWith('/credentials/')) {
    return 'credentialing';
  }
  return path.startsWith('/api/') ? 'device' : null;
}
