// A service of access codes in memory that accepts anything, doubles included, so that a client's mistakes show.
import {
  type AccessCode,
  type AccessCodeId,
  accessCodeId,
  type CodeDraft,
} from '../../src/domain/access-code.ts';
import type { CodeChanges, CodeOperation, StrayCode } from '../../src/domain/code-operation.ts';
import type {
  AccessCodeGateway,
  CodeCommand,
  CodeCommandReading,
  CodeStore,
} from '../../src/domain/code-ports.ts';
import { type CommandId, type CommandReading, commandId } from '../../src/domain/command.ts';
import { type LockId, lockId, unknownLock } from '../../src/domain/lock.ts';
import { type LearnedLengths, NOTHING_LEARNED } from '../../src/domain/pin-length.ts';
import type { SendGuard } from '../../src/domain/ports.ts';
import type { RefusalReason } from '../../src/domain/refusal.ts';
import { delay } from '../../src/support/clock.ts';
import { FinalError, RetryError, UncertainError, WaitError } from '../../src/support/errors.ts';
import { AccessCodes } from '../../src/sync/codes/access-codes.ts';
import { type BusEvent, EventBus } from '../../src/sync/event-bus.ts';
import { LockStore } from '../../src/sync/state/lock-store.ts';
import { serviceClockOf } from './known-time.ts';
import { ManualClock, settlePromises } from './manual-clock.ts';
import { named } from './named-lock.ts';

export const DOOR: LockId = lockId('door');

/** What the next command meets. */
export type CodeMishap =
  | 'lost-reply'
  | 'lost-request'
  /** The reply is lost, and the service begins with the command a minute later. */
  | 'held'
  | 'unsent'
  | 'limited'
  | 'busy'
  /** No answer at all of this process's connection: it hangs until the process ends. */
  | 'hangs'
  /** The service says that it is done, and nothing was; or it was, and the list shows it 2.5 s later. */
  | 'lies'
  | 'late-list'
  /** It is done, and the service calls it pending for ever. */
  | 'never-ends'
  | { readonly refused: RefusalReason }
  | { readonly fails: RefusalReason; readonly done?: boolean };

interface PretendCommand {
  readonly id: CommandId;
  readonly codeId: AccessCodeId | null;
  state: CommandReading['state'];
  reason: RefusalReason;
}

export class PretendCodes implements AccessCodeGateway {
  readonly clock: ManualClock;
  codesOf: AccessCode[] = [];
  mishaps: CodeMishap[] = [];
  /** While set, nothing can be read. */
  unreachable = false;
  /** While set, the codes cannot be listed. */
  unreadable = false;
  /** So many of the next lists are empty, whatever the lock has. */
  emptyLists = 0;
  /** The last list that was answered was such a one. */
  wasEmptyByFault = false;
  /** A real lock takes no name and no digits twice. */
  refusesDoubles = false;
  /** How long a command waits for its token and its connection before it leaves. */
  leavesAfterMs = 0;
  /** How long the lock works on a command. */
  takesMs = 800;
  /** Names that were added, one for each time. */
  readonly sent: CodeCommand[] = [];
  readonly listings = { count: 0 };
  /** The codes as they were listed last, but for a list that was empty by a fault. */
  listed: readonly AccessCode[] = [];
  /** Called before a command changes the codes. */
  onApply: (command: CodeCommand) => void = () => {};
  readonly #commands = new Map<CommandId, PretendCommand>();
  #last = 0;
  /** What the list shows while it is late. */
  #lagging: readonly AccessCode[] | null = null;

  constructor(clock: ManualClock) {
    this.clock = clock;
  }

