// Where a test of the public address got lost, and what to look at.
import type { SelfTestFinding } from '../domain/webhooks/report.ts';

/** Where a self-test got lost. */
export interface FindingWords {
  readonly what: string;
  /** What to look at; null when nothing needs to be done. */
  readonly advice: string | null;
}

const FINDINGS: Readonly<Record<SelfTestFinding, readonly [what: string, advice: string | null]>> = {
  'came-through': ['The test came through, so events of the service will, too', null],
  'marker-removed': [
    'The test came through, but without the header that names a test. Events come through all the same',
    null,
  ],
  'answer-lost': [
    'The test arrived, but our answer did not come back, so the service would send each event again and again',
    'See what the proxy does with an answer 204, and look at its timeouts.',
  ],
  'no-public-address': [
    'No public address is set, so there is nothing to test',
    'Enter your “Public address” in the settings, or test from outside as docs/webhooks.md says.',
  ],
  'name-unknown': [
    'The name of the public address is not known to DNS',
    'Check its spelling and your DNS entry.',
  ],
  unreachable: [
    'Nothing answers at the public address',
    'Check that the tunnel or proxy runs and that its port is forwarded. Some routers do not let a network reach itself by its public address: then only an event can tell.',
  ],
  'timed-out': [
    'The public address did not answer in time',
    'Check the tunnel or proxy, and the firewall. Some routers do not let a network reach itself by its public address: then only an event can tell.',
  ],
  'certificate-refused': [
    'The certificate isn’t valid, so the service won’t deliver to the public address',
    'Renew it, or let the tunnel provide one.',
  ],
  'answered-elsewhere': [
    'Something else answered at the public address, and the test never arrived',
    'A proxy, tunnel, login page or bot filter stands before the plugin: lead this host name to the listener.',
  ],
  'not-forwarded': [
    'The relay answered, but the test did not arrive here',
    'With 2xx, look whether this home is connected to the broker; with 404 or 410, paste a new enrolment; with 503, the relay has no broker: ask its operator.',
  ],
  'path-changed': ['The test arrived with another path', 'Let the proxy pass the path on as it comes.'],
  'method-changed': [
    'The test arrived with another method: something redirects',
    'Let the proxy pass POST on as it comes.',
  ],
  'signature-removed': [
    'The test arrived without its signature: the proxy removes that header',
    'Let it pass all headers on, or no event can be verified.',
  ],
  'content-changed': [
    'The test arrived with other content than was sent',
    'Let the proxy pass the body on byte by byte, or no event can be verified.',
  ],
  'no-keys': [
    'The test came through, but the service’s public key is not known, so no event can be verified',
    'Register again, or enter “The service’s public keys” in the settings.',
  ],
};

/** `facts`: of this test, such as "status 403, 84 ms". */
export function findingWords(finding: SelfTestFinding, facts: readonly string[] = []): FindingWords {
  const [what, advice] = FINDINGS[finding];
  const aside = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
  return { what: `${what}${aside}.`, advice };
}
