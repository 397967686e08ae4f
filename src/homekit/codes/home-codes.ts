// The access codes that were made in Home: guests on one lock, each with a number. What Home asks is written into the book, and shown as the book and the lock have it.
import { type AccessCodeId, isUnnamed } from '../../domain/codes/access-code.ts';
import { type CodeFault, SHORTEST_PIN } from '../../domain/codes/access-code-policy.ts';
import { freeName } from '../../domain/codes/names.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import type { CodesView, GuestsView } from '../../engine/account-runtime.ts';
import type { LockCodes } from '../../engine/codes/access-codes.ts';
import type { GuestOnLock, GuestView } from '../../engine/codes/guests.ts';
import { LatchkeyError } from '../../support/errors.ts';
import {
  type AnsweredCode,
  CODE_OPERATION,
  CODE_STATUS,
  type CodeStatus,
  type HomeCodeOperation,
  isComplete,
  type RequestedCode,
} from '../hap/access-code-tlv.ts';
import { type HomeCode, type HomeCodeTable, newIdentifier, nextState } from '../hap/home-code-table.ts';

export interface HomeCodesParts {
  readonly lockId: LockId;
  readonly codes: CodesView;
  readonly guests: GuestsView;
  readonly onListed: (listed: LockCodes) => void;
  readonly table: () => HomeCodeTable;
  /** Keeps a changed table, and tells controllers when its state differs. */
  readonly save: (table: HomeCodeTable) => void;
}

/** What Home asks of one code. */
type ItemOperation = Exclude<HomeCodeOperation, typeof CODE_OPERATION.LIST>;

/** True once the answer to Home was sent: nothing may be begun any more. */
type IsLate = () => boolean;

/** The status of an item, and what its answer has beside or in place of what was requested. */
type Outcome = Partial<RequestedCode> & { readonly status: CodeStatus };

/** A guest made in Home who still has to do with the lock. */
interface HomeGuest {
  readonly identifier: number;
  readonly guest: GuestView;
  readonly onLock: GuestOnLock;
}

/** The same as the lock has it. `codeId`: of the code on the lock that opens it; null: the wanted one is on its way. */
interface ShownCode extends HomeGuest {
  readonly codeId: AccessCodeId | null;
}

export class HomeCodes {
  readonly #parts: HomeCodesParts;
  /** What Home would read, as of the last look. In memory only: it holds digits. */
  #lastRead = '[]';
  #lastRows = '';

  constructor(parts: HomeCodesParts) {
    this.#parts = parts;
  }

  /** The identifiers of all codes made in Home. Rejects when the codes of the lock cannot be listed. */
  async list(): Promise<readonly AnsweredCode[]> {
    const shown = this.#shown(await this.#listed());
    return shown.map(({ identifier }) => ({ identifier, pin: null, status: null }));
  }

  /** Never rejects. Answers when the change is in the book; the lock may still refuse it. */
  async answer(operation: ItemOperation, item: RequestedCode, isLate: IsLate): Promise<AnsweredCode> {
    try {
      return { ...item, ...(await this.#carryOut(operation, item, isLate)) };
    } catch (error) {
      const isGone = error instanceof LatchkeyError && error.code === 'not-found';
      return { ...item, status: isGone ? CODE_STATUS.NO_SUCH_CODE : CODE_STATUS.UNKNOWN };
    }
  }

  /** Whether a guest of this lock that Home knows stands otherwise than at the last call. */
  haveChanged(): boolean {
    const rows = JSON.stringify(this.#guests());
    const haveChanged = rows !== this.#lastRows;
    this.#lastRows = rows;
    return haveChanged;
  }

  /** Notifies Home when it would read something else than before. Rejects as `list` does. */
  async refresh(): Promise<void> {
    const listed = await this.#listed();
    const reads = this.#shown(listed).map(async (code) => [code.identifier, await this.#pinOf(code)]);
    const read = JSON.stringify(await Promise.all(reads));
    if (read !== this.#lastRead) {
      this.#lastRead = read;
      this.#changed();
    }
  }

  async #carryOut(operation: ItemOperation, item: RequestedCode, isLate: IsLate): Promise<Outcome> {
    const { identifier, pin } = item;
    if (!isComplete(operation, item)) {
      return { status: CODE_STATUS.INVALID_REQUEST };
    }
    const listed = await this.#listed();
    if (identifier === null) {
      return this.#add(pin ?? '', listed, isLate);
    }
    const code = this.#shown(listed).find((one) => one.identifier === identifier);
    if (code === undefined) {
      return { status: CODE_STATUS.NO_SUCH_CODE };
    }
    if (operation === CODE_OPERATION.READ) {
      return { pin: await this.#pinOf(code), status: CODE_STATUS.SUCCESS };
    }
    if (operation !== CODE_OPERATION.REMOVE) {
      return this.#update(code, pin ?? '', listed, isLate);
    }
    if (isLate()) {
      return { status: CODE_STATUS.UNKNOWN };
    }
    this.#parts.guests.remove(code.guest.id);
    return this.#done({ pin: null });
  }

  async #add(pin: string, listed: LockCodes, isLate: IsLate): Promise<Outcome> {
    const { lockId, codes, guests } = this.#parts;
    const identifier = newIdentifier(this.#guests().map((one) => one.identifier));
    if (identifier === null) {
      return { status: CODE_STATUS.TOO_MANY_CODES };
    }
    const ofGuests = guests.list().flatMap(({ name, nameOnLock }) => [name, nameOnLock]);
    const taken = [...listed.codes.map((code) => code.name), ...ofGuests].map((name) => name.toLowerCase());
    const name = freeName(`Home ${String(identifier)}`, new Set(taken));
    const draft = { name, pin, schedule: { kind: 'always' } } as const;
    const faults = await codes.check(lockId, draft, null);
    if (isLate()) {
      return { status: CODE_STATUS.UNKNOWN };
    }
    const home = { lockId, identifier };
    const answer = faults.length > 0 ? { faults } : guests.add(draft, [lockId], { home });
    return 'faults' in answer ? this.#refused(pin, answer.faults, listed) : this.#done({ identifier });
  }

  async #update(code: ShownCode, pin: string, listed: LockCodes, isLate: IsLate): Promise<Outcome> {
    const { lockId, codes, guests } = this.#parts;
    const { guest, onLock } = code;
    const { codeId, standing, revision } = onLock;
    const faults = codeId === null ? [] : await codes.check(lockId, { pin }, codeId);
    if (codeId === null || isLate()) {
      return { status: CODE_STATUS.UNKNOWN };
    }
    if (faults.length === 0 && standing.kind === 'differs') {
      // Who writes other digits in Home has decided against the version of the lock's app.
      guests.settle(guest.id, lockId, 'overwrite', revision);
    }
    const answer = faults.length > 0 ? { faults } : guests.update(guest.id, { pin }, guest.revision);
    return 'faults' in answer ? this.#refused(pin, answer.faults, listed) : this.#done({});
  }

  #done(outcome: Partial<RequestedCode>): Outcome {
    this.#changed();
    return { ...outcome, status: CODE_STATUS.SUCCESS };
  }

  /** A duplicate names the code of Home that has these digits already. */
  async #refused(pin: string, faults: readonly CodeFault[], listed: LockCodes): Promise<Outcome> {
    const status = statusOfFaults(pin, faults, listed.pinLength);
    for (const code of status === CODE_STATUS.DUPLICATE ? this.#shown(listed) : []) {
      if ((await this.#pinOf(code)) === pin) {
        return { identifier: code.identifier, status };
      }
    }
    return { status };
  }

  async #pinOf({ guest, codeId }: ShownCode): Promise<string> {
    const { lockId, codes, guests } = this.#parts;
    return codeId === null || isUnnamed({ id: codeId })
      ? guests.reveal(guest.id)
      : codes.reveal(lockId, codeId);
  }

