// Checks each part of the access to the locks by itself: the client, the token, and both keys.

import type { ServiceCheck, Verdict } from '../domain/account/service-check.ts';
import { message } from '../domain/language/message.ts';
import type { AuthorizationServer } from '../domain/ports.ts';
import { inTime } from '../support/clock.ts';
import { FinalError, LatchkeyError, RetryError, wordsOf } from '../support/errors.ts';
import { deviceEndpoints } from '../wire/endpoints.ts';
import { SERVICE_CERTIFICATE } from '../words/certificates.ts';
import type { AccessTokens } from './account/token-session.ts';
import { DeviceInterface, type DeviceInterfaceSettings } from './device-interface.ts';
import { certificateFaultOf } from './http/certificate-faults.ts';

/** A refresh token that was never issued: a server that knows the client refuses it, else it refuses the client. */
const NEVER_ISSUED = 'latchkey-doctor';

/** A check gives up waiting for the authorization server after this long (our choice). */
const ANSWER_WITHIN_MS = 10_000;

const FINE: Verdict = { ok: true };

const TOKEN_REFUSED: Verdict = {
  ok: false,
  disposition: 'retry',
  code: 'server-fault',
  message: message('The service refused an access token that should be good.'),
};

/** Never rejects. */
export async function checkService({
  server,
  tokens,
  productSegment,
  ...settings
}: Omit<DeviceInterfaceSettings, 'tokens'> & {
  readonly server: Pick<AuthorizationServer, 'refresh'>;
  readonly tokens: Pick<AccessTokens, 'accessToken'>;
  readonly productSegment: string;
}): Promise<ServiceCheck> {
  const { clock, serviceTime } = settings;
  const { devices } = deviceEndpoints(productSegment);
  // A refusal of the token proves that the client is known. The real link is not touched.
  const late = (): Error =>
    new RetryError('timed-out', message('The authorization server did not answer in time.'));
  const client = await verdictOn(inTime(clock, ANSWER_WITHIN_MS, server.refresh(NEVER_ISSUED), late));
  const authorization = !client.ok && client.disposition === 'relink' ? FINE : client;
  const held = tokens.accessToken();
  let token = await verdictOn(held);
  const accessToken = token.ok ? await held : NEVER_ISSUED;
  const keys: Verdict[] = [];
  for (const key of keysOf(settings)) {
    const trial = await tryKey(settings, devices, key, accessToken);
    keys.push(trial.key);
    token = token.ok && trial.tokenRefused ? TOKEN_REFUSED : token;
  }
  return { authorization, token, keys, clock: serviceTime.skew(), checkedAt: clock.now() };
}

/** None while they are missing: the configuration's own check reports that. */
function keysOf({ subscriptionKeys }: Pick<DeviceInterfaceSettings, 'subscriptionKeys'>): readonly string[] {
  try {
    return subscriptionKeys();
  } catch {
    return [];
  }
}

/** The gateway looks at the key before it looks at the token (wire contract 0, order of checks). */
async function tryKey(
  settings: Omit<DeviceInterfaceSettings, 'tokens'>,
  path: string,
  key: string,
  token: string,
): Promise<{ readonly key: Verdict; readonly tokenRefused: boolean }> {
  let tokenRefused = false;
  const tokens: AccessTokens = {
    accessToken: async () => Promise.resolve(token),
    invalidate: () => {
      tokenRefused = true;
    },
    accepted: () => {},
  };
  const trial = new DeviceInterface({ ...settings, subscriptionKeys: () => [key], tokens });
  const answer = await verdictOn(trial.read(path, 'list').then(assertOfService));
  await trial.close();
  return { key: tokenRefused ? FINE : answer, tokenRefused };
}

/** A page of somebody else, as of a hotel or a wrong address, is answered with success, too. */
function assertOfService({ body }: { readonly body: unknown }): void {
  if (typeof body !== 'object' || body === null) {
    throw new FinalError(
      'wire-mismatch',
      message('Something else than the service answers at this address.'),
    );
  }
}

/** Never rejects. */
export async function verdictOn(step: Promise<unknown>): Promise<Verdict> {
  try {
    await step;
    return FINE;
  } catch (error) {
    if (!(error instanceof LatchkeyError)) {
      return { ok: false, disposition: 'final', code: 'bad-request', message: wordsOf(error) };
    }
    const { disposition, code } = error;
    const certificate = certificateFaultOf(error.cause);
    return certificate === null
      ? { ok: false, disposition, code, message: wordsOf(error) }
      : { ok: false, disposition, code, message: SERVICE_CERTIFICATE[certificate].what, certificate };
  }
}
