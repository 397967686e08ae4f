// Checks that the running plugin still uses the service in config.json: after an edit it does not, until a restart.
import type { PartnerConfig } from '../config/config.ts';
import { featureAddresses } from '../config/options/feature-options.ts';
import { type Message, message } from '../domain/language/message.ts';
import type { PartnerView } from '../panel/views/partner.ts';
import { FinalError } from '../support/errors.ts';

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

const ADDRESSES = message('addresses of the service');

function formerPart(owner: PartnerView, written: PartnerConfig | null): Message | null {
  if (written === null) {
    return ADDRESSES;
  }
  const { authUrl, baseUrl, redirectUri, features } = written;
  const named = Object.entries({ authUrl, baseUrl, redirectUri, ...featureAddresses(features) });
  if (named.some(([name, address]) => Reflect.get(owner, name) !== address)) {
    return ADDRESSES;
  }
  const clientId = owner.clientId.from === 'config' ? owner.clientId.value : null;
  return clientId === written.credentials.clientId ? null : message('client of the service');
}
