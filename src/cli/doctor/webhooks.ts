// Checks whether webhooks can be received as configured, and whether the running plugin receives them.
import { assertKeys } from '../../app/webhooks/listener-options.ts';
import type { WebhooksConfig } from '../../config/config.ts';
import type { RelayEnrolment } from '../../config/options/relay-enrolment.ts';
import { message } from '../../domain/language/message.ts';
import { provesDelivery, whyClosed } from '../../domain/webhooks/report.ts';
import type { WebhooksView } from '../../panel/views/webhooks.ts';
import { messageOf } from '../../support/errors.ts';
import { oneLine } from '../../support/log.ts';
import { t } from '../../words/translate.ts';
import { healthWords, registrationWords } from '../../words/webhooks.ts';
import { findingLines } from '../account/webhook-lines.ts';
import { CHECKS, type Finding, fault, fine, note, warning } from './finding.ts';

const TEST = message('Run: {command}', { command: 'npx homebridge-latchkey webhooks test' });

/** The fault of the configured keys, read as the listener reads them; null when there is none. */
export function keysFault(webhooks: WebhooksConfig): Finding | null {
  try {
    assertKeys(webhooks);
    return null;
  } catch (error) {
    return fault(CHECKS.webhooks, messageOf(error), t('Correct it, then restart Homebridge.'));
  }
}

/** Where config.json says now that webhooks are received. */
interface WantedReceiver extends Pick<WebhooksConfig, 'port'> {
  readonly relay: Pick<RelayEnrolment, 'broker'> | null;
}

/** Webhook state as reported by the account's owner. */
export function webhookFinding(view: WebhooksView, wanted: WantedReceiver): Finding {
  const { enabled, listener, trouble, registration, health } = view;
  if (!enabled) {
    return warning(CHECKS.webhooks, t('The plugin was started without them.'), t('Restart Homebridge.'));
  }
  if (listener === null) {
    const { what, advice } = whyClosed(trouble);
    return trouble === null
      ? note(CHECKS.webhooks, t(what), t(advice))
      : fault(CHECKS.webhooks, oneLine(t(what)), t(advice));
  }
  if (!isReceivedAt(listener, wanted)) {
    return warning(
      CHECKS.webhooks,
      t('The plugin still receives them at {address}.', { address: listener }),
      t('Restart Homebridge.'),
    );
  }
  if (registration === 'failed') {
    return warning(CHECKS.webhooks, registrationWords(view), t(TEST));
  }
  return health === 'healthy' ? fine(CHECKS.webhooks, healthWords(view)) : unproven(view);
}

/** A listener of our own is known by its port, and a relay by its broker, of which a cluster's address is no URL. */
function isReceivedAt(listener: string, { port, relay }: WantedReceiver): boolean {
  return relay === null ? URL.parse(listener)?.port === String(port) : listener === relay.broker;
}

/** The last self-test is the best evidence. Without one, or after a success, only an event confirms delivery. */
function unproven(view: WebhooksView): Finding {
  const { because, lastSelfTest } = view;
  if (lastSelfTest !== null && !provesDelivery(lastSelfTest)) {
    const [what = '', remedy = t(TEST)] = findingLines(lastSelfTest);
    return warning(CHECKS.webhooks, what, remedy);
  }
  return because === 'missed-change'
    ? warning(CHECKS.webhooks, healthWords(view), t('The next event ends that: turn a key, then ask again.'))
    : note(CHECKS.webhooks, healthWords(view), t('Turn a key, then ask again.'));
}
