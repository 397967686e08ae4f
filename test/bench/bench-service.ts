// The partner's service for the bench: only the few routes that move bolts, cheap, and all of it adjustable.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { z } from 'zod';
import { Emitter } from '../../src/support/emitter.ts';
import { silentLog } from '../../src/support/log.ts';

const LOOPBACK = '127.0.0.1';

/** Long enough that no bench sees a token renewed, in seconds. */
const TOKEN_LIFETIME_S = 86_400;

/** "Bolt is jammed" (specification, Device command error codes). */
const JAMMED = 32;

export type LockState = 'Locked' | 'Unlocked' | 'Unknown';

/** What happens to one command: how long the bolt travels, and whether it jams on its way. */
export interface Travel {
  readonly ms: number;
  readonly jams: boolean;
}

/** Instants are milliseconds of `performance.now()`. */
export interface Arrival {
  readonly lockId: string;
  readonly at: number;
}

export interface BoltPosition extends Arrival {
  /** Goes on living: its end may not have been asked for yet. */
  readonly command: Command;
}

export interface Command {
  readonly id: string;
  readonly lockId: string;
  readonly target: LockState;
  state: 'Pending' | 'Successful' | 'Failed';
  /** How often its end was asked for. */
  polls: number;
}

/** The events for which a bench may wait. */
interface Messages {
  readonly arrived: Arrival;
  readonly accepted: Arrival;
  readonly rested: BoltPosition;
}

type Kind = 'list' | 'command' | 'outcome' | 'history' | 'token';

const moveSchema = z.object({ data: z.object({ lockState: z.enum(['Locked', 'Unlocked']) }) });

