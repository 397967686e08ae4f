// What is said of webhooks: how far events can be relied on, and what is registered.
import type { WebhookHealth } from '../domain/polling/poll-policy.ts';
import type {
  HealthReason,
  HealthReport,
  IgnoredEvents,
  RegistrationState,
} from '../domain/webhooks/report.ts';
import { countedParts, sentence } from './sentence.ts';

const REASONS: Readonly<Record<HealthReason, string>> = {
  event: 'Events arrive.',
  'self-test': 'Test passed. No events since.',
  'not-configured': 'Webhooks are switched off.',
  'not-open': 'The listener is not open, so no event is received.',
  'none-received': 'Nothing has arrived yet.',
  'missed-change': 'A lock changed, but no event arrived. Test the connection.',
  silent: 'Nothing has arrived for a long time. Test the connection.',
};

/** How far events can be relied on. `isLost`: the plugin, which alone knows it, does not answer. */
export function healthWords({ because }: Pick<HealthReport, 'because'>, isLost = false): string {
  return isLost ? 'Unknown until the plugin answers again.' : REASONS[because];
}

/** What a change of that means for asking the service. */
export const HEALTH_NEWS: Readonly<Record<WebhookHealth, string>> = {
  absent: 'Webhooks are not received; the service is polled instead.',
  healthy: 'Webhooks arrive; the service is polled less often.',
  degraded: 'Webhooks are not confirmed to arrive; the service is polled more often until they are.',
};

const REGISTRATIONS: Readonly<Record<RegistrationState, string>> = {
  standing: 'Registered.',
  pending: 'Registering …',
  failed: 'The service did not accept the address.',
  'by-hand': 'No public address is set, so the address is registered by hand.',
};

/** `trouble`: why the service did not accept the address. Without a listener nothing is registered, whatever the service says. */
export function registrationWords(view: {
  readonly listener: string | null;
  readonly registration: RegistrationState;
  readonly trouble: string | null;
}): string {
  const { listener, registration, trouble } = view;
  if (registration !== 'failed') {
    return REGISTRATIONS[registration];
  }
  if (listener === null) {
    return 'Not registered.';
  }
  return trouble === null ? REGISTRATIONS.failed : `Not registered. ${sentence(trouble)}`;
}

/** Events that changed nothing, and why; empty when there were none. */
export function ignoredWords({ foreign, unrecognised }: IgnoredEvents): string {
  return countedParts([
    [foreign, 'about locks that this account does not have'],
    [unrecognised, 'of an unknown type'],
  ]);
}

/** Whose a registered address is. */
export const WHOSE = {
  ours: 'this plugin',
  former: 'previous address of this plugin',
  other: 'another app',
} as const;
