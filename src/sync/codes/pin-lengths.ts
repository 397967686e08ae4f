// How many digits the codes of each lock have: learned from its codes and its refusals, and kept.
import type { AccessCode } from '../../domain/codes/access-code.ts';
import type { CodeRequest } from '../../domain/codes/operation.ts';
import {
  afterRefusing,
  afterTaking,
  type LearnedLengths,
  NOTHING_LEARNED,
  type TakenLengths,
} from '../../domain/codes/pin-length.ts';
import type { CodeStore } from '../../domain/codes/ports.ts';
import type { RefusalReason } from '../../domain/commands/refusal.ts';
import { message } from '../../domain/language/message.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import { tryDisk } from '../../support/files/try-disk.ts';
import { t } from '../../words/translate.ts';
import type { CommonParts } from '../locks/common-parts.ts';

export interface PinLengthsParts extends Pick<CommonParts, 'store' | 'log'> {
  readonly codes: { readonly store: Pick<CodeStore, 'lengths' | 'saveLengths'> };
}

const TROUBLE = message('The length of access codes could not be noted');

export class PinLengths {
  readonly #parts: PinLengthsParts;

  constructor(parts: PinLengthsParts) {
    this.#parts = parts;
  }

  /** `pinLength`: the number of digits that the listed codes demand of a new one; null: the lock itself decides. */
  of(id: LockId, codes: readonly AccessCode[]): TakenLengths & { readonly pinLength: number | null } {
    const anyLength = takesAnyLength(this.#parts.store.get(id)?.device?.variableLengthCodes ?? null, codes);
    const { taken, refused } = this.#learned(id);
    const listed = codes.find(({ pin }) => pin !== '')?.pin.length ?? null;
    // The service may list codes of a length that the lock does not take.
    const pinLength = anyLength || listed === null || refused.includes(listed) ? null : listed;
    return {
      anyLength,
      pinLength,
      knownLength: anyLength ? null : (pinLength ?? taken),
      refusedLengths: refused,
    };
  }

  taken(id: LockId, length: number | null): void {
    const learned = this.#learned(id);
    if (length !== null && (learned.taken !== length || learned.refused.includes(length))) {
      this.#save(id, afterTaking(learned, length));
    }
  }

  refused(id: LockId, request: CodeRequest, reason: RefusalReason): void {
    const length = lengthIn(request);
    if (reason === 'code-length-out-of-range' && length !== null) {
      this.#save(id, afterRefusing(this.#learned(id), length));
    }
  }

  #learned(id: LockId): LearnedLengths {
    const { codes, log } = this.#parts;
    return tryDisk(log, t(TROUBLE), () => codes.store.lengths(id)) ?? NOTHING_LEARNED;
  }

  #save(id: LockId, lengths: LearnedLengths): void {
    const { codes, log } = this.#parts;
    tryDisk(log, t(TROUBLE), () => codes.store.saveLengths(id, lengths));
  }
}

/** Codes of different lengths prove it where the service does not report it. */
function takesAnyLength(said: boolean | null, codes: readonly AccessCode[]): boolean {
  return said ?? new Set(codes.map(({ pin }) => pin.length)).size > 1;
}

/** The number of digits that a request would give to a code; null where it keeps them. */
export function lengthIn(request: CodeRequest): number | null {
  switch (request.kind) {
    case 'add':
      return request.draft.pin.length;
    case 'update':
      return request.changes.pin?.length ?? null;
    case 'remove':
    case 'remove-all':
      return null;
  }
}
