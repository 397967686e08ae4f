// Stores unfinished operations on access codes among the secrets, because they hold a PIN; stray codes and learned lengths among the settings.
import type { CodeOperation, StrayCode } from '../../domain/codes/operation.ts';
import { type LearnedLengths, NOTHING_LEARNED } from '../../domain/codes/pin-length.ts';
import type { CodeStore } from '../../domain/codes/ports.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import { isObject } from '../../support/text/foreign-json.ts';
import { type Values, valuesUnder } from '../account/settings.ts';

const OPERATION = 'code-operation:';
const STRAYS = 'stray-codes:';
const LENGTHS = 'code-lengths:';

export class KeptCodeStore implements CodeStore {
  readonly #secrets: Values;
  readonly #settings: Values;

  constructor(secrets: Values, settings: Values) {
    this.#secrets = secrets;
    this.#settings = settings;
  }

  open(): readonly CodeOperation[] {
    return valuesUnder(this.#secrets, OPERATION)
      .filter(isOperation)
      .sort((a, b) => a.requestedAt - b.requestedAt);
  }

  save(operation: CodeOperation): void {
    this.#secrets.write(OPERATION + operation.id, operation);
  }

  erase(id: string): void {
    this.#secrets.erase(OPERATION + id);
  }

  strays(lockId: LockId): readonly StrayCode[] {
    const kept = this.#settings.read(STRAYS + lockId);
    return Array.isArray(kept) ? kept.filter(isStray) : [];
  }

  saveStrays(lockId: LockId, strays: readonly StrayCode[]): void {
    if (strays.length === 0) {
      this.#settings.erase(STRAYS + lockId);
    } else {
      this.#settings.write(STRAYS + lockId, strays);
    }
  }

  lengths(lockId: LockId): LearnedLengths {
    const kept = this.#settings.read(LENGTHS + lockId);
    return isLengths(kept) ? kept : NOTHING_LEARNED;
  }

  saveLengths(lockId: LockId, lengths: LearnedLengths): void {
    this.#settings.write(LENGTHS + lockId, lengths);
  }
}

/** Only this class writes these values; it leaves those of another version alone. */
function isOperation(value: unknown): value is CodeOperation {
  return (
    isObject(value) &&
    typeof value['id'] === 'string' &&
    typeof value['lockId'] === 'string' &&
    isObject(value['request']) &&
    typeof value['requestedAt'] === 'number' &&
    typeof value['sendings'] === 'number'
  );
}

function isStray(value: unknown): value is StrayCode {
  return isObject(value) && typeof value['codeId'] === 'string' && typeof value['only'] === 'string';
}

function isLengths(value: unknown): value is LearnedLengths {
  return (
    isObject(value) &&
    (value['taken'] === null || typeof value['taken'] === 'number') &&
    Array.isArray(value['refused']) &&
    value['refused'].every((length) => typeof length === 'number')
  );
}
