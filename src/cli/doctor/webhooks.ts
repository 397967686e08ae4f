// Checks whether webhooks can be received as configured, and whether the running plugin receives them.
import { assertListenable } from '../../app/webhooks/listener-options.ts';
import type { WebhooksConfig } from '../../config/config.ts';
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

/** The fault of the configured files and keys, read as the listener reads them; null when there is none. */
export function listenerFault(webhooks: WebhooksConfig): Finding | null {
  try {
    assertListenable(webhooks);
    return null;
  } catch (error) {
    return fault(CHECKS.webhooks, messageOf(error), t('Correct it, then restart Homebridge.'));
  }
}

/** Webhook state as reported by the account's owner. `port`: the port in config.json now. */
export function webhookFinding(view: WebhooksView, port: number): Finding {
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
  if (new URL(listener).port !== String(port)) {
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
