// The access codes that were made in Home: carries out what Home asks, and keeps its table true when an operation ends otherwise.
import { type AccessCodeId, isUnnamed } from '../../domain/codes/access-code.ts';
import type { CodeFault } from '../../domain/codes/access-code-policy.ts';
import { type CodeProgress, hasEnded } from '../../domain/codes/operation.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import { LatchkeyError } from '../../support/errors.ts';
import type { CodesView } from '../../sync/account-runtime.ts';
import type { LockCodes } from '../../sync/codes/access-codes.ts';
import {
  type AnsweredCode,
  CODE_OPERATION,
  CODE_STATUS,
  type CodeStatus,
  type HomeCodeOperation,
  isComplete,
  type RequestedCode,
} from '../hap/access-code-tlv.ts';
import {
  changedTable,
  type HomeCode,
  type HomeCodeTable,
  newCodeName,
  newIdentifier,
  tableWith,
} from '../hap/home-code-table.ts';

export interface HomeCodesParts {
  readonly lockId: LockId;
  readonly codes: CodesView;
  readonly onListed: (listed: LockCodes) => void;
  readonly table: () => HomeCodeTable;
  /** Keeps a changed table, and tells controllers when its state differs. */
  readonly save: (table: HomeCodeTable) => void;
}

/** True once the answer to Home was sent: no operation may be started any more. */
export type IsLate = () => boolean;

export class HomeCodes {
  readonly #parts: HomeCodesParts;
  /** PINs of changes under way, by identifier: Home reads them back before the lock has them. Never kept on a disk. */
  readonly #pins = new Map<number, string>();

  constructor(parts: HomeCodesParts) {
    this.#parts = parts;
  }

  /** The identifiers of all codes made in Home. Rejects when the codes of the lock cannot be listed. */
  async list(): Promise<readonly AnsweredCode[]> {
    this.reconcile(await this.#listed());
    const removed = new Set(this.#underWay('remove').map(({ codeId }) => codeId));
    return this.#codes()
      .filter(({ codeId }) => codeId === null || !removed.has(codeId))
      .map(({ identifier }) => ({ identifier, pin: null, status: null }));
  }

  /** Never rejects. Answers when the operation has started; the lock may still refuse it. */
  async answer(
    operation: Exclude<HomeCodeOperation, typeof CODE_OPERATION.LIST>,
    item: RequestedCode,
    isLate: IsLate,
  ): Promise<AnsweredCode> {
    try {
      const status = await this.#carryOut(operation, item, isLate);
      return typeof status === 'number' ? { ...item, status } : status;
    } catch (error) {
      const isGone = error instanceof LatchkeyError && error.code === 'not-found';
      return { ...item, status: isGone ? CODE_STATUS.NO_SUCH_CODE : CODE_STATUS.UNKNOWN };
    }
  }

  ended({ kind, phase, codeId, name }: CodeProgress): void {
    const code = this.#codes().find((one) =>
      kind === 'add' ? one.codeId === null && one.name === name : one.codeId === codeId && codeId !== null,
    );
    if (code === undefined) {
      return;
    }
    this.#pins.delete(code.identifier);
    if (phase === 'done' && kind === 'add') {
      // The state that was reported to Home of this code is kept.
      this.#parts.save(tableWith(this.#parts.table(), { ...code, codeId }));
    } else if (phase === 'done' ? kind === 'remove' : kind === 'add') {
      this.#change(this.#codes().filter(({ identifier }) => identifier !== code.identifier));
    } else {
      // Home was answered before the end: it reads the codes again.
      this.#change(this.#codes());
    }
  }

  /** Drops the codes that the lock has lost, and notifies Home of changes made elsewhere. */
  async refresh(): Promise<void> {
    const before = this.#parts.table().state;
    this.reconcile(await this.#listed());
    if (this.#parts.table().state === before) {
      this.#change(this.#codes());
    }
  }

  reconcile({ codes }: LockCodes): void {
    const isUnsure = codes.some(isUnnamed);
    const adding = new Set(this.#underWay('add').map(({ name }) => name));
    const kept = this.#codes().flatMap((code): readonly HomeCode[] => {
      if (code.codeId !== null) {
        // A record without an id may be this code: it is not gone, and it may open the door.
        return isUnsure || codes.some(({ id }) => id === code.codeId) ? [code] : [];
      }
      const listed = codes.find(({ name }) => name === code.name);
      return listed === undefined ? (adding.has(code.name) ? [code] : []) : [{ ...code, codeId: listed.id }];
    });
    if (JSON.stringify(kept) !== JSON.stringify(this.#codes())) {
      this.#change(kept);
    }
  }

  async #carryOut(
    operation: Exclude<HomeCodeOperation, typeof CODE_OPERATION.LIST>,
    { identifier, pin }: RequestedCode,
    isLate: IsLate,
  ): Promise<CodeStatus | AnsweredCode> {
    if (!isComplete(operation, { identifier, pin })) {
      return CODE_STATUS.INVALID_REQUEST;
    }
    const listed = await this.#listed();
    this.reconcile(listed);
    if (isLate()) {
      return CODE_STATUS.UNKNOWN;
    }
    if (identifier === null) {
      return this.#add(pin ?? '', listed);
    }
    const code = this.#codes().find((one) => one.identifier === identifier);
    if (code === undefined) {
      return CODE_STATUS.NO_SUCH_CODE;
    }
    if (operation === CODE_OPERATION.READ) {
      return this.#read(code);
    }
    if (code.codeId === null) {
      return CODE_STATUS.UNKNOWN;
    }
    return operation === CODE_OPERATION.REMOVE
      ? this.#remove(identifier, code.codeId)
      : this.#update(identifier, code.codeId, pin ?? '', listed);
  }

  async #read({ identifier, codeId }: HomeCode): Promise<AnsweredCode> {
    const pin = this.#pins.get(identifier) ?? (codeId === null ? null : await this.#reveal(codeId));
    return { identifier, pin, status: pin === null ? CODE_STATUS.UNKNOWN : CODE_STATUS.SUCCESS };
  }

