// Stores the rows of the book among the secrets, because they hold a PIN; stray codes, learned lengths and the age of the file among the settings. What version 1.0.0 stored of unfinished operations is read as rows.
import type { CodeDraft, CodeSchedule } from '../../domain/codes/access-code.ts';
import { unknownCode } from '../../domain/codes/code-machine.ts';
import { NEVER_USED, type OldFile, type UseOfFile } from '../../domain/codes/file-age.ts';
import {
  type Guest,
  type GuestCode,
  rowOfSingle,
  type SingleRow,
  wantedBy,
} from '../../domain/codes/guest.ts';
import { type CodeRequest, nameIn, type StrayCode } from '../../domain/codes/operation.ts';
import { type LearnedLengths, NOTHING_LEARNED } from '../../domain/codes/pin-length.ts';
import type { CodeStore, FileAgeStore } from '../../domain/codes/ports.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import type { Instant } from '../../domain/time/instant.ts';
import { isObject } from '../../support/text/foreign-json.ts';
import { moveMarkIn } from '../account/move-mark.ts';
import { eraseUnread, type UnreadValue, unreadUnder, type Values, valuesUnder } from '../account/settings.ts';

const GUEST = 'guest:';
/** Of version 1.0.0. */
const FORMER_OPERATION = 'code-operation:';
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
    const former = valuesUnder(this.#secrets, FORMER_OPERATION).filter(isOperation);
    return [...former.map(asRow), ...rows.filter(isGuest)];
  }

  eraseUnread(): void {
    eraseUnread(this.#secrets, this.unread());
  }

  unread(): readonly UnreadValue[] {
    const tables = { table: 'secret', secrets: this.#secrets, settings: this.#settings } as const;
    return unreadUnder({ [GUEST]: isGuest, [SINGLE]: isGuest, [FORMER_OPERATION]: isOperation }, tables);
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
    return isOldFile(kept) ? { ...kept, madeAt: Number(kept.madeAt ?? 0) || null } : null;
  }

  saveOldFile(old: OldFile | null): void {
    writeOrErase(this.#settings, OLD_FILE, old);
  }

  strays(lockId: LockId): readonly StrayCode[] {
    const kept = this.#settings.read(STRAYS + lockId);
    return Array.isArray(kept) ? kept.filter(isStray) : [];
  }

  saveStrays(lockId: LockId, strays: readonly StrayCode[]): void {
    writeOrErase(this.#settings, STRAYS + lockId, strays.length === 0 ? null : strays);
  }

  lengths(lockId: LockId): LearnedLengths {
    const kept = this.#settings.read(LENGTHS + lockId);
    return isLengths(kept) ? kept : NOTHING_LEARNED;
  }

  saveLengths(lockId: LockId, lengths: LearnedLengths): void {
    this.#settings.write(LENGTHS + lockId, lengths);
  }
}

function writeOrErase(settings: Values, key: string, value: object | null): void {
  if (value === null) {
    settings.erase(key);
  } else {
    settings.write(key, value);
  }
}

/** Whether the value has members of these kinds. Only this file writes them; it leaves those of another version alone. */
function has<Kept>(
  value: unknown,
  kinds: Partial<Record<keyof Kept & string, 'string' | 'number' | 'boolean' | 'object' | 'list'>>,
): value is Kept {
  return isObject(value) && Object.entries(kinds).every(([name, kind]) => kindOf(value[name]) === kind);
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value;
}

function isStray(value: unknown): value is StrayCode {
  return has<StrayCode>(value, { codeId: 'string', only: 'string' });
}

function isLengths(value: unknown): value is LearnedLengths {
  return (
    has<LearnedLengths>(value, { refused: 'list' }) &&
    (value.taken === null || typeof value.taken === 'number') &&
    value.refused.every((length) => typeof length === 'number')
  );
}

function isOldFile(value: unknown): value is Omit<OldFile, 'madeAt'> & { readonly madeAt?: unknown } {
  return (
    has<OldFile>(value, { because: 'string', at: 'number' }) &&
    ['restored', 'sign-in', 'changed'].includes(value.because)
  );
}

function isGuest(value: unknown): value is Guest {
  return (
    has<Guest>(value, { id: 'string', draft: 'object', isLeaving: 'boolean', codes: 'list' }) &&
    isDraft(value.draft) &&
    (value.locks === 'all' || Array.isArray(value.locks)) &&
    value.codes.every(isGuestCode)
  );
}

function isGuestCode(value: unknown): value is GuestCode {
  return (
    has<GuestCode>(value, { lockId: 'string', attempted: 'list', former: 'list', left: 'list' }) &&
    (value.written === null || isDraft(value.written)) &&
    [...value.attempted, ...value.former, ...value.left].every(isDraft)
  );
}

function isDraft(value: unknown): value is CodeDraft {
  return (
    has<CodeDraft>(value, { name: 'string', pin: 'string', schedule: 'object' }) &&
    SCHEDULES.has(value.schedule.kind)
  );
}

/** A newer version may know others. */
const SCHEDULES: ReadonlySet<CodeSchedule['kind']> = new Set([
  'always',
  'temporary',
  'recurring',
  'unrecognised',
]);

interface FormerOperation {
  readonly id: string;
  readonly lockId: LockId;
  readonly request: CodeRequest;
  readonly requestedAt: number;
  readonly sendings: number;
  readonly sending: object | null;
}

/** What was sent may still take effect: the list decides. */
function asRow({ id, lockId, request, requestedAt, sendings, sending }: FormerOperation): SingleRow {
  const row = rowOfSingle(id, { lockId, request, requestedAt, sendings }, nameIn(request));
  return sending === null
    ? row
    : { ...row, codes: [{ ...unknownCode(lockId), sending: { draft: wantedBy(request, null) } }] };
}

function isOperation(value: unknown): value is FormerOperation {
  return has<FormerOperation>(value, {
    id: 'string',
    lockId: 'string',
    request: 'object',
    requestedAt: 'number',
    sendings: 'number',
  });
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
    const isWhole = has<UseOfFile>(kept, { unused: 'list' }) && 'lastUsedAt' in kept && 'askedAt' in kept;
    const use = isWhole ? kept : NEVER_USED;
    const { lastUsedAt } = use;
    return lastUsedAt === null ? use : { ...use, lastUsedAt: Math.max(lastUsedAt, this.#renewedAt() ?? 0) };
  }

  saveUse(use: UseOfFile): void {
    this.#settings.write(USE, use);
  }
}
