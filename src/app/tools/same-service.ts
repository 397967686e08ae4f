// Checks that the running plugin still uses the service in config.json: after an edit it does not, until a restart.
import type { PartnerConfig } from '../../config/config.ts';
import { type Message, message } from '../../domain/language/message.ts';
import type { PartnerView } from '../../panel/views/partner.ts';
import { FinalError } from '../../support/errors.ts';

/**
 * Throws a final error (`bad-configuration`) with the next step, when the owner of the account was started with other
 * addresses, or another client, than config.json names now: a secret of one service must not go to another.
 */
export function assertSameService(owner: PartnerView, written: PartnerConfig | null): void {
  const former = formerPart(owner, written);
  if (former !== null) {
    throw new FinalError(
      'bad-configuration',
      message('The plugin still runs with the former {what}: restart Homebridge, then go on here.', {
        what: former,
      }),
    );
  }
}

function formerPart(owner: PartnerView, written: PartnerConfig | null): Message | null {
  const addresses = ['authUrl', 'baseUrl', 'credentialsUrl', 'redirectUri'] as const;
  if (written === null || addresses.some((name) => owner[name] !== written[name])) {
    return message('addresses of the service');
  }
  const clientId = owner.clientId.from === 'config' ? owner.clientId.value : null;
  return clientId === written.credentials.clientId ? null : message('client of the service');
}
