// Every reason for a refusal: what it asks of the caller, and whether the bolt may have moved.
import { describe, expect, it } from 'vitest';
import {
  certainlyMovedNothing,
  isRefusalReason,
  type RefusalHandling,
  type RefusalReason,
  refusalHandling,
} from '../../../../src/domain/commands/refusal.ts';

/** How the caller reacts to each; the types hold every reason to stand here. */
const HANDLINGS: Readonly<Record<RefusalReason, RefusalHandling>> = {
  'claims-success': 'contradiction',
  'general-failure': 'passing',
  'code-exists': 'clash',
  'pin-out-of-range': 'wrong-request',
  'code-name-exists': 'clash',
  'code-not-added': 'passing',
  'code-not-deleted': 'passing',
  'storage-update-network': 'passing',
  'storage-update-silent': 'passing',
  'storage-update-denied': 'passing',
  'storage-delete-network': 'passing',
  'storage-delete-silent': 'passing',
  'storage-delete-denied': 'passing',
  'lock-silent': 'offline',
  'json-assembly': 'passing',
  'json-parsing': 'wrong-request',
  'code-id-missing': 'wrong-request',
  'pin-missing': 'wrong-request',
  'code-name-missing': 'wrong-request',
  'schedule-missing': 'wrong-request',
  'parameters-invalid': 'wrong-request',
  'user-disabled-missing': 'wrong-request',
  'activation-missing': 'wrong-request',
  'expiration-missing': 'wrong-request',
  'values-invalid': 'wrong-request',
  'command-unknown': 'wrong-request',
  'user-not-on-lock': 'wrong-request',
  'code-id-duplicate': 'clash',
  'code-name-too-long': 'wrong-request',
  'code-length-missing': 'wrong-request',
  'code-length-out-of-range': 'wrong-request',
  'code-id-invalid': 'wrong-request',
  'bolt-jammed': 'jammed',
  'schedule-locking': 'passing',
  'schedule-invalid': 'wrong-request',
  'schedule-too-large': 'wrong-request',
  'lock-busy': 'busy',
  'code-subset-in-use': 'clash',
  'code-superset-in-use': 'clash',
  unrecognised: 'passing',
};
const REASONS = Object.keys(HANDLINGS).filter(isRefusalReason);

describe('a reason for a refusal', () => {
  it.each(Object.entries(HANDLINGS))('%s is handled as %s', (reason, handling) => {
    expect(isRefusalReason(reason) && refusalHandling(reason)).toBe(handling);
  });

  it('is a member of the list, and no property that every object has', () => {
    expect(REASONS).toHaveLength(40);
    expect(['toString', '', 'not-sent'].filter(isRefusalReason)).toEqual([]);
  });

  it('leaves the move of the bolt open unless the request never reached the bolt', () => {
    const nothingMoved = REASONS.filter(certainlyMovedNothing);
    const expected = REASONS.filter((reason) =>
      ['wrong-request', 'clash', 'busy'].includes(HANDLINGS[reason]),
    );
    expect(new Set(nothingMoved)).toEqual(new Set([...expected, 'code-not-added', 'code-not-deleted']));
  });
});
