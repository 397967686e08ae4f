// Commands: one at a time on a lock, Pending until the lock answers or 60 seconds are over, then ended once (wire contract 3).
import { commandError, type ErrorCode, REFUSALS, refuse } from '../../contract/errors.ts';
import { COMMAND_NAMES } from '../../contract/names.ts';
import type { Kernel } from '../kernel.ts';
import { type CommandInFlight, isOnline, isPowered, type Lock, type PlannedFault } from '../lock.ts';
import type { Accessor, Answer, CommandName, CommandRecord, CommandState, Role } from '../records.ts';
import type { BusyMode } from '../setup.ts';
import type { BoltPosition, Bolts } from './bolt.ts';
import { type CommandPlan, type NamedData, planCommand, type Work } from './command-plans.ts';

/** Wire contract 3: "No answer from the lock in 60 s". */
const ANSWER_LIMIT_MS = 60_000;
/** Wire contract 3: "kept 24 h at least, then 404". */
const KEPT_MS = 24 * 3_600_000;

export interface Caller {
  readonly accessor: Accessor;
  readonly role: Role;
}

export class Commands {
  readonly #kernel: Kernel;
  readonly #bolts: Bolts;
  busyMode: BusyMode;

  constructor(kernel: Kernel, bolts: Bolts, busyMode: BusyMode) {
    this.#kernel = kernel;
    this.#bolts = bolts;
    this.busyMode = busyMode;
  }

