// The 39 numbers, one by one, against the meanings that the specification gives them.
import { describe, expect, it } from 'vitest';
import { type RefusalReason, refusalHandling } from '../../../src/domain/commands/refusal.ts';
import { refusalReason } from '../../../src/wire/error-codes.ts';
import { refusalWords } from '../../../src/words/refusals.ts';

/** Specification, Device command error codes: number, meaning, and our word for it. */
const TABLE: readonly (readonly [number, string, RefusalReason])[] = [
  [0, 'Operation completed successfully', 'claims-success'],
  [1, 'General failure during the operation', 'general-failure'],
  [2, 'Access code already exists', 'code-exists'],
  [3, 'PIN code is out of the acceptable range', 'pin-out-of-range'],
  [4, 'An access code with this name already exists', 'code-name-exists'],
  [5, 'Failed to add the access code to the device', 'code-not-added'],
  [6, 'Failed to delete the access code from the device', 'code-not-deleted'],
  [7, 'Network error occurred while updating storage', 'storage-update-network'],
  [8, 'No response received while updating storage', 'storage-update-silent'],
  [9, 'Update storage operation was denied', 'storage-update-denied'],
  [10, 'Network error occurred while deleting storage', 'storage-delete-network'],
  [11, 'No response received while deleting storage', 'storage-delete-silent'],
  [12, 'Delete storage operation was denied', 'storage-delete-denied'],
  [13, 'Lost connection while waiting for a response', 'lock-silent'],
  [14, 'JSON assembler error occurred', 'json-assembly'],
  [15, 'JSON parser error occurred', 'json-parsing'],
  [16, 'Access code ID not provided', 'code-id-missing'],
  [17, 'PIN not provided', 'pin-missing'],
  [18, 'Access code name not provided', 'code-name-missing'],
  [19, 'Schedule not provided', 'schedule-missing'],
  [20, 'Parameters provided are not valid', 'parameters-invalid'],
  [21, 'User-disabled status not provided', 'user-disabled-missing'],
  [22, 'Activation seconds not provided', 'activation-missing'],
  [23, 'Expiration seconds not provided', 'expiration-missing'],
  [24, 'Parameters provided are not valid', 'values-invalid'],
  [25, 'Command type is not valid', 'command-unknown'],
  [26, 'User not found in the device', 'user-not-on-lock'],
  [27, 'Duplicate access code ID found in the device', 'code-id-duplicate'],
  [28, 'Access code name is too long', 'code-name-too-long'],
  [29, 'Access code length not provided', 'code-length-missing'],
  [30, 'Access code length is out of range', 'code-length-out-of-range'],
  [31, 'Access code ID is not valid', 'code-id-invalid'],
  [32, 'Bolt is jammed', 'bolt-jammed'],
  [33, 'Schedule Locking error', 'schedule-locking'],
  [34, 'Schedule parameters are not valid', 'schedule-invalid'],
  [35, 'Maximum schedule is not valid', 'schedule-too-large'],
  [36, 'Cannot process multiple device commands simultaneously', 'lock-busy'],
  [37, 'A subset of the access code is already in use', 'code-subset-in-use'],
  [38, 'A superset of the access code is already in use', 'code-superset-in-use'],
];

describe('the error numbers of the service', () => {
  it.each(TABLE)('%i, "%s", is %s, with words and a handling of its own (faults#36)', (number, _, reason) => {
    expect(refusalReason(number)).toBe(reason);
    expect(refusalWords(reason)).toMatch(/^\w.{10,}[^.]$/);
    expect(refusalHandling(reason)).not.toBe('');
  });

  it('are 39, each with a reason that no other has (faults#36)', () => {
    expect(TABLE.map(([number]) => number)).toEqual(Array.from({ length: 39 }, (_, number) => number));
    expect(new Set(TABLE.map(([number]) => refusalReason(number))).size).toBe(39);
  });

  it.each([39, 40, 1_000, -1, 1.5, Number.NaN, null])(
    'do not include %s, which is read as unrecognised (faults#36)',
    (number) => {
      expect(refusalReason(number)).toBe('unrecognised');
    },
  );
});
