// What is noted of each lock beside its list, and kept: codes that only the lock or only the list has, and how many digits it takes.
import {
  type AccessCode,
  type AccessCodeId,
  hasHiddenPin,
  LONGEST_CODE_NAME,
  SHORTER_CODE_NAME,
} from '../../domain/codes/access-code.ts';
import { type CodeRequest, codeIdIn, nameIn, type StrayCode } from '../../domain/codes/operation.ts';
import {
  afterRefusing,
  afterTaking,
  type LearnedLengths,
  NOTHING_LEARNED,
  type TakenLengths,
} from '../../domain/codes/pin-length.ts';
import type { CodeStore } from '../../domain/codes/ports.ts';
import type { RefusalReason } from '../../domain/commands/refusal.ts';
import { type Message, message } from '../../domain/language/message.ts';
import { speakableName } from '../../domain/locks/access.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import { tryDisk } from '../../support/files/try-disk.ts';
import { t } from '../../words/translate.ts';
import type { CommonParts } from '../locks/common-parts.ts';

export interface LockNotesParts extends Pick<CommonParts, 'store' | 'log'> {
  readonly codes: {
    readonly store: Pick<CodeStore, 'strays' | 'saveStrays' | 'lengths' | 'saveLengths'>;
  };
}

export interface Lengths extends TakenLengths {
  /** The number of digits that the listed codes demand of a new one; null: the lock itself decides. */
  readonly pinLength: number | null;
}

const STRAYS = message('Stray access codes could not be noted');
const LENGTHS = message('The length of access codes could not be noted');

export class LockNotes {
  readonly #parts: LockNotesParts;

  constructor(parts: LockNotesParts) {
    this.#parts = parts;
  }

  /** The noted codes that are still strays: a code that both sides have, or neither, is none. */
  strays(id: LockId, codes: readonly AccessCode[]): readonly StrayCode[] {
    return this.#strays(id).filter(
      ({ codeId, only }) => codes.some((code) => code.id === codeId) === (only === 'list'),
    );
  }

  strayFound(lockId: LockId, request: CodeRequest, codeId: AccessCodeId, only: StrayCode['only']): void {
    const others = this.#strays(lockId).filter((stray) => stray.codeId !== codeId);
    const strays = [...others, { codeId, name: speakableName(nameIn(request)), only }];
    this.#disk(STRAYS, (store) => store.saveStrays(lockId, strays));
  }

  /** The removed code is gone on both sides. */
  removed(lockId: LockId, request: CodeRequest): void {
    const known = this.#strays(lockId);
    const left = known.filter(({ codeId }) => request.kind !== 'remove-all' && codeId !== codeIdIn(request));
    if (left.length < known.length) {
      this.#disk(STRAYS, (store) => store.saveStrays(lockId, left));
    }
  }

  lengths(id: LockId, codes: readonly AccessCode[]): Lengths {
    const said = this.#parts.store.get(id)?.device?.variableLengthCodes ?? null;
    const shown = codes.filter((code) => !hasHiddenPin(code)).map(({ pin }) => pin.length);
    // Codes of different lengths prove it where the service does not report it.
    const anyLength = said ?? new Set(shown).size > 1;
    const { taken, refused } = this.#learned(id);
    const listed = shown[0] ?? null;
    // The service may list codes of a length that the lock does not take.
    const pinLength = anyLength || listed === null || refused.includes(listed) ? null : listed;
    const knownLength = anyLength ? null : (pinLength ?? taken);
    return { anyLength, pinLength, knownLength, refusedLengths: refused };
  }

  /** The lock took a code of so many digits, or has one; null: nothing was learned. */
  lengthTaken(id: LockId, length: number | null): void {
    const learned = this.#learned(id);
    if (length !== null && (learned.taken !== length || learned.refused.includes(length))) {
      this.#disk(LENGTHS, (store) => store.saveLengths(id, afterTaking(learned, length)));
    }
  }

  refused(id: LockId, request: CodeRequest, reason: RefusalReason): void {
    const length = lengthIn(request);
    const isNameRefused = (nameIn(request)?.length ?? 0) > SHORTER_CODE_NAME;
    if (reason === 'code-length-out-of-range' && length !== null) {
      const learned = afterRefusing(this.#learned(id), length);
      this.#disk(LENGTHS, (store) => store.saveLengths(id, learned));
    } else if (reason === 'code-name-too-long' && isNameRefused) {
      const learned = this.#learned(id);
      this.#disk(LENGTHS, (store) => store.saveLengths(id, { ...learned, shortNames: true }));
    }
  }

  /** How many characters the lock takes for a name. */
  longestName(id: LockId): number {
    return this.#learned(id).shortNames === true ? SHORTER_CODE_NAME : LONGEST_CODE_NAME;
  }

  #strays(id: LockId): readonly StrayCode[] {
    return this.#disk(STRAYS, (store) => store.strays(id)) ?? [];
  }

  #learned(id: LockId): LearnedLengths {
    return this.#disk(LENGTHS, (store) => store.lengths(id)) ?? NOTHING_LEARNED;
  }

  /** Notes advise only: a failing disk is logged with `what`, and nothing else. */
  #disk<Value>(what: Message, act: (store: LockNotesParts['codes']['store']) => Value): Value | null {
    return tryDisk(this.#parts.log, t(what), () => act(this.#parts.codes.store));
  }
}

/** The number of digits that a request would give to a code; null where it keeps them. */
export function lengthIn(request: CodeRequest): number | null {
  return request.kind === 'add'
    ? request.draft.pin.length
    : request.kind === 'update'
      ? (request.changes.pin?.length ?? null)
      : null;
}
