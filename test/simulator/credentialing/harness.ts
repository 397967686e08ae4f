// A credentialing interface of its own on loopback, with a clock moved by hand.
import Fastify, { type FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { GATEWAY_BODIES } from '../../../src/simulator/contract/errors.ts';
import { credentialingRoutes } from '../../../src/simulator/credentialing/credentialing-routes.ts';
import { CredentialingService } from '../../../src/simulator/credentialing/credentialing-service.ts';
import type { CredentialingSettings } from '../../../src/simulator/credentialing/credentialing-settings.ts';
import { ManualClock } from '../../support/manual-clock.ts';

export const KEY = 'key-one-a';
export const SECOND_KEY = 'key-one-b';
export const OTHER_CLIENT_KEY = 'key-two-a';

const CLIENT_OF_KEY: Readonly<Record<string, string>> = {
  [KEY]: 'client-1',
  [SECOND_KEY]: 'client-1',
  [OTHER_CLIENT_KEY]: 'client-2',
};

export const PASSWORD = 'a pretend password';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
}

export interface CallOptions {
  readonly key?: string | null;
  readonly token?: string | null;
  readonly body?: unknown;
  readonly rawBody?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export class CredentialingHarness {
  readonly clock = new ManualClock();
  readonly service: CredentialingService;
  readonly #server: FastifyInstance;
  #url = '';

  private constructor(settings: Partial<CredentialingSettings>) {
    let ids = 0;
    let tokens = 0;
    const user = { password: PASSWORD, mayIssueRestricted: false };
    this.service = new CredentialingService({
      now: () => this.clock.now(),
      newId: () => {
        ids += 1;
        return `c4c4c4c4-0000-4000-8000-${String(ids).padStart(12, '0')}`;
      },
      newToken: () => {
        tokens += 1;
        return `token-${String(tokens)}`;
      },
      users: [
        { ...user, clientId: 'client-1', username: 'site-admin', role: 'Administrator' },
        { ...user, clientId: 'client-1', username: 'site-manager', role: 'Manager' },
        { ...user, clientId: 'client-1', username: 'site-operator', role: 'Operator' },
        {
          ...user,
          clientId: 'client-1',
          username: 'restricted-admin',
          role: 'Administrator',
          mayIssueRestricted: true,
        },
        { ...user, clientId: 'client-2', username: 'other-admin', role: 'Administrator' },
      ],
      settings,
    });
    this.#server = Fastify();
    void this.#server.register(credentialingRoutes, {
      service: this.service,
      checkKey: (request, reply) => {
        const clientId = CLIENT_OF_KEY[String(request.headers['vendor-subscription-key'])];
        if (clientId === undefined) {
          reply.code(401).send(GATEWAY_BODIES.keyWrong);
          return undefined;
        }
        return { clientId };
      },
    });
  }

  /** Starts the interface for the running test; it ends with it. */
  static async start(settings: Partial<CredentialingSettings> = {}): Promise<CredentialingHarness> {
    const harness = new CredentialingHarness(settings);
    harness.#url = await harness.#server.listen({ host: '127.0.0.1', port: 0 });
    onTestFinished(() => harness.#stop());
    return harness;
  }

  async #stop(): Promise<void> {
    await this.#server.close();
  }

  /** Calls a path after `/SMC` with the first client's key by default. */
  async call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const { key = KEY, token = null, body, rawBody, headers = {} } = options;
    const text = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(`${this.#url}/SMC${path}`, {
      method,
      headers: {
        ...(key === null ? {} : { 'vendor-subscription-key': key }),
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(text === undefined ? {} : { body: text }),
    });
    const answer = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text: answer,
      body: answer === '' ? undefined : JSON.parse(answer),
    };
  }

  async logIn(username = 'site-admin', key = KEY): Promise<string> {
    const answer = await this.call('POST', '/authentication/token', {
      key,
      body: { username, password: PASSWORD },
    });
    return z.object({ token: z.string() }).parse(answer.body).token;
  }
}
