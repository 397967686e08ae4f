// Notes codes that only the lock or only the list has, from when they are found until they are gone.

import type { AccessCode, AccessCodeId } from '../../domain/codes/access-code.ts';
import { type CodeRequest, codeIdIn, type StrayCode } from '../../domain/codes/operation.ts';
import type { CodeStore } from '../../domain/codes/ports.ts';
import { message } from '../../domain/language/message.ts';
import { speakableName } from '../../domain/locks/access.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import { tryDisk } from '../../support/files/try-disk.ts';
import { t } from '../../words/translate.ts';
import type { CommonParts } from '../locks/common-parts.ts';
import { nameIn } from './log.ts';

const TROUBLE = message('Stray access codes could not be noted');

export interface StrayCodesParts extends Pick<CommonParts, 'log'> {
  readonly store: Pick<CodeStore, 'strays' | 'saveStrays'>;
}

export class StrayCodes {
  readonly #parts: StrayCodesParts;

  constructor(parts: StrayCodesParts) {
    this.#parts = parts;
  }

  /** The noted codes that are still strays: a code that both sides have, or neither, is none. */
  of(id: LockId, codes: readonly AccessCode[]): readonly StrayCode[] {
    return this.#kept(id).filter(
      ({ codeId, only }) => codes.some((code) => code.id === codeId) === (only === 'list'),
    );
  }

  found(lockId: LockId, request: CodeRequest, codeId: AccessCodeId, only: StrayCode['only']): void {
    const others = this.#kept(lockId).filter((stray) => stray.codeId !== codeId);
    const stray = {
      codeId,
      name: speakableName(nameIn(request)),
      only,
    };
    this.#save(lockId, [...others, stray]);
  }

  /** The removed code is gone on both sides. */
  removed(lockId: LockId, request: CodeRequest): void {
    const kept = this.#kept(lockId);
    const left =
      request.kind === 'remove-all' ? [] : kept.filter(({ codeId }) => codeId !== codeIdIn(request));
    if (left.length < kept.length) {
      this.#save(lockId, left);
    }
  }

  #kept(id: LockId): readonly StrayCode[] {
    const { log, store } = this.#parts;
    return tryDisk(log, t(TROUBLE), () => store.strays(id)) ?? [];
  }

  #save(id: LockId, strays: readonly StrayCode[]): void {
    const { log, store } = this.#parts;
    tryDisk(log, t(TROUBLE), () => store.saveStrays(id, strays));
  }
}
