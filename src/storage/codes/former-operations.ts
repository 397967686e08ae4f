// Reads the unfinished operations on codes that version 1.0.0 stored as rows of the book.
import { unknownCode } from '../../domain/codes/code-machine.ts';
import type { CodeRequest } from '../../domain/codes/operation.ts';
import { rowOfSingle, type SingleRow, wantedBy } from '../../domain/codes/single-step.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import { isObject } from '../../support/text/foreign-json.ts';
import { type Values, valuesUnder } from '../account/settings.ts';

export const FORMER_OPERATION = 'code-operation:';

interface FormerOperation {
  readonly id: string;
  readonly lockId: LockId;
  readonly request: CodeRequest;
  readonly requestedAt: number;
  readonly sendings: number;
  readonly sending: object | null;
}

export function formerOperations(secrets: Values): readonly SingleRow[] {
  return valuesUnder(secrets, FORMER_OPERATION).filter(isOperation).map(asRow);
}

/** What was sent may still take effect: the list decides. */
function asRow({ id, lockId, request, requestedAt, sendings, sending }: FormerOperation): SingleRow {
  const row = rowOfSingle(id, { lockId, request, requestedAt, sendings }, nameIn(request));
  return sending === null
    ? row
    : { ...row, codes: [{ ...unknownCode(lockId), sending: { draft: wantedBy(request, null) } }] };
}

function nameIn(request: CodeRequest): string | null {
  return request.kind === 'update' ? (request.changes.name ?? null) : null;
}

/** Only that version wrote these values; those of another one are left alone. */
function isOperation(value: unknown): value is FormerOperation {
  return (
    isObject(value) &&
    typeof value['id'] === 'string' &&
    typeof value['lockId'] === 'string' &&
    isObject(value['request']) &&
    typeof value['requestedAt'] === 'number' &&
    typeof value['sendings'] === 'number'
  );
}
