// Tries everything that is needed to reach the locks, each by itself: the client, the token, and both keys.
import type { AuthorizationServer } from '../domain/ports.ts';
import type { ServiceCheck, ServiceCheckup, Verdict } from '../domain/service-check.ts';
import type { Clock } from '../support/clock.ts';
import { LatchkeyError, messageOf } from '../support/errors.ts';
import { deviceEndpoints } from '../wire/endpoints.ts';
import { type AccessTokens, DeviceInterface, type DeviceInterfaceSettings } from './device-interface.ts';
import type { ServiceTime } from './service-time.ts';

export interface CheckupParts {
  readonly server: Pick<AuthorizationServer, 'refresh'>;
  readonly tokens: Pick<AccessTokens, 'accessToken'>;
  readonly device: Omit<DeviceInterfaceSettings, 'tokens' | 'clock' | 'serviceTime'>;
  readonly productSegment: string;
  readonly clock: Clock;
  readonly serviceTime: ServiceTime;
}

/** A token that nobody was ever given: a server that knows the client refuses it, one that does not says that first. */
const NOBODYS_TOKEN = 'latchkey-doctor';

const FINE: Verdict = { ok: true };

/** What one key met: whether it was taken, and what the service made of the token that came with it. */
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
    const authorization = await this.#askForNobody();
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

  /** A refusal that is about the token means that the client was recognised. Nothing of the real link is spent. */
  async #askForNobody(): Promise<Verdict> {
    try {
      await this.#parts.server.refresh(NOBODYS_TOKEN);
      return FINE;
    } catch (error) {
      const verdict = verdictOf(error);
      return !verdict.ok && verdict.disposition === 'relink' ? FINE : verdict;
    }
  }

  /** None while they are missing, which the configuration is told for. */
  #keys(): readonly string[] {
    try {
      return this.#parts.device.subscriptionKeys();
    } catch {
      return [];
    }
  }

  async #token(): Promise<{ token: string; verdict: Verdict }> {
    try {
      return { token: await this.#parts.tokens.accessToken(), verdict: FINE };
    } catch (error) {
      return { token: NOBODYS_TOKEN, verdict: verdictOf(error) };
    }
  }

  /** The gateway looks at the key before it looks at the token (wire contract 0, order of checks). */
  async #tryKey(key: string, token: string): Promise<KeyTrial> {
    const { clock, serviceTime, device, productSegment } = this.#parts;
    let tokenRefused = false;
    const tokens: AccessTokens = {
      accessToken: async () => Promise.resolve(token),
      readyToken: () => token,
      invalidate: () => {
        tokenRefused = true;
      },
    };
    const trial = new DeviceInterface({
      ...device,
      subscriptionKeys: () => [key],
      tokens,
      clock,
      serviceTime,
    });
    try {
      await trial.read(deviceEndpoints(productSegment).devices);
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
