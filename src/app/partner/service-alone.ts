// Checks the service with config.json alone where the account cannot be opened: everything but our link.
import { OAuthClient } from '../../cloud/account/oauth-client.ts';
import { ServiceTime } from '../../cloud/http/service-time.ts';
import { checkService } from '../../cloud/service-checkup.ts';
import type { PartnerConfig } from '../../config/config.ts';
import { completeCredentials, NO_CREDENTIALS } from '../../config/credentials.ts';
import type { ServiceCheck } from '../../domain/account/service-check.ts';
import type { Clock } from '../../support/clock.ts';
import { RelinkError } from '../../support/errors.ts';
import { LOSSES } from '../../words/account.ts';

/** Null when config.json lacks a credential: those stored by a page are in the account's vault. Never rejects. */
export async function checkServiceAlone(partner: PartnerConfig, clock: Clock): Promise<ServiceCheck | null> {
  const reading = completeCredentials(partner.credentials, NO_CREDENTIALS);
  if (!reading.ok) {
    return null;
  }
  const { credentials } = reading;
  const { baseUrl, allowInsecureLoopback, productSegment } = partner;
  const server = new OAuthClient({ ...partner, client: () => credentials, clock });
  try {
    return await checkService({
      server,
      tokens: {
        accessToken: async () => Promise.reject(new RelinkError('unlinked', LOSSES.unlinked)),
      },
      baseUrl,
      allowInsecureLoopback,
      subscriptionKeys: () => credentials.subscriptionKeys,
      productSegment,
      clock,
      serviceTime: new ServiceTime(clock),
    });
  } finally {
    await server.close();
  }
}