  #guests(): readonly HomeGuest[] {
    const { lockId, guests } = this.#parts;
    return guests.list().flatMap((guest) => {
      const onLock = guest.onLocks.find((one) => one.lockId === lockId);
      const isHere = guest.home?.lockId === lockId && onLock !== undefined;
      return isHere ? [{ identifier: guest.home.identifier, guest, onLock }] : [];
    });
  }

  /** Codes that the lock has, and those that it is to get and has not refused. */
  #shown({ codes }: LockCodes): readonly ShownCode[] {
    return this.#guests().flatMap((one): readonly ShownCode[] => {
      const { codeId, standing, isLeaving } = one.onLock;
      const isOnItsWay =
        standing.kind === 'on-its-way' || (standing.kind === 'waiting' && standing.retryAt === null);
      // A record without an id may be this code: it is not gone, and it may open the door.
      const listed = codes.find(({ id }) => id === codeId) ?? codes.find(isUnnamed);
      if (isOnItsWay) {
        return isLeaving ? [] : [{ ...one, codeId: null }];
      }
      return codeId === null || listed === undefined ? [] : [{ ...one, codeId: listed.id }];
    });
  }

  async #listed(): Promise<LockCodes> {
    const { codes, lockId, onListed, table } = this.#parts;
    const listed = await codes.list(lockId);
    onListed(listed);
    for (const former of table().codes) {
      await this.#takeOver(former, listed);
    }
    return listed;
  }

  /** A code that version 1.0.0 made becomes a row of the book, where the lock has it. */
  async #takeOver(former: HomeCode, { codes }: LockCodes): Promise<void> {
    const { lockId, guests, table, save } = this.#parts;
    const { identifier, name, codeId } = former;
    const listed = codes.find((code) => (codeId === null ? code.name === name : code.id === codeId));
    if (listed === undefined && codes.some(isUnnamed)) {
      return;
    }
    if (listed !== undefined && listed.pinLength > 0) {
      const pin = await this.#parts.codes.reveal(lockId, listed.id);
      const home = { lockId, identifier };
      guests.add({ name: listed.name, pin, schedule: listed.schedule }, [lockId], { home });
    }
    const { state, codes: all } = table();
    save({ state, codes: all.filter((one) => one.identifier !== identifier) });
  }

  #changed(): void {
    const { table, save } = this.#parts;
    const { state, codes } = table();
    save({ state: nextState(state), codes });
  }
}

/** `code-length-out-of-range` depends on the digits. */
const STATUSES: Readonly<Partial<Record<CodeFault['reason'], CodeStatus>>> = {
  'code-exists': CODE_STATUS.DUPLICATE,
  'code-subset-in-use': CODE_STATUS.DUPLICATE,
  'code-superset-in-use': CODE_STATUS.DUPLICATE,
  'pin-out-of-range': CODE_STATUS.INVALID_CHARACTER,
  'code-not-added': CODE_STATUS.TOO_MANY_CODES,
};

/** The status that comes nearest to the first rule that is broken. `pinLength`: of all codes of the lock; null: any. */
function statusOfFaults(pin: string, faults: readonly CodeFault[], pinLength: number | null): CodeStatus {
  const reason = faults[0]?.reason ?? 'unrecognised';
  if (reason === 'code-length-out-of-range') {
    return pin.length < (pinLength ?? SHORTEST_PIN) ? CODE_STATUS.TOO_SHORT : CODE_STATUS.TOO_LONG;
  }
  return STATUSES[reason] ?? CODE_STATUS.INVALID_REQUEST;
}