  /** Order of checks: role, name, body (400, 404, 403), busy (36), then clashes (wire contract 0 and 11). */
  submit(lock: Lock, caller: Caller, name: unknown, data: unknown): Answer<CommandRecord> {
    if (caller.role !== 'owner' && caller.role !== 'guest') {
      return { ok: false, refusal: REFUSALS.roleForbids };
    }
    const known = COMMAND_NAMES.find((command) => command === name);
    if (known === undefined) {
      return { ok: false, refusal: refuse(25) };
    }
    if (!mayCommand(caller.role, known)) {
      return { ok: false, refusal: REFUSALS.roleForbids };
    }
    const planned = planCommand(this.#kernel, lock, known, data);
    if (!planned.ok) {
      return planned;
    }
    if (lock.inFlight !== null) {
      return this.#answerBusy(lock, planned.value);
    }
    if (planned.value.clash !== null) {
      return { ok: false, refusal: refuse(planned.value.clash) };
    }
    return { ok: true, value: this.#launch(lock, planned.value, caller.accessor) };
  }

  /** The bolt came to rest, which answers a waiting command, however it was moved. */
  boltRested(lock: Lock, rest: BoltPosition): void {
    const { inFlight } = lock;
    if (inFlight === null || inFlight.awaits === null || !isOnline(lock)) {
      return;
    }
    if (rest === 'jammed') {
      this.#end(lock, inFlight, 32);
    } else {
      this.#end(lock, inFlight, rest === inFlight.awaits ? null : 1);
    }
  }

  #answerBusy(lock: Lock, plan: CommandPlan): Answer<CommandRecord> {
    if (this.busyMode === '409') {
      return { ok: false, refusal: refuse(36) };
    }
    const failed = compose(this.#kernel.random.uuid(), lock, plan.named, 'Failed', 36);
    this.#addEnded(lock, failed);
    return { ok: true, value: failed };
  }

  #launch(lock: Lock, plan: CommandPlan, accessor: Accessor): CommandRecord {
    const commandId = this.#kernel.random.uuid();
    const fault = takeFault(lock);
    const inFlight: CommandInFlight = {
      commandId,
      ended: (error) => compose(commandId, lock, plan.named, error === null ? 'Successful' : 'Failed', error),
      awaits: plan.work.kind === 'bolt' && fault === null ? plan.work.to : null,
      timers: [],
    };
    const pending = compose(commandId, lock, plan.named, 'Pending', null);
    lock.inFlight = inFlight;
    lock.cloud.commands.set(commandId, pending);
    this.#endAfter(ANSWER_LIMIT_MS, lock, inFlight, 13);
    if (fault !== null) {
      this.#failAsPlanned(lock, inFlight, plan.work, fault, accessor);
    } else if (isOnline(lock)) {
      this.#work(lock, inFlight, plan.work, accessor);
    } else if (!lock.cloud.connected) {
      this.#endAfter(ownTimeMs(lock, plan.work), lock, inFlight, 13);
    }
    return pending;
  }

  #work(lock: Lock, inFlight: CommandInFlight, work: Work, accessor: Accessor): void {
    if (work.kind === 'bolt') {
      this.#bolts.drive(lock, work.to, accessor);
      return;
    }
    this.#kernel.after(lock.settings.codeWriteMs, lock, () => {
      if (!isPowered(lock)) {
        return;
      }
      const error = work.store();
      // A lock that is cut off, or too late, has changed its codes all the same: the two lists then differ.
      if (!isOnline(lock) || lock.inFlight !== inFlight) {
        return;
      }
      if (error === null) {
        work.list();
      }
      this.#end(lock, inFlight, error);
    });
  }

  #failAsPlanned(
    lock: Lock,
    inFlight: CommandInFlight,
    work: Work,
    fault: PlannedFault,
    accessor: Accessor,
  ): void {
    if (fault.moves && work.kind === 'bolt') {
      this.#bolts.drive(lock, work.to, accessor);
    }
    const task = this.#kernel.after(fault.delayMs ?? ownTimeMs(lock, work), lock, () => {
      // "Bolt is jammed" from a lock whose bolt is fine would contradict the device's own state.
      if (fault.errorCode === 32 && work.kind === 'bolt') {
        this.#bolts.stick(lock, accessor);
      }
      this.#end(lock, inFlight, fault.errorCode);
    });
    inFlight.timers.push(task);
  }

  #endAfter(delayMs: number, lock: Lock, inFlight: CommandInFlight, error: ErrorCode): void {
    const task = this.#kernel.after(delayMs, lock, () => this.#end(lock, inFlight, error));
    inFlight.timers.push(task);
  }

  #end(lock: Lock, inFlight: CommandInFlight, error: ErrorCode | null): void {
    lock.inFlight = null;
    for (const timer of inFlight.timers) {
      timer.cancel();
    }
    this.#addEnded(lock, inFlight.ended(error));
  }

  #addEnded(lock: Lock, command: CommandRecord): void {
    lock.cloud.commands.set(command.commandId, command);
    this.#kernel.emit(lock, { kind: 'command-ended', command });
    this.#kernel.after(KEPT_MS, lock, () => lock.cloud.commands.delete(command.commandId));
  }
}

/** Wire contract 11: `owner` does all, `guest` reads and moves the lock. */
const mayCommand = (role: Role, name: CommandName): boolean =>
  role === 'owner' || (role === 'guest' && name === 'ChangeLockState');

const ownTimeMs = (lock: Lock, work: Work): number =>
  work.kind === 'bolt' ? lock.settings.travelMs : lock.settings.codeWriteMs;

function takeFault(lock: Lock): PlannedFault | null {
  const [fault] = lock.plannedFaults;
  if (fault === undefined) {
    return null;
  }
  fault.left -= 1;
  if (fault.left <= 0) {
    lock.plannedFaults.shift();
  }
  return fault;
}

function compose(
  commandId: string,
  lock: Lock,
  named: NamedData,
  state: CommandState,
  code: ErrorCode | null,
): CommandRecord {
  const head = { commandId, deviceId: lock.deviceId, state };
  const error = code === null ? null : commandError(code);
  switch (named.name) {
    case 'ChangeLockState':
      return { ...head, name: named.name, data: { ...named.data(state), error } };
    case 'DeleteAllAccessCodes':
      return { ...head, name: named.name, data: { ...named.data(state), error } };
    case 'AddAccessCode':
    case 'UpdateAccessCode':
    case 'DeleteAccessCode':
      return { ...head, name: named.name, data: { ...named.data(state), error } };
  }
}
