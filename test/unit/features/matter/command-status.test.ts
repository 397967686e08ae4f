// Answers to requests as Matter statuses, and which of them end a request without a command.
import { describe, expect, it } from 'vitest';
import type { RequestAnswer } from '../../../../src/engine/account-runtime.ts';
import {
  isUnderWay,
  isUnsent,
  type StatusName,
  statusOf,
} from '../../../../src/features/matter/node/command-status.ts';
import { FinalError, RelinkError, RetryError, WaitError } from '../../../../src/support/errors.ts';

describe('an answer to a command', () => {
  it.each<[RequestAnswer, StatusName | null, boolean, boolean]>([
    [{ kind: 'accepted' }, null, true, false],
    [{ kind: 'uncertain' }, null, true, false],
    [{ kind: 'joined' }, null, true, false],
    [{ kind: 'already' }, null, false, false],
    [{ kind: 'superseded' }, null, false, false],
    [{ kind: 'refused', reason: 'remote-unlock-forbidden' }, 'PermissionDenied', false, true],
    [{ kind: 'refused', reason: 'role-may-not-command' }, 'PermissionDenied', false, true],
    [{ kind: 'refused', reason: 'lock-missing' }, 'NotFound', false, true],
    [{ kind: 'refused', reason: 'not-linked' }, 'Failure', false, true],
    [{ kind: 'refused', reason: 'too-late' }, 'Timeout', false, true],
    [{ kind: 'failed', error: new WaitError('lock-busy', '', null) }, 'Busy', false, true],
    [{ kind: 'failed', error: new RetryError('unreachable', '') }, 'Failure', false, true],
    [{ kind: 'failed', error: new RelinkError('revoked', '') }, 'Failure', false, true],
    [{ kind: 'failed', error: new FinalError('refused', '') }, 'Failure', false, false],
  ])('becomes a status: %j', (answer, status, underWay, unsent) => {
    expect([statusOf(answer), isUnderWay(answer), isUnsent(answer)]).toEqual([status, underWay, unsent]);
  });
});
