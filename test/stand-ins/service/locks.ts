// A whole lock service in a few lines of memory, with a true bolt that tests can compare belief against.
import type { ServiceTime } from '../../../src/cloud/http/service-time.ts';
import { type CommandReading, commandId } from '../../../src/domain/commands/command.ts';
import type { RefusalReason } from '../../../src/domain/commands/refusal.ts';
import type { BoltPosition } from '../../../src/domain/locks/bolt.ts';
import { type LockDescription, type LockId, lockId } from '../../../src/domain/locks/lock.ts';
import type {
  Listing,
  LockGateway,
  LockReading,
  SendGuard,
  TimedCommandReading,
} from '../../../src/domain/ports.ts';
import {
  FinalError,
  type LatchkeyError,
  RelinkError,
  RetryError,
  UncertainError,
  WaitError,
} from '../../../src/support/errors.ts';
import type { ManualClock } from '../../support/manual-clock.ts';

/** The fate of the next command. */
export type Mishap =
  | { readonly kind: 'lost-reply' }
  | { readonly kind: 'lost-request' }
  | { readonly kind: 'unsent' }
  /** It is answered 401, and the new token takes so long: then it leaves again, or there is none. */
  | {
      readonly kind: 'refused-token';
      readonly forMs: number;
      readonly renewal: 'renewed' | 'failed' | 'revoked';
    }
  /** `moved`: the bolt moves all the same. */
  | { readonly kind: 'fails'; readonly reason: RefusalReason; readonly moved?: boolean }
  /** It ends as successful, and says that the bolt is elsewhere. */
  | { readonly kind: 'contradicts' }
  /** The service asks for a pause of commands. */
  | { readonly kind: 'limited'; readonly forMs: number }
  | { readonly kind: 'never-ends' }
  | { readonly kind: 'busy'; readonly forMs: number };

interface CommandUnderWay {
  readonly target: BoltPosition;
  state: CommandReading['state'];
  reason: RefusalReason | null;
  endsAt: number;
  readonly mishap: Mishap | null;
}

interface LockAtService {
  readonly id: LockId;
  description: LockDescription;
  bolt: BoltPosition | 'unknown';
  connected: boolean;
  listed: boolean;
  /** Where the bolt was before, and until when, the latest first: a listing that lags shows it. */
  readonly before: { readonly bolt: BoltPosition | 'unknown'; readonly until: number }[];
  pending: CommandUnderWay | null;
  busyUntil: number;
}

/** One command that reached the service. */
export interface SentCommand {
  readonly lockId: LockId;
  readonly target: BoltPosition;
  readonly at: number;
}

/** The client gives up a read so late. */
const GIVEN_UP_AFTER_MS = 32_000;

export const FRONT_DOOR = lockId('front-door');

export class StandInService implements LockGateway {
  readonly clock: ManualClock;
  readonly locks = new Map<LockId, LockAtService>();
  readonly sent: SentCommand[] = [];
  travelMs = 1_200;
  /** How long a command waits for its token before it is sent. */
  tokenMs = 0;
  /** How long every answer takes. */
  latencyMs = 0;
  mishaps: Mishap[] = [];
  listingFault: LatchkeyError | null = null;
  /** How many members of a listing cannot be understood. */
  unread = 0;
  readBackFault: LatchkeyError | null = null;
  readonly readBacksAt: number[] = [];
  /** Every call fails with a 5xx, has no answer, or is cut; the locks at the service go on. */
  away: 'fails' | 'hangs' | 'cut' | null = null;
  /** A read-back has no answer until the client gives it up. */
  readBacksHang = false;
  /** How old the positions are that a listing shows. */
  listedLateMs = 0;
  /** How long the answer of a listing is under way after it was made. */
  listingReplyMs = 0;
  listings = 0;
  /** What measures the service's time from the dates of its answers; null while it is known without. */
  time: ServiceTime | null = null;
  /** How far the dates of the next answers are off, in milliseconds; null for an answer without. */
  dates: (number | null)[] = [];
  /** Called when a listing is asked for. */
  onListing: () => void = () => {};
  /** Called as a command sets out, whatever becomes of it. */
  onDeparture: (target: BoltPosition) => void = () => {};
  /** Called when a command has moved the bolt, with the instant at which it did. */
  onMoved: (at: number) => void = () => {};
  /** Commands that were refused because the lock was busy. */
  busyAnswers = 0;
  /** Commands that were answered 401. */
  refusedTokens = 0;
  readonly #commands: CommandUnderWay[] = [];
  #listed: readonly LockReading[] = [];