  async codes(): Promise<readonly AccessCode[]> {
    this.listings.count += 1;
    if (this.unreachable || this.unreadable) {
      throw new RetryError('unreachable', 'The service could not be reached.');
    }
    this.emptyLists -= 1;
    this.wasEmptyByFault = this.emptyLists >= 0;
    if (this.wasEmptyByFault) {
      return [];
    }
    this.listed = [...(this.#lagging ?? this.codesOf)];
    return Promise.resolve(this.listed);
  }

  async send(_: LockId, command: CodeCommand, _zone: string, guard: SendGuard): Promise<CodeCommandReading> {
    const mishap = this.mishaps.shift() ?? null;
    await guard.written;
    if (this.leavesAfterMs > 0) {
      await delay(this.clock, this.leavesAfterMs);
    }
    if (!guard.stillWanted()) {
      throw new RetryError('aborted', 'It is no longer wanted.');
    }
    if (mishap === 'unsent' || this.unreachable) {
      throw new RetryError('unreachable', 'The service could not be reached.');
    }
    guard.left();
    if (mishap === 'limited' || mishap === 'busy') {
      throw new WaitError(mishap === 'busy' ? 'lock-busy' : 'rate-limited', 'Later.', 3_000);
    }
    if (mishap === 'lost-request') {
      throw new UncertainError('The connection was lost.');
    }
    const refused = this.#refusalOf(command, mishap);
    if (refused !== null) {
      throw new FinalError('refused', 'No.', { reason: refused });
    }
    this.sent.push(command);
    return this.#taken(command, mishap);
  }

  #refusalOf(command: CodeCommand, mishap: CodeMishap | null): RefusalReason | null {
    if (typeof mishap === 'object' && mishap !== null && 'refused' in mishap) {
      return mishap.refused;
    }
    const isDouble = ({ name, pin }: CodeDraft): boolean =>
      this.codesOf.some((code) => code.name === name || code.pin === pin);
    return command.kind === 'add' && this.refusesDoubles && isDouble(command.draft) ? 'code-exists' : null;
  }

  /** Whether the lock works on a command. */
  get isWorking(): boolean {
    return [...this.#commands.values()].some(({ state }) => state === 'pending');
  }

  async codeOutcome(_: LockId, id: CommandId): Promise<CodeCommandReading> {
    const command = this.#commands.get(id);
    if (this.unreachable) {
      throw new RetryError('unreachable', 'The service could not be reached.');
    }
    if (command === undefined) {
      throw new FinalError('not-found', 'There is no such command.');
    }
    return Promise.resolve(readingOf(command));
  }

  async #taken(command: CodeCommand, mishap: CodeMishap | null): Promise<CodeCommandReading> {
    this.#last += 1;
    const id = commandId(`command-${String(this.#last)}`);
    const codeId = command.kind === 'add' ? accessCodeId(`code-${String(this.#last)}`) : null;
    const entry: PretendCommand = { id, codeId, state: 'pending', reason: 'general-failure' };
    this.#commands.set(id, entry);
    const fails = typeof mishap === 'object' && mishap !== null && 'fails' in mishap ? mishap : null;
    this.clock.after(mishap === 'held' ? 60_000 + this.takesMs : this.takesMs, () => {
      if (mishap === 'late-list') {
        this.#lagBehind();
      }
      if (mishap !== 'lies' && (fails === null || fails.done === true)) {
        this.#apply(command, codeId);
      }
      if (mishap !== 'never-ends') {
        entry.state = fails === null ? 'successful' : 'failed';
      }
      entry.reason = fails?.fails ?? entry.reason;
    });
    if (mishap === 'hangs') {
      return new Promise(() => {});
    }
    if (mishap === 'lost-reply' || mishap === 'held') {
      throw new UncertainError('The connection was lost.');
    }
    return readingOf(entry);
  }

  #lagBehind(): void {
    this.#lagging = [...this.codesOf];
    this.clock.after(2_500, () => {
      this.#lagging = null;
    });
  }

  #apply(command: CodeCommand, codeId: AccessCodeId | null): void {
    this.onApply(command);
    this.codesOf = applied(this.codesOf, command, codeId);
  }
}

