// The text for every way in which a linking can end: the outcome, and the next step.
import { describe, expect, it } from 'vitest';
import { outcomePage, sentOn } from '../../../src/linking/callback-page.ts';
import { isLinkOutcome, outcomeOf } from '../../../src/linking/link-outcome.ts';
import { FinalError, RetryError, UncertainError, WaitError } from '../../../src/support/errors.ts';
import { LINKING_WORDS } from '../../../src/words/linking.ts';
import { t } from '../../../src/words/translate.ts';

const OUTCOMES = Object.keys(LINKING_WORDS).filter(isLinkOutcome);

/** A next step begins with one of these. */
const STEPS = /\b(Start|start|Try|Paste|paste|Check|Compare|Ask|Wait|Use|Open|open)\b/;

describe('the outcome of a linking', () => {
  it.each([
    ['refused', new FinalError('refused', 'x'), 'code-refused'],
    ['a configuration that the service refuses', new FinalError('bad-configuration', 'x'), 'misconfigured'],
    ['no connection', new RetryError('unreachable', 'x'), 'unreachable'],
    ['no answer in time', new RetryError('timed-out', 'x'), 'unreachable'],
    ['an answer that is none', new RetryError('server-fault', 'x'), 'unreachable'],
    ['too many requests', new WaitError('rate-limited', 'x', 1), 'paused'],
    ['a lost answer', new UncertainError('x'), 'answer-lost'],
    ['another owner', new FinalError('not-owner', 'x'), 'not-owner'],
    ['a disk that fails', new RetryError('storage-failed', 'x'), 'failed'],
    ['a refusal of ours', new FinalError('bad-request', 'x', { reason: 'too-old' }), 'too-old'],
    ['a reason that is no outcome', new FinalError('refused', 'x', { reason: 'jammed' }), 'code-refused'],
    ['a failure that claims success', new FinalError('bad-request', 'x', { reason: 'linked' }), 'failed'],
    ['a mistake of ours', new TypeError('x'), 'failed'],
  ] as const)('is that of %s', (_, error, outcome) => {
    expect(outcomeOf(error)).toBe(outcome);
  });

  it('that is no success is reported with its next step', () => {
    for (const outcome of OUTCOMES.filter((each) => each !== 'linked')) {
      const words = t(LINKING_WORDS[outcome]);
      expect(words).toMatch(STEPS);
      expect(words).toMatch(/^[A-Z].*\.$/);
    }
  });

  it.each(OUTCOMES)(
    '%s has a page of its own address, with text, no script, and nothing from another site',
    (outcome) => {
      const sent = sentOn(outcome);
      expect([sent.status, sent.headers['location'], sent.body]).toEqual([303, `?outcome=${outcome}`, '']);
      const { status, headers, body } = outcomePage(outcome);
      expect(status).toBe(outcome === 'linked' ? 200 : 400);
      expect(body).toContain(outcome === 'linked' ? 'Account connected.' : t(LINKING_WORDS[outcome]));
      expect(body).toMatch(/^<!doctype html>\n<html lang="en">/);
      expect(body).not.toMatch(/<script|src=|href=|javascript:|https?:/);
      expect(headers['content-security-policy']).not.toContain('unsafe');
    },
  );
});
