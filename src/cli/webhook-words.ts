// Formats webhook state for a terminal: self-test findings with advice, delivery state and registered subscriptions.
import type {
  HealthReason,
  HealthReport,
  RegistrationState,
  SelfTestFinding,
  SelfTestReport,
} from '../domain/webhook-report.ts';
import type { SubscriptionView, WebhooksView } from '../panel/webhook-view.ts';
import { oneLine } from '../support/log.ts';
import { agoWords, columns } from './lock-words.ts';

/** Finding and advice; the advice is null when nothing needs to be done. */
type Finding = readonly [string, string | null];

const FINDINGS: Readonly<Record<SelfTestFinding, Finding>> = {
  'came-through': ['The test came through: what the service sends to the public address is received.', null],
  'marker-removed': [
    'The test came through, though something on the way removed the header that names it. Events are received.',
    null,
  ],
  'answer-lost': [
    'The test was received, but the answer was not ours, so the service would send every event again',
    'See what the proxy does with an answer 204.',
  ],
  'no-public-address': [
    'No public address is set, so there is no way to test',
    'Set webhooks.publicUrl, or test from outside as docs/webhooks.md says.',
  ],
  'name-unknown': [
    'The name of the public address does not exist',
    'Check webhooks.publicUrl and the DNS record of that name.',
  ],
  unreachable: [
    'Nothing answers at the public address',
    'Is the proxy or tunnel running, and the port forwarded? Some routers do not let a network reach itself by its public address: then only an event can tell.',
  ],
  'timed-out': [
    'Nothing came back from the public address in time',
    'Is the port forwarded? Some routers do not let a network reach itself by its public address: then only an event can tell.',
  ],
  'certificate-refused': [
    'The certificate at the public address is not valid, so the service would not deliver there either',
    'It must be valid for this name, and not expired.',
  ],
  'answered-elsewhere': [
    'Something else answered at the public address, and the test never arrived',
    'A proxy, tunnel, login page or bot filter stands before the plugin: lead this host name to the listener.',
  ],
  'not-forwarded': [
    'The relay answered, but the test did not arrive here',
    'With 2xx, look whether this home is connected to the broker; with 404 or 410, ask for a new enrolment; with 503, the relay has no broker.',
  ],
  'path-changed': [
    'The test arrived at another path than it was sent to',
    'A proxy changes the path: let it pass the path whole.',
  ],
  'method-changed': [
    'The test arrived as another method than POST',
    'A proxy changes the method, perhaps by a redirect: let it pass requests on.',
  ],
  'signature-removed': [
    'The test arrived without the header of the signature',
    'A proxy drops it: let it pass all headers.',
  ],
  'content-changed': [
    'The test arrived with another content type or body',
    'A proxy changes them, which breaks the signature: let it pass bodies as they are.',
  ],
  'no-keys': [
    'The test came through, but no key of the service is known that would verify an event',
    'Is the account linked? If the service hands out no key, write it into webhooks.keys.',
  ],
};

const REASONS: Readonly<Record<HealthReason, string>> = {
  event: 'proven: events arrive',
  'self-test': 'proven: the self-test comes through',
  'not-configured': 'not switched on (webhooks.enabled)',
  'not-open': 'not received: the listener is not open',
  'none-received': 'not proven: nothing has arrived yet',
  'missed-change': 'not proven: a change was found that none had announced',
  silent: 'not proven: neither an event nor the self-test arrives',
};

const REGISTRATIONS: Readonly<Record<RegistrationState, string>> = {
  standing: 'registered with the service',
  pending: 'not registered yet',
  failed: 'not registered',
  'by-hand': 'left to you, because webhooks.publicUrl is not set',
};

const WHOSE: Readonly<Record<SubscriptionView['whose'], string>> = {
  ours: 'this plugin',
  former: 'this plugin, formerly',
  other: 'somebody else',
};

/** The finding with its status and duration, such as "(status 403, 84 ms)", and the advice. */
export function findingLines({ finding, status, tookMs }: SelfTestReport): readonly string[] {
  const [what, remedy] = FINDINGS[finding];
  const facts = [status === null ? '' : `status ${status}`, tookMs === null ? '' : `${tookMs} ms`].filter(
    (fact) => fact !== '',
  );
  const aside = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
  return [`${what.replace(/\.$/u, '')}${aside}.`, ...(remedy === null ? [] : [remedy])];
}

export function healthWords({ because: reason }: HealthReport): string {
  return REASONS[reason];
}

/** Without a listener nothing is registered, so the listener's fault is the cause. */
export function registrationWords({ listener, registration, trouble }: WebhooksView): string {
  return REGISTRATIONS[registration] + because(listener === null ? null : trouble);
}

function because(trouble: string | null): string {
  return trouble === null ? '' : `: ${oneLine(trouble)}`;
}

/** Delivery state, one line per fact. */
export function statusLines(view: WebhooksView, now: number): readonly string[] {
  const { listener, trouble, publicUrl, address, lastEventAgoMs, lastSelfTest, answers, ignored } = view;
  const test = lastSelfTest === null ? null : `${agoWords(now - lastSelfTest.at)}: ${lastSelfTest.finding}`;
  const counts = Object.entries(answers).map(([answer, count]) => `${answer} ${count}`);
  return columns([
    ['webhooks', healthWords(view)],
    ['listener', listener ?? `not open${because(trouble)}`],
    ['public address', address ?? publicUrl ?? 'not set'],
    ['registration', registrationWords(view)],
    ['last event', lastEventAgoMs === null ? 'none since the start' : agoWords(lastEventAgoMs)],
    ['last self-test', test ?? 'none since the start'],
    ['answers', counts.length === 0 ? 'none' : counts.join(', ')],
    ['ignored', `${ignored.foreign} about other locks, ${ignored.unrecognised} not recognised`],
  ]);
}

/** Subscriptions at the service, in columns. */
export function subscriptionLines(subscriptions: readonly SubscriptionView[]): readonly string[] {
  return columns(
    subscriptions.map(({ id, origin, whose, active }) => [
      oneLine(id),
      oneLine(origin),
      WHOSE[whose],
      active ? 'active' : 'no longer served',
    ]),
  );
}
