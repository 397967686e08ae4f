// A partner for tests: speaks to a simulator over real HTTP and shows answers whole, as a judge wants to see them.
import { request } from 'undici';
import { z } from 'zod';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { type Simulator, type SimulatorOptions, startSimulator } from '../../src/partner-server.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** The body as JSON; undefined when it is none. */
  readonly json: unknown;
}

export interface Call {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
}

/** One request on a connection of its own making; redirects are shown, not followed. */
export async function call(url: string, { method = 'GET', headers = {}, body }: Call = {}): Promise<Answer> {
  const answer = await request(url, {
    method,
    headers:
      body === undefined || typeof body === 'string'
        ? headers
        : { 'content-type': 'application/json', ...headers },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await answer.body.text();
  return {
    status: answer.statusCode,
    headers: Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)])),
    text,
    json: parse(text),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A simulator on a clock that stands still, with everything that a partner would know of it. */
export class Fixture {
  readonly simulator: Simulator;
  readonly clock: ManualClock;

  private constructor(simulator: Simulator, clock: ManualClock) {
    this.simulator = simulator;
    this.clock = clock;
  }

  /** Consent is given by itself, for the resident, unless the options say otherwise. */
  static async start(options: SimulatorOptions = {}): Promise<Fixture> {
    const clock = new ManualClock();
    const authorization = { autoApproveUserId: 'resident', ...options.authorization };
    return new Fixture(await startSimulator({ clock, ...options, authorization }), clock);
  }

  async close(): Promise<void> {
    await this.simulator.close();
  }

  client(index = 0) {
    const client = this.simulator.clients[index];
    if (client === undefined) {
      throw new Error(`There is no client ${String(index)}`);
    }
    return client;
  }

  redirectUri(index = 0): string {
    return this.client(index).redirectUris[0] ?? '';
  }

  /** `GET /OAuth2/authorize`; null leaves a parameter out. */
  async authorize(changes: Readonly<Record<string, string | null>> = {}, index = 0): Promise<Answer> {
    const query = filled(
      {
        client_id: this.client(index).clientId,
        redirect_uri: this.redirectUri(index),
        response_type: 'code',
        scope: 'email openid',
        state: 'xyz',
      },
      changes,
    );
    return call(`${this.simulator.authUrl}/OAuth2/authorize?${query.toString()}`);
  }

  /** A fresh authorization code. */
  async code(changes: Readonly<Record<string, string | null>> = {}, index = 0): Promise<string> {
    return locationOf(await this.authorize(changes, index)).searchParams.get('code') ?? '';
  }

  /** `POST /OAuth2/token` with the client's own pair; null leaves a field out. */
  async token(changes: Readonly<Record<string, string | null>>, index = 0): Promise<Answer> {
    const { clientId, clientSecret } = this.client(index);
    const form = filled({ client_id: clientId, client_secret: clientSecret }, changes);
    return call(`${this.simulator.authUrl}/OAuth2/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    });
  }

  /** Exchanges a code, which is asked for when none is given. */
  async exchange(changes: Readonly<Record<string, string | null>> = {}, index = 0): Promise<Answer> {
    const code = 'code' in changes ? changes['code'] : await this.code({}, index);
    return this.token(
      {
        grant_type: 'authorization_code',
        redirect_uri: this.redirectUri(index),
        ...changes,
        code: code ?? null,
      },
      index,
    );
  }

  async refresh(
    refreshToken: string | null,
    changes: Readonly<Record<string, string | null>> = {},
    index = 0,
  ) {
    return this.token({ grant_type: 'refresh_token', refresh_token: refreshToken, ...changes }, index);
  }

  /** Links an account through the real flow. */
  async link(userId = 'resident', index = 0): Promise<Partner> {
    await this.control('house/configure-authorization', { autoApproveUserId: userId });
    const pair = tokensOf(await this.exchange({}, index));
    return new Partner(this, index, pair.access_token, pair.refresh_token);
  }

  /** One control call; expects it to be done and gives back its result. */
  async control(path: string, details: unknown = {}): Promise<unknown> {
    const answer = await call(`${this.simulator.controlUrl}/${path}`, { method: 'POST', body: details });
    if (answer.status !== 200) {
      throw new Error(`The control call ${path} answered ${String(answer.status)}: ${answer.text}`);
    }
    return doneSchema.parse(answer.json).result;
  }

  /** The id of a lock by its name. */
  lockId(name = 'Front door'): string {
    const { world } = this.simulator;
    const id = world.deviceIds().find((deviceId) => world.inspect(deviceId).name === name);
    if (id === undefined) {
      throw new Error(`There is no lock called ${name}`);
    }
    return id;
  }
}

/** A linked account: calls the device interface with both headers. */
export class Partner {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly #fixture: Fixture;

  constructor(fixture: Fixture, index: number, accessToken: string, refreshToken: string) {
    this.#fixture = fixture;
    this.accessToken = accessToken;
    this.refreshToken = refreshToken;
    this.headers = {
      authorization: `Bearer ${accessToken}`,
      'vendor-subscription-key': fixture.client(index).subscriptionKeys[0],
    };
  }

  /** A call below `{base_url}/<product-segment>`. */
  async call(path: string, options: Call = {}): Promise<Answer> {
    const { baseUrl, productSegment } = this.#fixture.simulator;
    return call(`${baseUrl}/${productSegment}${path}`, {
      ...options,
      headers: { ...this.headers, ...options.headers },
    });
  }

  async command(deviceId: string, name: unknown, data?: unknown): Promise<Answer> {
    return this.call(`/devices/${deviceId}/commands`, { method: 'POST', body: { name, data } });
  }
}

export function locationOf(answer: Answer): URL {
  return new URL(answer.headers['location'] ?? 'about:blank');
}

const doneSchema = z.object({ done: z.literal(true), result: z.unknown() });

const tokensSchema = z.object({ access_token: z.string(), refresh_token: z.string() });

/** The pair of a token answer; fails the test when it is none. */
export function tokensOf(answer: Answer): z.output<typeof tokensSchema> {
  return tokensSchema.parse(answer.json);
}

function filled(
  defaults: Readonly<Record<string, string>>,
  changes: Readonly<Record<string, string | null>>,
): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...defaults, ...changes })) {
    if (value !== null) {
      form.set(name, value);
    }
  }
  return form;
}
