// Every answer to a request has its HAP status.
import { describe, expect, it } from 'vitest';
import type { RequestRefusal } from '../../../../src/domain/commands/intent-policy.ts';
import { statusOfAnswer, statusOfError } from '../../../../src/homekit/hap/hap-status.ts';
import {
  FinalError,
  type LatchkeyError,
  RelinkError,
  RetryError,
  UncertainError,
  WaitError,
} from '../../../../src/support/errors.ts';

describe('the status of a write', () => {
  it.each(['accepted', 'uncertain', 'already', 'joined', 'superseded'] as const)(
    'that was %s is success',
    (kind) => {
      expect(statusOfAnswer({ kind })).toBe(0);
    },
  );

  it.each<[RequestRefusal, number]>([
    ['not-linked', -70402],
    ['lock-missing', -70402],
    ['remote-unlock-forbidden', -70401],
    ['role-may-not-command', -70401],
  ])('that was refused as %s is %d', (reason, status) => {
    expect(statusOfAnswer({ kind: 'refused', reason })).toBe(status);
  });

  it.each<[string, LatchkeyError, number]>([
    ['an unreachable service', new RetryError('unreachable', ''), -70402],
    ['a service that named a wait', new WaitError('rate-limited', '', 5_000), -70403],
    ['a busy lock', new WaitError('lock-busy', '', null), -70403],
    ['an offline lock', new WaitError('lock-offline', '', null), -70402],
    ['an account to link again', new RelinkError('expired', ''), -70402],
    ['a reply that was lost', new UncertainError(''), -70408],
    ['a lock that refused', new FinalError('refused', '', { reason: 'bolt-jammed' }), -70412],
    ['a command that is not permitted', new FinalError('not-permitted', ''), -70401],
    ['an answer that makes no sense', new FinalError('wire-mismatch', ''), -70402],
  ])('that failed is an error for %s', (_what, error, status) => {
    expect(statusOfError(error)).toBe(status);
    expect(statusOfAnswer({ kind: 'failed', error })).toBe(status);
  });
});
