// What is said of webhooks: how far events can be relied on, and what is registered.
import { type Message, message } from '../domain/language/message.ts';
import type { WebhookHealth } from '../domain/polling/poll-policy.ts';
import type {
  HealthReason,
  HealthReport,
  IgnoredEvents,
  RegistrationState,
} from '../domain/webhooks/report.ts';
import { sentence, seriesWords } from './sentence.ts';
import { t } from './translate.ts';

const REASONS: Readonly<Record<HealthReason, Message>> = {
  event: message('Events arrive.'),
  'self-test': message('Test passed. No events since.'),
  'not-configured': message('Webhooks are switched off.'),
  'not-open': message('The listener is not open, so no event is received.'),
  'none-received': message('Nothing has arrived yet.'),
  'missed-change': message('A lock changed, but no event arrived. Test the connection.'),
  silent: message('Nothing has arrived for a long time. Test the connection.'),
};

/** How far events can be relied on. `isLost`: the plugin, which alone knows it, does not answer. */
export function healthWords({ because }: Pick<HealthReport, 'because'>, isLost = false): string {
  return isLost ? t('Unknown until the plugin answers again.') : t(REASONS[because]);
}

/** What a change of that means for asking the service. */
export const HEALTH_NEWS: Readonly<Record<WebhookHealth, Message>> = {
  absent: message('Webhooks are not received; the service is polled instead.'),
  healthy: message('Webhooks arrive; the service is polled less often.'),
  degraded: message('Webhooks are not confirmed to arrive; the service is polled more often until they are.'),
};

const REGISTRATIONS: Readonly<Record<RegistrationState, Message>> = {
  standing: message('Registered.'),
  pending: message('Registering …'),
  failed: message('The service did not accept the address.'),
  'by-hand': message('No public address is set, so the address is registered by hand.'),
};

/** `trouble`: why the service did not accept the address. Without a listener nothing is registered, whatever the service says. */
export function registrationWords(view: {
  readonly listener: string | null;
  readonly registration: RegistrationState;
  readonly trouble: Message | null;
}): string {
  const { listener, registration, trouble } = view;
  if (registration !== 'failed') {
    return t(REGISTRATIONS[registration]);
  }
  if (listener === null) {
    return t('Not registered.');
  }
  return trouble === null ? t(REGISTRATIONS.failed) : `${t('Not registered.')} ${sentence(t(trouble))}`;
}

/** Events that changed nothing, and why; empty when there were none. */
export function ignoredWords({ foreign, unrecognised }: IgnoredEvents): string {
  return seriesWords([
    foreign === 0
      ? ''
      : t(
          '{count, plural, one {# about locks that this account does not have} other {# about locks that this account does not have}}',
          { count: foreign },
        ),
    unrecognised === 0
      ? ''
      : t('{count, plural, one {# of an unknown type} other {# of an unknown type}}', {
          count: unrecognised,
        }),
  ]);
}

/** Whose a registered address is. */
export const WHOSE = {
  ours: message('this plugin'),
  former: message('previous address of this plugin'),
  other: message('another app'),
} as const;
