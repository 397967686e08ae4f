// A linked partner beside a running simulator, who makes the control calls of a document and the partner's calls beside them.
import { z } from 'zod';
import { type Answer, call, Fixture, type Partner } from './server/partner.ts';
import { readCall } from './simulator-document.ts';
import { Receiver } from './webhooks/receiver.ts';

const SECOND_MS = 1000;

/** The document: what hangs on a motor or a keypad holds by then. */
const MOTOR_MS = 5 * SECOND_MS;
/** Past the limit of every command (wire contract 3). */
const COMMAND_MS = 61 * SECOND_MS;
/** What a row does happens in a house where nothing has happened for so long. */
const BEFORE_MS = 600 * SECOND_MS;

/** A linked partner with a receiver of webhooks and a login, before a simulator that is ten minutes old. */
export class Stand {
  readonly fixture: Fixture;
  readonly #partner: Partner;
  readonly #login: string;
  readonly #receiver: Receiver;
  #last: Answer | undefined;

  private constructor(fixture: Fixture, partner: Partner, login: string, receiver: Receiver) {
    this.fixture = fixture;
    this.#partner = partner;
    this.#login = login;
    this.#receiver = receiver;
  }

  static async open(): Promise<Stand> {
    const fixture = await Fixture.start({ webhooks: { allowHttpToLoopback: true } });
    const partner = await fixture.link();
    const receiver = await Receiver.start();
    await partner.call('/events/subscriptions', { method: 'POST', body: { url: receiver.url() } });
    const login = await logIn(fixture);
    await fixture.clock.advance(BEFORE_MS);
    return new Stand(fixture, partner, login, receiver);
  }

  async close(): Promise<void> {
    await this.fixture.close();
    await this.#receiver.stop();
  }

  /** One control call, and time for what it started. */
  async act(code: string): Promise<void> {
    const { what, details } = readCall(code);
    await this.fixture.control(what, details ?? {});
    await this.fixture.clock.advance(MOTOR_MS);
  }

  /** The answer to a partner; an answer with every received body for WEBHOOK. */
  async ask(code: string): Promise<Answer> {
    this.#last = await this.#ask(code);
    return this.#last;
  }

  async #ask(code: string): Promise<Answer> {
    const { what, details } = readCall(this.withIds(code));
    const [verb = '', path = '', ...rest] = what.split(' ');
    switch (verb) {
      case 'WEBHOOK':
        await this.fixture.simulator.deliveriesIdle();
        return { status: 200, headers: {}, text: '', json: this.#receiver.events };
      case 'COMMAND':
        return this.#command(details);
      case 'AUTHORIZE':
        return this.fixture.authorize(membersOf(details));
      case 'TOKEN':
        return this.#token(membersOf(details));
      default:
        return path.startsWith('/SMC/')
          ? this.#credentialing(verb, path)
          : this.#call(verb, path, details, rest.join(' '));
    }
  }

  /** `{Front door}` and the like as ids. */
  withIds(code: string): string {
    return code.replaceAll(/\{([A-Z][a-z]+ [a-z]+)\}/g, (_whole, name: string) => this.fixture.lockId(name));
  }

  async #command(body: unknown): Promise<Answer> {
    const path = `/devices/${this.fixture.lockId()}/commands`;
    const accepted = await this.#partner.call(path, { method: 'POST', body });
    if (accepted.status !== 202) {
      throw new Error(`The command was not accepted: ${accepted.text}`);
    }
    await this.fixture.clock.advance(COMMAND_MS);
    return call(accepted.headers['location'] ?? '', { headers: this.#partner.headers });
  }

  async #token(members: Readonly<Record<string, string | null>>): Promise<Answer> {
    if (members['grant_type'] === 'authorization_code') {
      return this.fixture.exchange(members);
    }
    const last = z.object({ refresh_token: z.string() }).safeParse(this.#last?.json).data?.refresh_token;
    const named = members['refresh_token'] === '{last}' ? { refresh_token: last ?? null } : {};
    return this.fixture.token({ refresh_token: this.#partner.refreshToken, ...members, ...named });
  }

  async #credentialing(method: string, path: string): Promise<Answer> {
    return call(`${this.fixture.simulator.credentialsBaseUrl}${path}`, {
      method,
      headers: { ...this.#partner.headers, authorization: `Bearer ${this.#login}` },
    });
  }

  async #call(method: string, path: string, body: unknown, remark: string): Promise<Answer> {
    const key = /^\(key (.*)\)$/.exec(remark)?.[1];
    const { baseUrl, productSegment } = this.fixture.simulator;
    return call(`${baseUrl}/${productSegment}${path}`, {
      method,
      body,
      headers: {
        ...this.#partner.headers,
        ...(key === undefined ? {} : { 'vendor-subscription-key': key }),
      },
    });
  }
}

async function logIn(fixture: Fixture): Promise<string> {
  const [user] = fixture.simulator.credentialingUsers;
  const answer = await call(`${fixture.simulator.credentialsBaseUrl}/SMC/authentication/token`, {
    method: 'POST',
    headers: { 'vendor-subscription-key': fixture.client().subscriptionKeys[0] },
    body: { username: user?.username, password: user?.password },
  });
  return Object.values(z.record(z.string(), z.unknown()).parse(answer.json)).find(
    (value) => typeof value === 'string',
  ) as string;
}

const membersOf = (details: unknown): Record<string, string | null> =>
  z.record(z.string(), z.string().nullable()).parse(details ?? {});