/** One account with `locks` deadbolts, all locked, on a loopback address of its own. */
export class BenchService {
  /** Every lock's state as the service would list it, by the lock's id. */
  readonly locks = new Map<string, LockState>();
  /** Calls so far, by kind. */
  readonly calls: Record<Kind, number> = { list: 0, command: 0, outcome: 0, history: 0, token: 0 };
  /** Added to every answer of the device interface, in milliseconds. */
  delayMs = 0;
  travel: () => Travel = () => ({ ms: 0, jams: false });
  readonly #message: { readonly [K in keyof Messages]: Emitter<Messages[K]> } = {
    arrived: new Emitter(silentLog),
    accepted: new Emitter(silentLog),
    rested: new Emitter(silentLog),
  };
  readonly #server: Server;
  readonly #commands = new Map<string, Command>();
  /** The listed position of each lock, and since when. */
  readonly #listed = new Map<string, { readonly state: LockState; readonly since: string }>();
  #port = 0;
  #subscriber: Pool | null = null;

  static async open(locks: number): Promise<BenchService> {
    const service = new BenchService(locks);
    await service.revive();
    return service;
  }

  private constructor(locks: number) {
    for (let index = 1; index <= locks; index += 1) {
      this.locks.set(`lock-${String(index).padStart(3, '0')}`, 'Locked');
    }
    this.#server = createServer({ keepAlive: true }, (request, response) => {
      void this.#answer(request, response);
    });
  }

  get url(): string {
    return `http://${LOOPBACK}:${String(this.#port)}`;
  }

  get totalCalls(): number {
    return Object.values(this.calls).reduce((sum, count) => sum + count, 0);
  }

  /** Tells this address of every bolt that came to rest: the limit has no other way to hear of it. */
  notify(url: string): void {
    this.#subscriber = new Pool(url, { connections: 4 });
  }

  /** A hand locks the door, which frees a jammed bolt. */
  lockByHand(lockId: string): void {
    this.locks.set(lockId, 'Locked');
    this.#notify(lockId, { current: 1, target: 1 });
  }

  /** From now on there is no service: open connections are cut, and no new one succeeds. */
  async die(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  /** Listens, at the same address as before if there was one. */
  async revive(): Promise<void> {
    this.#server.listen(this.#port, LOOPBACK);
    await once(this.#server, 'listening');
    const address = this.#server.address();
    this.#port = typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** Resolves with the next command for this lock to arrive. */
  async arrival(lockId: string): Promise<Arrival> {
    return this.#next('arrived', lockId);
  }

  /** Resolves when the next command for this lock is answered. */
  async acceptance(lockId: string): Promise<Arrival> {
    return this.#next('accepted', lockId);
  }

  /** Resolves when the bolt of this lock comes to rest, or jams. */
  async rest(lockId: string): Promise<BoltPosition> {
    return this.#next('rested', lockId);
  }

  async close(): Promise<void> {
    await this.die();
    await this.#subscriber?.destroy();
  }

  async #next<K extends keyof Messages>(kind: K, lockId: string): Promise<Messages[K]> {
    return new Promise((resolve) => {
      const look = (message: Messages[K]): void => {
        if (message.lockId === lockId) {
          off();
          resolve(message);
        }
      };
      const off = this.#message[kind].subscribe(look);
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = performance.now();
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    if (pathname === '/auth/OAuth2/authorize') {
      const back = new URL(searchParams.get('redirect_uri') ?? this.url);
      back.searchParams.set('state', searchParams.get('state') ?? '');
      back.searchParams.set('code', 'code');
      response.writeHead(302, { location: back.href }).end();
      return;
    }
    if (pathname.startsWith('/auth/OAuth2/token')) {
      this.calls.token += 1;
      reply(response, 200, {
        access_token: 'access',
        token_type: 'Bearer',
        expires_in: TOKEN_LIFETIME_S,
        refresh_token: 'refresh',
      });
      return;
    }
    if (pathname.endsWith('/history')) {
      this.calls.history += 1;
      await this.#pause();
      reply(response, 200, []);
      return;
    }
    const [, lockId = '', commandId = ''] =
      /^\/api\/locks\/devices(?:\/([^/]+)\/commands(?:\/([^/]+))?)?$/.exec(pathname) ?? [];
    await this.#device(request, response, { lockId, commandId, at });
  }

  async #device(
    request: IncomingMessage,
    response: ServerResponse,
    { lockId, commandId, at }: { lockId: string; commandId: string; at: number },
  ): Promise<void> {
    if (request.method === 'POST') {
      this.calls.command += 1;
      this.#message.arrived.emit({ lockId, at });
      const { data } = moveSchema.parse(JSON.parse(await text(request)));
      const command = this.#begin(lockId, data.lockState);
      await this.#pause();
      const location = `${this.url}${request.url ?? ''}/${command.id}`;
      reply(response, 202, body(command), { location });
      this.#message.accepted.emit({ lockId, at: performance.now() });
      return;
    }
    const command = this.#commands.get(commandId);
    this.calls[command === undefined ? 'list' : 'outcome'] += 1;
    await this.#pause();
    if (command !== undefined) {
      command.polls += 1;
    }
    reply(response, 200, command === undefined ? this.#list() : body(command));
  }

  async #pause(): Promise<void> {
    if (this.delayMs > 0) {
      await sleep(this.delayMs);
    }
  }

  #begin(lockId: string, target: LockState): Command {
    const id = `command-${String(this.#commands.size + 1)}`;
    const command: Command = { id, lockId, target, state: 'Pending', polls: 0 };
    this.#commands.set(id, command);
    const { ms, jams } = this.travel();
    setTimeout(() => {
      this.#rest(command, jams);
    }, ms);
    return command;
  }

  #rest(command: Command, jams: boolean): void {
    const { lockId, target } = command;
    const before = this.locks.get(lockId);
    command.state = jams ? 'Failed' : 'Successful';
    this.locks.set(lockId, jams ? 'Unknown' : target);
    this.#message.rested.emit({ lockId, at: performance.now(), command });
    // HomeKit: 0 unlocked, 1 locked, 2 jammed; after a jam the target is where the bolt was.
    const position = (jams ? before : target) === 'Locked' ? 1 : 0;
    this.#notify(lockId, { current: jams ? 2 : position, target: position });
  }

  #notify(lockId: string, state: { readonly current: number; readonly target: number }): void {
    void this.#subscriber
      ?.request({
        method: 'POST',
        path: `/locks/${lockId}`,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(state),
      })
      .then(async (answer) => answer.body.dump());
  }

  #list(): unknown {
    const now = new Date().toISOString();
    for (const [id, state] of this.locks) {
      if (this.#listed.get(id)?.state !== state) {
        this.#listed.set(id, { state, since: now });
      }
    }
    return [...this.locks].map(([id, lockState], index) => ({
      role: 'owner',
      id,
      name: `Door ${id.slice(-3)}`,
      type: 'WifiDeadbolt',
      lockState,
      batteryState: 'Normal',
      modelName: 'Model-D1',
      serialNumber: `0000B${String(index).padStart(5, '0')}`,
      percentageBatteryLevel: 80,
      connected: true,
      lastConnectedToCloud: '2025-01-02T09:31:00.000Z',
      lastUpdated: this.#listed.get(id)?.since ?? now,
      created: '2025-01-02T09:30:00.000Z',
      timezoneOffset: '-04:00',
      firmwareVersion: '10.21.0',
      wifiRssi: -58,
      features: { vlac: true, activityAlarm: false },
    }));
  }
}

function body({ id, lockId, target, state }: Command): unknown {
  const failure = { statusCode: 409, errorCode: JAMMED, errorMessage: 'Bolt is jammed' };
  return {
    commandId: id,
    deviceId: lockId,
    state,
    name: 'ChangeLockState',
    data: {
      lockState: state === 'Successful' ? target : 'Unknown',
      error: state === 'Failed' ? failure : null,
    },
  };
}

function reply(
  response: ServerResponse,
  status: number,
  content: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(content));
}
