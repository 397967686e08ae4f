// The credentialing interface of a simulator with two clients, and logins of every role.
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import type { ManualClock } from '../../../test/support/manual-clock.ts';
import { SecretMint } from '../../src/auth/secret-mint.ts';
import type { CredentialingSettings } from '../../src/credentialing/credentialing-settings.ts';
import { type Answer, call, Fixture } from '../server/partner.ts';

export const KEY = 'key-one-a';
export const SECOND_KEY = 'key-one-b';
export const OTHER_CLIENT_KEY = 'key-two-a';
export const PASSWORD = 'a pretend password';

const SEED = 'credentials';
/** The id of the first credential that such a simulator issues. */
export const FIRST_ID = new SecretMint(SEED).uuid('credential');

const user = { clientId: 'client-1', password: PASSWORD, mayIssueRestricted: false };
const USERS = [
  { ...user, username: 'site-admin', role: 'Administrator' as const },
  { ...user, username: 'site-manager', role: 'Manager' as const },
  { ...user, username: 'site-operator', role: 'Operator' as const },
  { ...user, username: 'restricted-admin', role: 'Administrator' as const, mayIssueRestricted: true },
  { ...user, username: 'other-admin', role: 'Administrator' as const, clientId: 'client-2' },
];

interface CallOptions {
  readonly key?: string | null;
  readonly token?: string | null;
  /** Text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export class CredentialingHarness {
  readonly clock: ManualClock;
  readonly #fixture: Fixture;

  private constructor(fixture: Fixture) {
    this.#fixture = fixture;
    this.clock = fixture.clock;
  }

  /** Starts the interface for the running test; it ends with it. */
  static async start(settings: Partial<CredentialingSettings> = {}): Promise<CredentialingHarness> {
    const scenario = {
      clients: [
        { clientId: 'client-1', subscriptionKeys: [KEY, SECOND_KEY] as [string, string] },
        { clientId: 'client-2', subscriptionKeys: [OTHER_CLIENT_KEY, 'key-two-b'] as [string, string] },
      ],
      credentialingUsers: USERS,
      settings: { credentialing: settings },
    };
    const fixture = await Fixture.start({ seed: SEED, scenario });
    onTestFinished(() => fixture.close());
    return new CredentialingHarness(fixture);
  }

  /** Calls a path after `/SMC` with the first client's key by default. */
  async call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const { key = KEY, token = null, body, headers = {} } = options;
    return call(`${this.#fixture.simulator.credentialsBaseUrl}/SMC${path}`, {
      method,
      headers: {
        ...(key === null ? {} : { 'vendor-subscription-key': key }),
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body,
    });
  }

  /** A switch of the interface. */
  async control(action: string, details: object = {}): Promise<void> {
    await this.#fixture.control(`house/${action}`, details);
  }

  async logIn(username = 'site-admin', key = KEY): Promise<string> {
    const body = { username, password: PASSWORD };
    const answer = await this.call('POST', '/authentication/token', { key, body });
    return z.object({ token: z.string() }).parse(answer.json).token;
  }
}
