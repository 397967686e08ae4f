// How webhooks are doing, in words: what is wrong with the way, and what to do next.
import type { HealthReason, SelfTestFinding } from '../../src/domain/webhook-report.ts';
import type { SubscriptionView, WebhooksView } from '../../src/panel/webhook-view.ts';

const REASONS: Readonly<Record<HealthReason, string>> = {
  event: 'Events arrive.',
  'self-test': 'The last test passed. No event has come since.',
  'not-configured': 'Webhooks are switched off.',
  'not-open': 'The listener is not open, so no event is received.',
  'none-received': 'Nothing has arrived yet.',
  'missed-change': 'A lock changed, but no event arrived. Test the connection.',
  silent: 'Nothing has arrived for a long time. Test the connection.',
};

/** One sentence on how far events can be relied on. `isLost`: the plugin, which alone knows it, does not answer. */
export function healthWords({ because }: Pick<WebhooksView, 'because'>, isLost: boolean): string {
  return isLost ? 'Unknown until the plugin answers again.' : REASONS[because];
}

const REGISTRATIONS: Readonly<Record<WebhooksView['registration'], string>> = {
  standing: 'Registered.',
  pending: 'Registering …',
  failed: 'The service did not accept the address.',
  'by-hand': 'No public address is set, so the address is registered by hand.',
};

export function registrationWords({ registration, trouble }: WebhooksView): string {
  return registration === 'failed' && trouble !== null
    ? `${REGISTRATIONS.failed} ${trouble}`
    : REGISTRATIONS[registration];
}

/** Events that changed nothing, and why; empty when there were none. */
export function ignoredWords({ ignored: { foreign, unrecognised } }: Pick<WebhooksView, 'ignored'>): string {
  return [
    foreign === 0 ? '' : `${String(foreign)} about locks that this account does not have`,
    unrecognised === 0 ? '' : `${String(unrecognised)} in words that the plugin does not know`,
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** Where a self-test got lost, and what to look at. */
export const FINDINGS: Readonly<Record<SelfTestFinding, string>> = {
  'came-through': 'It came through, so events of the service will, too.',
  'marker-removed':
    'It came through, but without the header that names a test: the proxy removes headers that it does not know. Events come through all the same.',
  'answer-lost':
    'It arrived, but our answer did not come back. The service would send each event again and again: look at the proxy’s timeouts.',
  'no-public-address': 'No public address is set, so there is nothing to test. Set webhooks.publicUrl.',
  'name-unknown':
    'The name of the public address is not known to DNS. Check its spelling and your DNS entry.',
  unreachable:
    'Nothing answers at the public address. Check that the tunnel or proxy runs and that its port is forwarded.',
  'timed-out': 'The public address did not answer in time. Check the tunnel or proxy, and the firewall.',
  'certificate-refused':
    'The certificate at the public address proves nothing, so the service will not deliver there. Renew it, or let the tunnel provide one.',
  'answered-elsewhere':
    'Somebody else answered at the public address: the proxy does not pass this path on to the listener.',
  'not-forwarded':
    'The relay answered, but the test did not arrive here. If this stays, ask its operator, or paste a new enrolment.',
  'path-changed': 'It arrived with another path. Let the proxy pass the path on as it comes.',
  'method-changed':
    'It arrived with another method: something redirects. Let the proxy pass POST on as it comes.',
  'signature-removed':
    'It arrived without its signature: the proxy removes that header. Let it pass all headers on, or no event can be verified.',
  'content-changed':
    'It arrived with other content than was sent. Let the proxy pass the body on byte by byte, or no event can be verified.',
  'no-keys':
    'It came through, but the service’s public key is not known, so no event can be verified. Register again, or set webhooks.keys.',
};

export const WHOSE: Readonly<Record<SubscriptionView['whose'], string>> = {
  ours: 'this plugin',
  former: 'previous address of this plugin',
  other: 'another app',
};
