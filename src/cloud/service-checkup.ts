// Checks each part of the access to the locks by itself: the client, the token, and both keys.
import type { AuthorizationServer } from '../domain/ports.ts';
import type { ServiceCheck, ServiceCheckup, Verdict } from '../domain/service-check.ts';
import { inTime } from '../support/clock.ts';
import { LatchkeyError, messageOf, RetryError } from '../support/errors.ts';
import { deviceEndpoints } from '../wire/endpoints.ts';
import { type AccessTokens, DeviceInterface, type DeviceInterfaceSettings } from './device-interface.ts';

export interface CheckupParts extends Omit<DeviceInterfaceSettings, 'tokens'> {
  readonly server: Pick<AuthorizationServer, 'refresh'>;
  readonly tokens: Pick<AccessTokens, 'accessToken'>;
  readonly productSegment: string;
}

/** A refresh token that was never issued: a server that knows the client refuses it, else it refuses the client. */
const NEVER_ISSUED = 'latchkey-doctor';

/** A check gives up waiting for the authorization server after this long (our choice). */
const ANSWER_WITHIN_MS = 10_000;

const FINE: Verdict = { ok: true };

/** Whether one key was accepted, and whether the token sent with it was refused. */
interface KeyTrial {
  readonly key: Verdict;
  readonly tokenRefused: boolean;
}

export class CloudCheckup implements ServiceCheckup {
  readonly #parts: CheckupParts;

  constructor(parts: CheckupParts) {
    this.#parts = parts;
  }

  async check(): Promise<ServiceCheck> {
    const authorization = await this.#checkClient();
    const { token, verdict } = await this.#token();
    const trials: KeyTrial[] = [];
    for (const key of this.#keys()) {
      trials.push(await this.#tryKey(key, token));
    }
    const refused = verdict.ok && trials.some(({ tokenRefused }) => tokenRefused);
    return {
      authorization,
      token: refused ? TOKEN_REFUSED : verdict,
      keys: trials.map(({ key }) => key),
      clock: this.#parts.serviceTime.skew(),
      checkedAt: this.#parts.clock.now(),
    };
  }

  /** A refusal of the token proves that the client is known. The real link is not touched. */
  async #checkClient(): Promise<Verdict> {
    try {
      await inTime(
        this.#parts.clock,
        ANSWER_WITHIN_MS,
        this.#parts.server.refresh(NEVER_ISSUED),
        () => new RetryError('timed-out', 'The authorization server did not answer in time.'),
      );
      return FINE;
    } catch (error) {
      const verdict = verdictOf(error);
      return !verdict.ok && verdict.disposition === 'relink' ? FINE : verdict;
    }
  }

  /** None while they are missing: the configuration's own check reports that. */
  #keys(): readonly string[] {
    try {
      return this.#parts.subscriptionKeys();
    } catch {
      return [];
    }
  }

  async #token(): Promise<{ token: string; verdict: Verdict }> {
    try {
      return { token: await this.#parts.tokens.accessToken(), verdict: FINE };
    } catch (error) {
      return { token: NEVER_ISSUED, verdict: verdictOf(error) };
    }
  }

  /** The gateway looks at the key before it looks at the token (wire contract 0, order of checks). */
  async #tryKey(key: string, token: string): Promise<KeyTrial> {
    let tokenRefused = false;
    const tokens: AccessTokens = {
      accessToken: async () => Promise.resolve(token),
      invalidate: () => {
        tokenRefused = true;
      },
      accepted: () => {},
    };
    const trial = new DeviceInterface({ ...this.#parts, subscriptionKeys: () => [key], tokens });
    try {
      await trial.read(deviceEndpoints(this.#parts.productSegment).devices, 'list');
      return { key: FINE, tokenRefused };
    } catch (error) {
      return { key: tokenRefused ? FINE : verdictOf(error), tokenRefused };
    } finally {
      await trial.close();
    }
  }
}

const TOKEN_REFUSED: Verdict = {
  ok: false,
  disposition: 'retry',
  code: 'server-fault',
  message: 'The service refused an access token that should be good.',
};

function verdictOf(error: unknown): Verdict {
  return error instanceof LatchkeyError
    ? { ok: false, disposition: error.disposition, code: error.code, message: error.message }
    : { ok: false, disposition: 'final', code: 'bad-request', message: messageOf(error) };
}