  async #add(pin: string, listed: LockCodes): Promise<AnsweredCode> {
    const identifier = newIdentifier(this.#parts.table());
    if (identifier === null) {
      return { identifier, pin, status: CODE_STATUS.TOO_MANY_CODES };
    }
    const name = newCodeName(
      identifier,
      listed.codes.map((code) => code.name),
    );
    const answer = await this.#parts.codes.add(this.#parts.lockId, {
      name,
      pin,
      schedule: { kind: 'always' },
    });
    if (answer.kind === 'invalid') {
      return this.#refused({ identifier: null, pin }, answer.faults, listed);
    }
    this.#pins.set(identifier, pin);
    this.#change([...this.#codes(), { identifier, name, codeId: null }]);
    return { identifier, pin, status: CODE_STATUS.SUCCESS };
  }

  async #update(
    identifier: number,
    codeId: AccessCodeId,
    pin: string,
    listed: LockCodes,
  ): Promise<AnsweredCode> {
    const answer = await this.#parts.codes.update(this.#parts.lockId, codeId, { pin });
    if (answer.kind === 'invalid') {
      return this.#refused({ identifier, pin }, answer.faults, listed);
    }
    this.#pins.set(identifier, pin);
    this.#change(this.#codes());
    return { identifier, pin, status: CODE_STATUS.SUCCESS };
  }

  async #remove(identifier: number, codeId: AccessCodeId): Promise<AnsweredCode> {
    await this.#parts.codes.remove(this.#parts.lockId, codeId);
    this.#change(this.#codes());
    return { identifier, pin: null, status: CODE_STATUS.SUCCESS };
  }

  /** A duplicate names the code of Home that has these digits already. */
  async #refused(
    item: RequestedCode & { readonly pin: string },
    faults: readonly CodeFault[],
    listed: LockCodes,
  ): Promise<AnsweredCode> {
    const status = statusOfFaults(item.pin, faults, listed.pinLength);
    if (status !== CODE_STATUS.DUPLICATE) {
      return { ...item, status };
    }
    for (const { identifier, codeId } of this.#codes()) {
      if (codeId !== null && (await this.#reveal(codeId)) === item.pin) {
        return { identifier, pin: item.pin, status };
      }
    }
    return { ...item, status };
  }

  async #listed(): Promise<LockCodes> {
    const listed = await this.#parts.codes.list(this.#parts.lockId);
    this.#parts.onListed(listed);
    return listed;
  }

  async #reveal(codeId: AccessCodeId): Promise<string> {
    return this.#parts.codes.reveal(this.#parts.lockId, codeId);
  }

  #underWay(kind: CodeProgress['kind']): readonly CodeProgress[] {
    const { codes, lockId } = this.#parts;
    return codes
      .operations()
      .filter((operation) => operation.lockId === lockId && operation.kind === kind && !hasEnded(operation));
  }

  #codes(): readonly HomeCode[] {
    return this.#parts.table().codes;
  }

  #change(codes: readonly HomeCode[]): void {
    this.#parts.save(changedTable(this.#parts.table(), codes));
  }
}

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
function statusOfFaults(pin: string, faults: readonly CodeFault[], pinLength: number | null): CodeStatus {
  const reason = faults[0]?.reason;
  if (reason === 'code-length-out-of-range') {
    return pin.length < (pinLength ?? SHORTEST_PIN) ? CODE_STATUS.TOO_SHORT : CODE_STATUS.TOO_LONG;
  }
  return (reason === undefined ? undefined : STATUS_OF_REASON.get(reason)) ?? CODE_STATUS.INVALID_REQUEST;
}