/** The codes after a command. */
export function applied(
  codes: readonly AccessCode[],
  command: CodeCommand,
  codeId: AccessCodeId | null,
): AccessCode[] {
  switch (command.kind) {
    case 'add':
      return [...codes, { id: codeId ?? accessCodeId('?'), readOnly: false, ...command.draft }];
    case 'update':
      return codes.map((code) => (code.id === command.codeId ? changed(code, command.changes) : code));
    case 'remove':
      return codes.filter(({ id }) => id !== command.codeId);
    case 'remove-all':
      return codes.filter(({ readOnly }) => readOnly);
  }
}

function changed(code: AccessCode, { name, pin, schedule }: CodeChanges): AccessCode {
  return { ...code, name: name ?? code.name, pin: pin ?? code.pin, schedule: schedule ?? code.schedule };
}

function readingOf({ id, codeId, state, reason }: PretendCommand): CodeCommandReading {
  return {
    reading: state === 'failed' ? { state, commandId: id, reason } : { state, commandId: id },
    codeId: state === 'failed' ? null : codeId,
  };
}

/** What survives a crash. */
export class MemoryCodeStore implements CodeStore {
  readonly operations = new Map<string, CodeOperation>();
  readonly #strays = new Map<LockId, readonly StrayCode[]>();
  readonly #lengths = new Map<LockId, LearnedLengths>();

  open(): readonly CodeOperation[] {
    return [...this.operations.values()];
  }

  save(operation: CodeOperation): void {
    this.operations.set(operation.id, operation);
  }

  erase(id: string): void {
    this.operations.delete(id);
  }

  strays(id: LockId): readonly StrayCode[] {
    return this.#strays.get(id) ?? [];
  }

  saveStrays(id: LockId, strays: readonly StrayCode[]): void {
    this.#strays.set(id, strays);
  }

  lengths(id: LockId): LearnedLengths {
    return this.#lengths.get(id) ?? NOTHING_LEARNED;
  }

  saveLengths(id: LockId, lengths: LearnedLengths): void {
    this.#lengths.set(id, lengths);
  }
}

/** The service of access codes of one door over the pretend service, with crashes. */
export class CodeHome {
  readonly clock = new ManualClock(undefined, settlePromises);
  readonly service = new PretendCodes(this.clock);
  readonly store = new MemoryCodeStore();
  readonly lines: string[] = [];
  readonly events: BusEvent[] = [];
  bus = this.#newBus();
  codes = this.#build();

  /** The process ends at this point, and another begins soon. */
  async crash(): Promise<void> {
    this.codes.dispose();
    await this.clock.advance(50);
    this.bus = this.#newBus();
    this.codes = this.#build();
    this.codes.followOpen();
  }

  /** The answer to what was asked, without moving the clock. */
  async asked<T>(work: Promise<T>): Promise<T> {
    await settlePromises();
    return work;
  }

  #newBus(): EventBus {
    const bus = new EventBus(this.#log());
    bus.subscribe((event) => {
      this.events.push(event);
    });
    return bus;
  }

  #log() {
    const say = (line: string): void => {
      this.lines.push(line);
    };
    return { debug: say, info: say, warn: say, error: say };
  }

  #build(): AccessCodes {
    const { clock, bus } = this;
    const log = this.#log();
    const serviceClock = serviceClockOf(clock);
    const store = new LockStore(() => {}, { staleBefore: () => 0, bounds: () => serviceClock.bounds() });
    const description = named('Front door');
    const device = { type: '', createdAt: null, variableLengthCodes: true, offsetMinutes: null };
    store.add({ ...unknownLock(DOOR, description), device });
    return new AccessCodes({
      codes: { gateway: this.service, store: this.store, writtenZone: () => 'UTC', machineZone: 'UTC' },
      store,
      bus,
      webhooks: { health: 'absent' },
      clock,
      serviceClock,
      log,
    });
  }
}