  constructor(clock: ManualClock) {
    this.clock = clock;
  }

  add(id: LockId, bolt: BoltPosition = 'unsecured'): LockAtService {
    const description = {
      name: id,
      model: 'Model-D1',
      serial: id,
      firmware: '1.0.0',
      role: 'owner',
    } as const;
    const lock: LockAtService = {
      id,
      description,
      bolt,
      connected: true,
      listed: true,
      before: [],
      pending: null,
      busyUntil: 0,
    };
    this.locks.set(id, lock);
    return lock;
  }

  lock(id: LockId = FRONT_DOOR): LockAtService {
    const lock = this.locks.get(id);
    if (lock === undefined) {
      throw new Error(`There is no lock ${id}`);
    }
    return lock;
  }

  /** A hand at the door. */
  turn(rest: BoltPosition, id: LockId = FRONT_DOOR): void {
    this.#settleDue();
    this.#moveTo(this.lock(id), rest, this.clock.now());
  }

  #moveTo(lock: LockAtService, bolt: LockAtService['bolt'], at: number): void {
    lock.before.unshift({ bolt: lock.bolt, until: at });
    lock.bolt = bolt;
  }

  #listedBolt({ bolt, before }: LockAtService): LockAtService['bolt'] {
    const shownAt = this.clock.now() - this.listedLateMs;
    return before.findLast(({ until }) => until > shownAt)?.bolt ?? bolt;
  }

  async list(): Promise<Listing> {
    const asked = this.#ask();
    this.onListing();
    await this.#latency();
    this.#settleDue();
    this.listings += 1;
    await this.#missing(new RetryError('timed-out', 'The connection was lost.'));
    if (this.listingFault !== null) {
      throw this.listingFault;
    }
    const answered = this.#listing();
    await this.#pause(this.listingReplyMs);
    return { ...answered, askedAt: asked() };
  }

  /** What is said in the same words as the last time is the same object, as it comes from the real client. */
  #listing(): Omit<Listing, 'askedAt'> {
    const locks = [...this.locks.values()]
      .filter((lock) => lock.listed)
      .map(
        (lock): LockReading => ({
          id: lock.id,
          description: lock.description,
          bolt: this.#listedBolt(lock),
          connected: lock.connected,
          lastConnectedAt: null,
          updatedAt: null,
          battery: { grade: 'normal', percent: 87 },
          wifiDbm: null,
        }),
      );
    if (JSON.stringify(locks) !== JSON.stringify(this.#listed)) {
      this.#listed = locks;
    }
    return { unread: this.unread, locks: this.#listed };
  }

  async command(id: LockId, target: BoltPosition, leave: SendGuard): Promise<TimedCommandReading> {
    await this.#pause(this.tokenMs);
    await leave.written;
    if (!leave.stillWanted()) {
      throw new RetryError('aborted', 'It is no longer wanted.');
    }
    leave.left();
    const asked = this.#ask();
    this.onDeparture(target);
    await this.#missing(new UncertainError('The connection was lost.'));
    await this.#latency();
    this.#settleDue();
    const mishap = this.mishaps.shift() ?? null;
    if (mishap?.kind === 'refused-token') {
      await this.#renew(leave, mishap);
      return this.command(id, target, leave);
    }
    if (mishap?.kind === 'unsent') {
      throw new RetryError('unreachable', 'The lock service could not be reached.');
    }
    if (mishap?.kind === 'limited') {
      throw new WaitError('rate-limited', 'The service asked for a pause.', mishap.forMs);
    }
    if (mishap?.kind === 'lost-request') {
      throw new UncertainError('The connection was lost.');
    }
    const command = this.#replyOf(() => this.#receive(this.lock(id), target, mishap), mishap);
    return { askedAt: asked(), reading: this.#read(command) };
  }

  /** As the real client after a 401: it asks whether the command is still wanted, and then for another token. */
  async #renew(
    leave: SendGuard,
    { forMs, renewal }: Extract<Mishap, { readonly kind: 'refused-token' }>,
  ): Promise<void> {
    this.refusedTokens += 1;
    if (!leave.stillWanted()) {
      throw new RetryError('aborted', 'It is no longer wanted.');
    }
    await this.#pause(forMs);
    if (renewal === 'failed') {
      throw new RetryError('server-fault', 'There is no new token.');
    }
    if (renewal === 'revoked') {
      throw new RelinkError('revoked', 'The link was revoked.');
    }
  }

  /** A refusal is lost as well as any other reply. */
  #replyOf(receive: () => CommandUnderWay, mishap: Mishap | null): CommandUnderWay {
    if (mishap?.kind !== 'lost-reply') {
      return receive();
    }
    try {
      receive();
    } catch {
      // Nothing of it comes back.
    }
    throw new UncertainError('The reply was lost.');
  }

  #receive(lock: LockAtService, target: BoltPosition, mishap: Mishap | null): CommandUnderWay {
    const now = this.clock.now();
    this.sent.push({ lockId: lock.id, target, at: now });
    lock.busyUntil = mishap?.kind === 'busy' ? now + mishap.forMs : lock.busyUntil;
    if (lock.pending !== null || lock.busyUntil > now) {
      this.busyAnswers += 1;
      throw new WaitError('lock-busy', 'The lock is busy with another command.', null);
    }
    const endless = mishap?.kind === 'never-ends';
    const command: CommandUnderWay = {
      target,
      state: 'pending',
      reason: endless ? 'lock-silent' : mishap?.kind === 'fails' ? mishap.reason : null,
      endsAt: now + (endless ? 60_000 : this.travelMs),
      mishap,
    };
    lock.pending = command;
    this.#commands.push(command);
    return command;
  }

  async outcome(_id: LockId, id: ReturnType<typeof commandId>): Promise<TimedCommandReading> {
    const asked = this.#ask();
    await this.#latency();
    this.#settleDue();
    this.readBacksAt.push(this.clock.monotonic());
    await this.#missing(new RetryError('timed-out', 'The connection was lost.'));
    if (this.readBacksHang) {
      await this.#pause(GIVEN_UP_AFTER_MS);
      throw new RetryError('timed-out', 'No answer came.');
    }
    if (this.readBackFault !== null) {
      throw this.readBackFault;
    }
    const command = this.#commands[Number(id)];
    if (command === undefined) {
      throw new FinalError('not-found', 'The service does not know this command.');
    }
    return { askedAt: asked(), reading: this.#read(command) };
  }

  /** Ends every command whose time has come, as the lock itself would. */
  settle(): void {
    this.#settleDue();
  }

  #settleDue(): void {
    for (const lock of this.locks.values()) {
      const command = lock.pending;
      if (command !== null && command.endsAt <= this.clock.now()) {
        lock.pending = null;
        command.state = command.reason === null ? 'successful' : 'failed';
        const { mishap } = command;
        if (mishap?.kind === 'contradicts') {
          // The bolt stays where it was.
        } else if (command.reason === null || (mishap?.kind === 'fails' && mishap.moved === true)) {
          this.#moveTo(lock, command.target, command.endsAt);
          this.onMoved(command.endsAt);
        } else if (command.reason === 'bolt-jammed') {
          this.#moveTo(lock, 'unknown', command.endsAt);
        }
      }
    }
  }

  #read(command: CommandUnderWay): CommandReading {
    const id = commandId(String(this.#commands.indexOf(command)));
    if (command.state === 'failed') {
      return { state: 'failed', commandId: id, reason: command.reason ?? 'general-failure' };
    }
    if (command.state === 'pending') {
      return { state: 'pending', commandId: id };
    }
    const other = command.target === 'secured' ? 'unsecured' : 'secured';
    const bolt = command.mishap?.kind === 'contradicts' ? other : command.target;
    return { state: 'successful', commandId: id, bolt };
  }

  /** A question sets out; when its answer is there, the instant for which it is true. */
  #ask(): () => number {
    const { clock, time } = this;
    if (time === null) {
      const askedAt = clock.now();
      return () => askedAt;
    }
    const sentAt = clock.monotonic();
    const asking = time.asking();
    return () => {
      const [offByMs = 0] = this.dates.splice(0, 1);
      const date = offByMs === null ? undefined : new Date(clock.now() + offByMs).toUTCString();
      time.observe(date, sentAt, clock.monotonic());
      return time.at(sentAt, asking);
    };
  }

  async #missing(cut: LatchkeyError): Promise<void> {
    const { away } = this;
    if (away === null) {
      return;
    }
    await this.#pause(away === 'hangs' ? GIVEN_UP_AFTER_MS : 20);
    throw away === 'fails' ? new RetryError('server-fault', 'HTTP 503.') : cut;
  }

  async #latency(): Promise<void> {
    await this.#pause(this.latencyMs);
  }

  async #pause(ms: number): Promise<void> {
    if (ms > 0) {
      await new Promise<void>((resolve) => {
        this.clock.after(ms, resolve);
      });
    }
  }
}
