// Stores the rows of the book among the secrets, because they hold a PIN; stray codes, learned lengths and the age of the file among the settings. What version 1.0.0 stored of unfinished operations is read as rows.
import { unknownCode } from '../../domain/codes/code-machine.ts';
import { NEVER_USED, type OldFile, type UseOfFile } from '../../domain/codes/file-age.ts';
import { type Guest, rowOfSingle, type SingleRow, wantedBy } from '../../domain/codes/guest.ts';
import { type CodeRequest, nameIn, type StrayCode } from '../../domain/codes/operation.ts';
import { type LearnedLengths, NOTHING_LEARNED } from '../../domain/codes/pin-length.ts';
import type { CodeStore, FileAgeStore } from '../../domain/codes/ports.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import type { Instant } from '../../domain/time/instant.ts';
import { isObject } from '../../support/text/foreign-json.ts';
import { moveMarkIn } from '../account/move-mark.ts';
import { type Values, valuesUnder } from '../account/settings.ts';

const GUEST = 'guest:';
const OLD_FILE = 'old-file';
/** Version 1.0.0 takes every guest for a person to let in, so single changes have a place of their own. */
const SINGLE = 'single-code:';
const STRAYS = 'stray-codes:';
const LENGTHS = 'code-lengths:';

export class KeptCodeStore implements CodeStore {
  readonly #secrets: Values;
  readonly #settings: Values;

  constructor(secrets: Values, settings: Values) {
    this.#secrets = secrets;
    this.#settings = settings;
  }

  guests(): readonly Guest[] {
    const rows = [GUEST, SINGLE].flatMap((prefix) => valuesUnder(this.#secrets, prefix));
    return [...formerOperations(this.#secrets), ...rows.filter(isGuest)];
  }

  saveGuest(guest: Guest): void {
    this.#secrets.write((guest.single === undefined ? GUEST : SINGLE) + guest.id, guest);
  }

  eraseGuest(id: string): void {
    for (const prefix of [GUEST, SINGLE, FORMER_OPERATION]) {
      this.#secrets.erase(prefix + id);
    }
  }

  oldFile(): OldFile | null {
    const kept = this.#settings.read(OLD_FILE);
    return isObject(kept) && typeof kept['at'] === 'number' && isReason(kept['because'])
      ? { because: kept['because'], at: kept['at'], madeAt: Number(kept['madeAt'] ?? 0) || null }
      : null;
  }

  saveOldFile(old: OldFile | null): void {
    if (old === null) {
      this.#settings.erase(OLD_FILE);
    } else {
      this.#settings.write(OLD_FILE, old);
    }
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

function isReason(value: unknown): value is OldFile['because'] {
  return value === 'restored' || value === 'sign-in' || value === 'changed';
}

/** Only this class writes these values; it leaves those of another version alone. */
function isGuest(value: unknown): value is Guest {
  return (
    isObject(value) &&
    typeof value['id'] === 'string' &&
    isObject(value['draft']) &&
    typeof value['draft']['name'] === 'string' &&
    typeof value['draft']['pin'] === 'string' &&
    isObject(value['draft']['schedule']) &&
    (value['locks'] === 'all' || Array.isArray(value['locks'])) &&
    typeof value['isLeaving'] === 'boolean' &&
    Array.isArray(value['codes'])
  );
}

const FORMER_OPERATION = 'code-operation:';

interface FormerOperation {
  readonly id: string;
  readonly lockId: LockId;
  readonly request: CodeRequest;
  readonly requestedAt: number;
  readonly sendings: number;
  readonly sending: object | null;
}

function formerOperations(secrets: Values): readonly SingleRow[] {
  return valuesUnder(secrets, FORMER_OPERATION).filter(isOperation).map(asRow);
}

/** What was sent may still take effect: the list decides. */
function asRow({ id, lockId, request, requestedAt, sendings, sending }: FormerOperation): SingleRow {
  const row = rowOfSingle(id, { lockId, request, requestedAt, sendings }, nameIn(request));
  return sending === null
    ? row
    : { ...row, codes: [{ ...unknownCode(lockId), sending: { draft: wantedBy(request, null) } }] };
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

const USE = 'use-of-file';

export class KeptFileAge implements FileAgeStore {
  readonly #settings: Values;
  readonly #renewedAt: () => Instant | null;

  /** `renewedAt`: when the stored sign-in was renewed. */
  constructor(settings: Values, renewedAt: () => Instant | null) {
    this.#settings = settings;
    this.#renewedAt = renewedAt;
  }

  restored(): OldFile | null {
    const mark = moveMarkIn(this.#settings);
    // With a backup that gave the account up, nothing went on behind it.
    return mark?.kind === 'restored' && !mark.stopped
      ? { because: 'restored', at: mark.at, madeAt: mark.madeAt }
      : null;
  }

  use(): UseOfFile {
    const kept = this.#settings.read(USE);
    if (!isUse(kept) || kept.lastUsedAt === null) {
      return isUse(kept) ? kept : NEVER_USED;
    }
    return { ...kept, lastUsedAt: Math.max(kept.lastUsedAt, this.#renewedAt() ?? 0) };
  }

  saveUse(use: UseOfFile): void {
    this.#settings.write(USE, use);
  }
}

/** Only this class writes it; it leaves that of another version alone. */
function isUse(value: unknown): value is UseOfFile {
  return isObject(value) && Array.isArray(value['unused']) && 'lastUsedAt' in value && 'askedAt' in value;
}
