// Command bodies, checked in the contract's order, and the lock's resulting work (wire contract 3, 4, 11).
import { isObject } from '../../../../src/support/text/foreign-json.ts';
import { type ErrorCode, REFUSALS, type Refusal, refuse } from '../../contract/errors.ts';
import { type CodeDraft, findClash, MOST_CODES, parseDraft, type StoredCode } from '../access-code.ts';
import type { Kernel } from '../kernel.ts';
import type { Lock } from '../lock.ts';
import type { Answer, BoltEnd, CommandDataByName, CommandName, CommandState } from '../records.ts';
import { delist, delistAll, enlist, erase, eraseAll, storeChanged, storeNew } from './codes.ts';

export type Work =
  | { readonly kind: 'bolt'; readonly to: BoltEnd }
  | {
      readonly kind: 'codes';
      /** The lock's own part: the number of the error, or null when it is done. */
      readonly store: () => ErrorCode | null;
      /** The cloud's part, once the lock has reported success. */
      readonly list: () => void;
    };

/** `data` of a named command by its state. */
export type NamedData = {
  readonly [Name in CommandName]: {
    readonly name: Name;
    readonly data: (state: CommandState) => Omit<CommandDataByName[Name], 'error'>;
  };
}[CommandName];

export interface CommandPlan {
  readonly named: NamedData;
  /** A clash with the cloud's list; reported only after "busy". */
  readonly clash: ErrorCode | null;
  readonly work: Work;
}

type Members = Readonly<Record<string, unknown>>;
type Planned = Answer<CommandPlan>;

const no = (refusal: Refusal): Planned => ({ ok: false, refusal });
const plan = (value: CommandPlan): Planned => ({ ok: true, value });

export function planCommand(kernel: Kernel, lock: Lock, name: CommandName, data: unknown): Planned {
  const members = data ?? {};
  if (!isObject(members)) {
    return no(refuse(20));
  }
  switch (name) {
    case 'ChangeLockState':
      return planChangeLockState(members);
    case 'AddAccessCode':
      return planAdd(kernel, lock, members);
    case 'UpdateAccessCode':
      return planUpdate(kernel, lock, members);
    case 'DeleteAccessCode':
      return planDelete(kernel, lock, members);
    case 'DeleteAllAccessCodes':
      return planDeleteAll(kernel, lock);
  }
}

function planChangeLockState(data: Members): Planned {
  const { lockState } = data;
  if (lockState !== 'Locked' && lockState !== 'Unlocked') {
    return no(refuse(20));
  }
  return plan({
    named: {
      name: 'ChangeLockState',
      data: (state) => ({ lockState: state === 'Successful' ? lockState : 'Unknown' }),
    },
    clash: null,
    work: { kind: 'bolt', to: lockState },
  });
}

function planAdd(kernel: Kernel, lock: Lock, data: Members): Planned {
  const draft = parseDraft(data, null, lock.settings);
  if (typeof draft === 'number') {
    return no(refuse(draft));
  }
  const code: StoredCode = { accessCodeId: kernel.random.uuid(), readOnly: false, ...draft };
  const isFull = lock.cloud.codes.size >= MOST_CODES;
  return plan({
    named: { name: 'AddAccessCode', data: keptUnlessFailed(code) },
    clash: clashInList(lock, draft, null) ?? (isFull ? 5 : null),
    work: {
      kind: 'codes',
      store: () => storeNew(kernel, lock, code),
      list: () => enlist(kernel, lock, code),
    },
  });
}

function planUpdate(kernel: Kernel, lock: Lock, data: Members): Planned {
  const found = findCode(data, (id) => lock.cloud.codes.get(id));
  if (!found.ok) {
    return found;
  }
  const before = found.value;
  const draft = parseDraft(data, before, lock.settings);
  if (typeof draft === 'number') {
    return no(refuse(draft));
  }
  if (before.readOnly) {
    return no(REFUSALS.codeReadOnly);
  }
  const code: StoredCode = { ...before, ...draft };
  return plan({
    named: { name: 'UpdateAccessCode', data: keptUnlessFailed(code) },
    clash: clashInList(lock, draft, code.accessCodeId),
    work: {
      kind: 'codes',
      store: () => storeChanged(lock, code),
      list: () => enlist(kernel, lock, code),
    },
  });
}

function planDelete(kernel: Kernel, lock: Lock, data: Members): Planned {
  const { codes } = lock.cloud;
  const found = findCode(
    data,
    (id) => codes.get(id) ?? lock.storedCodes.find((code) => code.accessCodeId === id),
  );
  if (!found.ok) {
    return found;
  }
  const code = found.value;
  if (code.readOnly) {
    return no(REFUSALS.codeReadOnly);
  }
  const { accessCodeId, name } = code;
  return plan({
    named: {
      name: 'DeleteAccessCode',
      data: (state) =>
        state === 'Failed'
          ? { accessCodeId, friendlyName: name }
          : { accessCodeId: null, friendlyName: null },
    },
    clash: null,
    work: {
      kind: 'codes',
      store: () => erase(kernel, lock, accessCodeId),
      list: () => delist(kernel, lock, code),
    },
  });
}

function planDeleteAll(kernel: Kernel, lock: Lock): Planned {
  const { deviceId } = lock;
  return plan({
    named: { name: 'DeleteAllAccessCodes', data: () => ({ deviceId }) },
    clash: null,
    work: {
      kind: 'codes',
      store: () => eraseAll(kernel, lock),
      list: () => delistAll(kernel, lock),
    },
  });
}

/** The code that `accessCodeId` names. An id that is not text names none. */
function findCode(data: Members, find: (id: string) => StoredCode | undefined): Answer<StoredCode> {
  const id = data['accessCodeId'];
  if (id === undefined || id === null || id === '') {
    return { ok: false, refusal: refuse(16) };
  }
  const code = typeof id === 'string' ? find(id) : undefined;
  return code === undefined ? { ok: false, refusal: REFUSALS.accessCodeUnknown } : { ok: true, value: code };
}

const clashInList = (lock: Lock, draft: CodeDraft, ownId: string | null): ErrorCode | null =>
  findClash(lock.cloud.codes.values(), draft, ownId, lock.settings.vlac);

const keptUnlessFailed = (code: StoredCode) => (state: CommandState) => ({
  accessCodeId: state === 'Failed' ? null : code.accessCodeId,
  friendlyName: code.name,
});
