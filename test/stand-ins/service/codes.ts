// The access codes of the service, in memory. It is one that accepts anything, doubles included, so that a client's mistakes show.
import {
  type AccessCode,
  type AccessCodeId,
  accessCodeId,
  type CodeDraft,
} from '../../../src/domain/codes/access-code.ts';
import type { CodeChanges } from '../../../src/domain/codes/operation.ts';
import type { AccessCodeGateway, CodeCommand, CodeCommandReading } from '../../../src/domain/codes/ports.ts';
import { type CommandId, type CommandReading, commandId } from '../../../src/domain/commands/command.ts';
import type { RefusalReason } from '../../../src/domain/commands/refusal.ts';
import type { HistoryWhat } from '../../../src/domain/history/history.ts';
import type { LockId } from '../../../src/domain/locks/lock.ts';
import type { SendGuard } from '../../../src/domain/ports.ts';
import { delay } from '../../../src/support/clock.ts';
import { FinalError, RetryError, UncertainError, WaitError } from '../../../src/support/errors.ts';
import type { ManualClock } from '../../support/manual-clock.ts';

/** The fate of the next command. */
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

interface CodeCommandUnderWay {
  readonly id: CommandId;
  readonly codeId: AccessCodeId | null;
  state: CommandReading['state'];
  reason: RefusalReason;
}

export class StandInCodeService implements AccessCodeGateway {
  readonly clock: ManualClock;
  codesOf: AccessCode[] = [];
  mishaps: CodeMishap[] = [];
  /** While set, nothing can be read. */
  unreachable = false;
  /** While set, the codes cannot be listed. */
  unreadable = false;
  /** So many of the next lists are empty, whatever the lock has. */
  emptyLists = 0;
  /** The next lists by a fault are not empty: they lack every second code. */
  areHalfLists = false;
  /** The last list that was answered was such a one. */
  wasEmptyByFault = false;
  /** When the last of them was answered. */
  wasEmptyAt = Number.NEGATIVE_INFINITY;
  /** What the lists show in place of digits; null: the digits. */
  hides: string | null = null;
  /** How the lists spell a name. */
  spells: (name: string) => string = (name) => name;
  /** A longer name is refused. */
  longestName = Infinity;
  /** How many names were refused. */
  refusals = 0;
  /** A real lock takes no name and no digits twice. */
  refusesDoubles = false;
  /** So many codes the lock takes; another one fails, and the service knows no better reason. */
  places = Infinity;
  /** How long a command waits for its token and its connection before it is sent. */
  leavesAfterMs = 0;
  /** How long the lock works on a command. */
  takesMs = 800;
  /** Names that were added, one for each time. */
  readonly sent: CodeCommand[] = [];
  readonly listings = { count: 0 };
  /** The codes as each was listed last. */
  listed: readonly AccessCode[] = [];
  /** What the service's history says of codes. */
  readonly history: { what: HistoryWhat; at: number }[] = [];
  /** Called when a command arrives. */
  onSend: (command: CodeCommand) => void = () => {};
  /** Called before a command changes the codes. */
  onApply: (command: CodeCommand) => void = () => {};
  readonly #commands = new Map<CommandId, CodeCommandUnderWay>();
  #last = 0;
  /** The list while it is late. */
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
      this.wasEmptyAt = this.clock.now();
      const half = this.codesOf.filter((_, index) => this.areHalfLists && index % 2 === 1);
      // Whoever saw half of a list has seen these codes as they are.
      this.listed = [...this.listed.filter(({ id }) => half.every((code) => code.id !== id)), ...half];
      return half.map((code) => this.#asShown(code));
    }
    this.listed = [...(this.#lagging ?? this.codesOf)];
    return Promise.resolve(this.listed.map((code) => this.#asShown(code)));
  }

  #asShown(code: AccessCode): AccessCode {
    return { ...code, name: this.spells(code.name), pin: this.hides ?? code.pin };
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
    this.onSend(command);
    return this.#taken(command, mishap);
  }

  #refusalOf(command: CodeCommand, mishap: CodeMishap | null): RefusalReason | null {
    if (typeof mishap === 'object' && mishap !== null && 'refused' in mishap) {
      return mishap.refused;
    }
    if (command.kind === 'remove' && this.codesOf.every(({ id }) => id !== command.codeId)) {
      return 'code-id-invalid';
    }
    const named = command.kind === 'add' ? command.draft : command.kind === 'update' ? command.changes : {};
    if ((named.name ?? '').length > this.longestName) {
      this.refusals += 1;
      return 'code-name-too-long';
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
    const entry: CodeCommandUnderWay = { id, codeId, state: 'pending', reason: 'general-failure' };
    this.#commands.set(id, entry);
    const isFull = command.kind === 'add' && this.codesOf.length >= this.places;
    const fails = isFull
      ? FULL
      : typeof mishap === 'object' && mishap !== null && 'fails' in mishap
        ? mishap
        : null;
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
    this.history.push({ what: HISTORY_OF[command.kind], at: this.clock.now() });
    this.codesOf = applied(this.codesOf, command, codeId);
  }
}

const FULL = { fails: 'code-not-added', done: false } as const;

const HISTORY_OF: Readonly<Record<CodeCommand['kind'], HistoryWhat>> = {
  add: 'code-added',
  update: 'code-updated',
  remove: 'code-deleted',
  'remove-all': 'all-codes-deleted',
};

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

function readingOf({ id, codeId, state, reason }: CodeCommandUnderWay): CodeCommandReading {
  return {
    reading: state === 'failed' ? { state, commandId: id, reason } : { state, commandId: id },
    codeId: state === 'failed' ? null : codeId,
  };
}
