// Where a test of the public address got lost, and what to look at.
import { type Message, message } from '../domain/language/message.ts';
import type { SelfTestFinding } from '../domain/webhooks/report.ts';
import { closed, seriesWords } from './sentence.ts';
import { t } from './translate.ts';

export interface FindingWords {
  readonly what: string;
  /** What to look at; null when nothing needs to be done. */
  readonly advice: string | null;
}

const FINDINGS: Readonly<Record<SelfTestFinding, readonly [what: Message, advice: Message | null]>> = {
  'came-through': [message('The test came through, so events of the service will, too'), null],
  'marker-removed': [
    message(
      'The test came through, but without the header that names a test. Events come through all the same',
    ),
    null,
  ],
  'answer-lost': [
    message(
      'The test arrived, but our answer did not come back, so the service would send each event again and again',
    ),
    message('See what the proxy does with an answer 204, and look at its timeouts.'),
  ],
  'no-public-address': [
    message('No public address is set, so there is nothing to test'),
    message(
      'Enter your “Public address” in the settings, or test from outside as docs/operate/webhooks.md says.',
    ),
  ],
  'name-unknown': [
    message('The name of the public address is not known to DNS'),
    message('Check its spelling and your DNS entry.'),
  ],
  unreachable: [
    message('Nothing answers at the public address'),
    message(
      'Check that the tunnel or proxy runs and that its port is forwarded. Some routers do not let a network reach itself by its public address: then only an event can tell.',
    ),
  ],
  'timed-out': [
    message('The public address did not answer in time'),
    message(
      'Check the tunnel or proxy, and the firewall. Some routers do not let a network reach itself by its public address: then only an event can tell.',
    ),
  ],
  'certificate-refused': [
    message('The certificate isn’t valid, so the service won’t deliver to the public address'),
    message('Renew it, or let the tunnel provide one.'),
  ],
  'answered-elsewhere': [
    message('Something else answered at the public address, and the test never arrived'),
    message(
      'A proxy, tunnel, login page or bot filter stands before the plugin: lead this host name to the listener.',
    ),
  ],
  'not-forwarded': [
    message('The relay answered, but the test did not arrive here'),
    message(
      'With 2xx, look whether this home is connected to the broker; with 404 or 410, paste a new enrolment; with 503, the relay has no broker: ask its operator.',
    ),
  ],
  'path-changed': [
    message('The test arrived with another path'),
    message('Let the proxy pass the path on as it comes.'),
  ],
  'method-changed': [
    message('The test arrived with another method: something redirects'),
    message('Let the proxy pass POST on as it comes.'),
  ],
  'signature-removed': [
    message('The test arrived without its signature: the proxy removes that header'),
    message('Let it pass all headers on, or no event can be verified.'),
  ],
  'content-changed': [
    message('The test arrived with other content than was sent'),
    message('Let the proxy pass the body on byte by byte, or no event can be verified.'),
  ],
  'no-keys': [
    message('The test came through, but the service’s public key is not known, so no event can be verified'),
    message('Register again, or enter “The service’s public keys” in the settings.'),
  ],
};

/** `facts`: of this test, such as "status 403, 84 ms". */
export function findingWords(finding: SelfTestFinding, facts: readonly string[] = []): FindingWords {
  const [what, advice] = FINDINGS[finding];
  const aside = facts.length === 0 ? '' : ` (${seriesWords(facts)})`;
  return { what: closed(`${t(what)}${aside}`), advice: advice === null ? null : t(advice) };
}
