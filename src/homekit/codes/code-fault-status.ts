// Maps a broken rule of an access code to the status of its item.
import type { CodeFault } from '../../domain/codes/access-code-policy.ts';
import { CODE_STATUS, type CodeStatus } from '../hap/access-code-tlv.ts';

/** Digits (wire contract 4). */
const SHORTEST_PIN = 4;

/** `code-length-out-of-range` depends on the digits. */
const STATUS_OF_REASON: ReadonlyMap<CodeFault['reason'], CodeStatus> = new Map<
  CodeFault['reason'],
  CodeStatus
>([
  ['code-exists', CODE_STATUS.DUPLICATE],
  ['code-subset-in-use', CODE_STATUS.DUPLICATE],
  ['code-superset-in-use', CODE_STATUS.DUPLICATE],
  ['pin-out-of-range', CODE_STATUS.INVALID_CHARACTER],
  ['code-not-added', CODE_STATUS.TOO_MANY_CODES],
]);

/** The status that comes nearest to the first rule that is broken. `pinLength`: of all codes of the lock; null: any. */
export function statusOfFaults(
  pin: string,
  faults: readonly CodeFault[],
  pinLength: number | null,
): CodeStatus {
  const reason = faults[0]?.reason;
  if (reason === 'code-length-out-of-range') {
    return pin.length < (pinLength ?? SHORTEST_PIN) ? CODE_STATUS.TOO_SHORT : CODE_STATUS.TOO_LONG;
  }
  return (reason === undefined ? undefined : STATUS_OF_REASON.get(reason)) ?? CODE_STATUS.INVALID_REQUEST;
}
