// The proof of a self-test, and the words for a listener that is closed.
import { expect, it } from 'vitest';
import { message } from '../../../../src/domain/language/message.ts';
import { provesDelivery, type SelfTestFinding, whyClosed } from '../../../../src/domain/webhooks/report.ts';
import { t } from '../../../../src/words/translate.ts';

const FINDINGS: Readonly<Record<SelfTestFinding, boolean>> = {
  'came-through': true,
  'marker-removed': true,
  'answer-lost': true,
  'no-public-address': false,
  'name-unknown': false,
  unreachable: false,
  'timed-out': false,
  'certificate-refused': false,
  'answered-elsewhere': false,
  'not-forwarded': false,
  'path-changed': false,
  'method-changed': false,
  'signature-removed': false,
  'content-changed': false,
  'no-keys': false,
};

it('a self-test of the public address proves the delivery only when an event would have arrived and been believed', () => {
  const proofs = Object.keys(FINDINGS).map((finding) => [
    finding,
    provesDelivery({ finding: finding as SelfTestFinding, status: null, tookMs: null, at: 0 }),
  ]);
  expect(Object.fromEntries(proofs)).toEqual(FINDINGS);
});

it('a listener that is closed belongs to the other process, or has a fault that a person can mend', () => {
  const closed = whyClosed(null);
  expect(t(closed.what)).toBe('The process that owns the account does not receive them.');
  expect(t(closed.advice)).toBe('Start Homebridge.');
  const { what, advice } = whyClosed(message('port 8443 is in use.'));
  expect(t(what)).toBe('Nothing is received: port 8443 is in use.');
  expect(t(advice)).toMatch(/^Fix this .+ retries every minute\.$/);
});
