// The access codes of the account moved by hand: operations end when the test says so.
import { type AccessCode, type AccessCodeId, accessCodeId } from '../../../src/domain/codes/access-code.ts';
import { faultsOfCode } from '../../../src/domain/codes/access-code-policy.ts';
import type { CodeProgress, CodeRequest } from '../../../src/domain/codes/operation.ts';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import type { CodesView, RuntimeEvent } from '../../../src/engine/account-runtime.ts';
import { FinalError, RetryError } from '../../../src/support/errors.ts';
import { codeFailure } from '../../../src/words/code-failures.ts';
import { applied } from '../service/codes.ts';

export class StandInCodes implements CodesView {
  codes: AccessCode[] = [];
  emit: (event: RuntimeEvent) => void = () => {};
  /** Awaited by every call. */
  answering: Promise<unknown> = Promise.resolve();
  isDown = false;
  #lastCode = 0;
  readonly #operations = new Map<
    string,
    { readonly progress: CodeProgress; readonly request: CodeRequest }
  >();

  list: CodesView['list'] = async () => {
    await this.#answered();
    return {
      codes: this.codes.map(({ pin, ...code }) => ({
        ...code,
        pinLength: pin.length,
        revision: 1,
        guest: null,
      })),
      strays: [],
      pinLength: this.codes[0]?.pin.length ?? null,
      anyLength: false,
      knownLength: 4,
      refusedLengths: [],
      zoneFrom: 'option',
      mostCodes: 100,
      timeZone: 'UTC',
    };
  };

  reveal: CodesView['reveal'] = async (_, id) => {
    await this.#answered();
    return this.#found(id).pin;
  };

  check: CodesView['check'] = async () => {
    await this.#answered();
    return [];
  };

  add: CodesView['add'] = async (lockId, draft) => {
    await this.#answered();
    const faults = faultsOfCode(draft, {
      codes: this.codes,
      variableLength: false,
      replaces: null,
      now: 0,
    });
    return faults.length > 0
      ? { kind: 'invalid', faults }
      : { kind: 'started', operation: this.#begin(lockId, { kind: 'add', draft }, null, draft.name) };
  };

  update: CodesView['update'] = async (lockId, codeId, changes) => {
    await this.#answered();
    const code = this.#found(codeId);
    const draft = { ...code, ...changes };
    const faults = faultsOfCode(draft, {
      codes: this.codes,
      variableLength: false,
      replaces: codeId,
      now: 0,
    });
    return faults.length > 0
      ? { kind: 'invalid', faults }
      : {
          kind: 'started',
          operation: this.#begin(lockId, { kind: 'update', codeId, changes }, codeId, code.name),
        };
  };

  remove: CodesView['remove'] = async (lockId, codeId) => {
    await this.#answered();
    // What no list shows may be a stray.
    const name = this.codes.find(({ id }) => id === codeId)?.name ?? null;
    return { kind: 'started', operation: this.#begin(lockId, { kind: 'remove', codeId }, codeId, name) };
  };

  operations: CodesView['operations'] = () => [...this.#operations.values()].map(({ progress }) => progress);

  /** Ends every operation under way: as the lock did it, or as it refused. */
  end(result: 'done' | 'failed'): void {
    for (const [id, { progress, request }] of this.#operations) {
      if (progress.phase === 'sent') {
        const codeId = result === 'done' ? this.#perform(request) : progress.codeId;
        const failure = result === 'done' ? null : codeFailure('code-not-added');
        const ended: CodeProgress = { ...progress, phase: result, codeId, failure };
        this.#operations.set(id, { progress: ended, request });
        this.emit({ type: 'code-operation', operation: ended });
      }
    }
  }

  #perform(request: CodeRequest): AccessCodeId | null {
    const isNew = request.kind === 'add';
    this.#lastCode += isNew ? 1 : 0;
    const added = isNew ? accessCodeId(`code-${String(this.#lastCode)}`) : null;
    this.codes = applied(this.codes, request, added);
    return request.kind === 'update' || request.kind === 'remove' ? request.codeId : added;
  }

  #begin(
    lockId: LockId,
    request: CodeRequest,
    codeId: AccessCodeId | null,
    name: string | null,
  ): CodeProgress {
    const id = String(this.#operations.size + 1);
    const progress: CodeProgress = {
      id,
      lockId,
      kind: request.kind,
      codeId,
      name,
      requestedAt: 0,
      phase: 'sent',
      waitingFor: null,
      failure: null,
    };
    this.#operations.set(id, { progress, request });
    return progress;
  }

  #found(id: AccessCodeId): AccessCode {
    const code = this.codes.find((one) => one.id === id);
    if (code === undefined) {
      throw new FinalError('not-found', 'There is no such code.');
    }
    return code;
  }

  async #answered(): Promise<void> {
    await this.answering;
    if (this.isDown) {
      throw new RetryError('unreachable', 'The service cannot be reached.');
    }
  }
}
