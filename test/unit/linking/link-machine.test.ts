// Which redirected addresses are exchanged: properties over any order of genuine, forged and repeated answers.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  judgeAnswer,
  LINK_TIMEOUT_MS,
  type LinkAttempt,
  NO_ATTEMPT,
  type RedirectAnswer,
  waitingFor,
} from '../../../src/linking/link-machine.ts';

const STATE = 'the-state-of-this-attempt';
const GENUINE: RedirectAnswer = { state: STATE, code: 'code', error: null };

const anyAnswer: fc.Arbitrary<RedirectAnswer> = fc.record({
  state: fc.oneof(fc.constant(STATE), fc.constant(null), fc.string()),
  code: fc.option(fc.string({ minLength: 1 })),
  error: fc.option(fc.constantFrom('access_denied', 'invalid_request', 'server_error')),
});
const timedAnswers = fc.array(fc.tuple(anyAnswer, fc.nat({ max: 2 * LINK_TIMEOUT_MS })), { maxLength: 12 });

describe('an attempt to link', () => {
  it('is exchanged once at most, in time, and only by an answer with its own state and a code (faults#56, faults#57)', () => {
    fc.assert(
      fc.property(timedAnswers, (answers) => {
        let attempt: LinkAttempt = waitingFor(STATE, 0);
        let exchanges = 0;
        for (const [answer, now] of answers) {
          const verdict = judgeAnswer(attempt, answer, now);
          if (verdict.kind === 'exchange') {
            exchanges += 1;
            expect(answer).toEqual({ state: STATE, code: verdict.code, error: null });
            expect(now).toBeLessThanOrEqual(LINK_TIMEOUT_MS);
          }
          attempt = verdict.next;
        }
        expect(exchanges).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('cannot be ended from outside: a forged answer leaves it unchanged (faults#56)', () => {
    const waiting = waitingFor(STATE, 0);
    fc.assert(
      fc.property(
        anyAnswer.filter(({ state }) => state !== STATE),
        (forged) => {
          const verdict = judgeAnswer(waiting, forged, 1);
          expect(verdict.kind).toBe('refuse');
          expect(verdict.next).toBe(waiting);
        },
      ),
    );
  });

  it.each([
    ['access_denied', 'denied'],
    ['unauthorized_client', 'client-refused'],
    ['invalid_client', 'client-refused'],
    ['invalid_scope', 'scope-refused'],
    ['invalid_request', 'request-refused'],
    ['unsupported_response_type', 'request-refused'],
    ['server_error', 'service-stumbled'],
    ['temporarily_unavailable', 'service-stumbled'],
    ['login_required', 'sign-in-required'],
    ['interaction_required', 'sign-in-required'],
    ['consent_required', 'sign-in-required'],
    ['account_selection_required', 'sign-in-required'],
    ['a word of no standard', 'request-refused'],
  ])("ends by the service's word %s: %s, even with a code beside it", (error, reason) => {
    const verdict = judgeAnswer(waitingFor(STATE, 0), { ...GENUINE, error }, 1);
    expect(verdict).toEqual({ kind: 'refuse', reason, next: { phase: 'answered', state: STATE } });
  });

  it.each([
    [{ ...GENUINE, state: null }, 'state-missing'],
    [{ ...GENUINE, state: 'another' }, 'state-foreign'],
    [{ ...GENUINE, code: null }, 'code-missing'],
  ])('refuses %j: %s', (answer, reason) => {
    expect(judgeAnswer(waitingFor(STATE, 0), answer, 1)).toMatchObject({ kind: 'refuse', reason });
  });

  it('accepts no answer before it has begun, and none after it was answered', () => {
    const refused = { kind: 'refuse', reason: 'nothing-waits', next: NO_ATTEMPT };
    expect(judgeAnswer(NO_ATTEMPT, GENUINE, 0)).toEqual(refused);
    const answered = judgeAnswer(waitingFor(STATE, 0), GENUINE, 1).next;
    expect(judgeAnswer(answered, GENUINE, 2)).toEqual({ kind: 'refuse', reason: 'used', next: answered });
  });

  it('waits ten minutes, and not a millisecond longer', () => {
    expect(LINK_TIMEOUT_MS).toBe(600_000);
    const waiting = waitingFor(STATE, 5);
    expect(judgeAnswer(waiting, GENUINE, LINK_TIMEOUT_MS + 5).kind).toBe('exchange');
    expect(judgeAnswer(waiting, GENUINE, LINK_TIMEOUT_MS + 6)).toMatchObject({ reason: 'too-old' });
  });
});
