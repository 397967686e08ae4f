// One lock over Matter: keeps its endpoint in step with the account's state, and forwards commands.
import type { RuntimeLinkState } from '../../../domain/account/account.ts';
import type { CommandOutcome } from '../../../domain/commands/command.ts';
import type { BoltPosition } from '../../../domain/locks/bolt.ts';
import { boltOf, type Lock } from '../../../domain/locks/lock.ts';
import { newMoves } from '../../../domain/locks/moves.ts';
import type { RequestAnswer, RuntimeView } from '../../../engine/account-runtime.ts';
import { type Clock, withTimeout } from '../../../support/clock.ts';
import { FinalError, messageOf } from '../../../support/errors.ts';
import { type Log, oneLine } from '../../../support/log.ts';
import type { RemotePin } from '../../../support/remote-pin.ts';
import { t } from '../../../words/translate.ts';
import { isUnderWay, isUnsent, type StatusName, statusOf } from './command-status.ts';
import { EndpointWriter } from './endpoint-writer.ts';
import type { SentCommand } from './evidence-lock.ts';
import { attributesOf, type LockAttributes, saysLow } from './lock-attributes.ts';
import {
  type Asker,
  alarmIn,
  errorEvent,
  isRefusedAsBusy,
  isReportedFailure,
  type KnownMove,
  operationEvent,
  TOO_MANY_WRONG_PINS,
} from './lock-operations.ts';
import type { MatterLockOptions } from './lock-options.ts';
import type { LockBehaviorType, LockEndpoint } from './matter-api.ts';
import { REMOTE_USER_INDEX } from './matter-values.ts';
import { PIN_REFUSALS, type Refusal } from './remote-user.ts';

/**
 * How long a command waits for an answer, in milliseconds: matter.js blocks everything else for that lock meanwhile, and
 * a refusal without asking the service is known at once.
 */
const ANSWER_WITHIN_MS = 0;

/** Homebridge's debug mode shows this line beside the message that it has written. */
const PIN_IN_DEBUG_LOG =
  'this command carried a PIN, which the debug mode of Homebridge (-D) writes to the log; do not share that log';

/** A command over Matter, and the controller behind it; null when Homebridge's own pages sent it. */
interface Asked {
  readonly target: BoltPosition;
  readonly asker: Asker | null;
}

export class MatterLock {
  readonly #parts;
  readonly #writer: EndpointWriter;
  #options: MatterLockOptions;
  #lock: Lock;
  #link: RuntimeLinkState;
  #attributes: LockAttributes | null = null;
  /** The command over Matter that is under way, by its target, until it has ended. Two controllers may ask for both at once. */
  readonly #asked = new Map<BoltPosition, Asked>();

  constructor(
    parts: {
      readonly behavior: LockBehaviorType;
      readonly runtime: Pick<RuntimeView, 'request' | 'serviceNow'>;
      readonly options: MatterLockOptions;
      /** Null: controllers unlock without one. */
      readonly pin: RemotePin | null;
      readonly clock: Clock;
      readonly log: Log;
    },
    lock: Lock,
    link: RuntimeLinkState,
  ) {
    this.#parts = parts;
    this.#options = parts.options;
    this.#lock = lock;
    this.#link = link;
    this.#writer = new EndpointWriter({ ...parts, name: () => this.#name });
    this.#show();
  }

  open(endpoint: LockEndpoint): void {
    this.#writer.open(endpoint);
  }

  close(): void {
    this.#writer.close();
  }

  /** Accepts a state that is already shown. */
  refresh(lock: Lock): void {
    this.#lock = lock;
  }

  update(lock: Lock): void {
    const previous = this.#lock;
    this.#lock = lock;
    this.#show();
    for (const { to, by } of newMoves(previous, lock, this.#parts.runtime.serviceNow())) {
      this.#emitMove({ to, method: by.method });
    }
    const alarm = alarmIn(boltOf(previous), boltOf(lock));
    if (alarm !== null) {
      this.#writer.emit(alarm);
    }
  }

  relink(link: RuntimeLinkState): void {
    this.#link = link;
    this.#show();
  }

  configure(options: MatterLockOptions): void {
    this.#options = options;
    this.#show();
  }

  /** The end of a command, from any origin. Its move is one of the lock. */
  commandEnded(target: BoltPosition, outcome: CommandOutcome): void {
    if (isRefusedAsBusy(outcome)) {
      return;
    }
    if (isReportedFailure(outcome)) {
      this.#writer.emit(errorEvent(target, this.#askerFor(target)));
    }
    this.#asked.delete(target);
  }

  /** A command over Matter. Resolves at once: with a status when refused, otherwise null. Never rejects. */
  async request(target: BoltPosition, { asker, pin }: SentCommand): Promise<StatusName | null> {
    if (pin !== undefined) {
      this.#say('debug', PIN_IN_DEBUG_LOG);
    }
    const refusal = this.#refusalOf(target, pin, asker?.fabricIndex ?? null);
    if (refusal !== null) {
      this.#say('warn', `not ${target === 'unsecured' ? 'unlocked' : 'locked'} over Matter: ${refusal.why}`);
      this.#writer.emit(errorEvent(target, asker, refusal.error));
      return refusal.status;
    }
    this.#say('debug', `asked over Matter to be ${target}`);
    const asked = { target, asker: this.#withUser(asker, pin) };
    if (!this.#asked.has(target)) {
      this.#asked.set(target, asked);
    }
    const answer = this.#ask(asked);
    const early = await withTimeout(this.#parts.clock, ANSWER_WITHIN_MS, answer);
    if (early === null) {
      void this.#followLate(answer, asked);
      return null;
    }
    const status = statusOf(early);
    if (status !== null) {
      this.#say('warn', `a command over Matter to be ${target} was refused (${status})`);
    }
    return status;
  }

  /**
   * Reasons to refuse a command over Matter that the account would accept. Locking needs no PIN; but a wrong one is refused,
   * as the specification says (LockDoor, PINCode).
   */
  #refusalOf(target: BoltPosition, sent: Uint8Array | undefined, fabric: number | null): Refusal | null {
    const isLock = target === 'secured';
    const { unlockRefusal: why } = this.#options;
    if (!isLock && why !== null) {
      return { why, status: 'PermissionDenied' };
    }
    const isAsked = !isLock || (sent !== undefined && sent.length > 0);
    const verdict = isAsked ? (this.#parts.pin?.verdict(sent, fabric) ?? 'right') : 'right';
    if (verdict === 'wrong' && this.#parts.pin?.isDisabled(fabric) === true) {
      this.#writer.emit(TOO_MANY_WRONG_PINS);
    }
    return verdict === 'right' ? null : PIN_REFUSALS[verdict];
  }

  /** A PIN that came with an accepted command was right. */
  #withUser(asker: Asker | null, sent: Uint8Array | undefined): Asker | null {
    const hasPin = this.#parts.pin !== null && sent !== undefined && sent.length > 0;
    return asker !== null && hasPin ? { ...asker, userIndex: REMOTE_USER_INDEX } : asker;
  }

  /** Never rejects. */
  async #ask(asked: Asked): Promise<RequestAnswer> {
    const answer = await this.#send(asked.target);
    if (!isUnderWay(answer) && this.#asked.get(asked.target) === asked) {
      this.#asked.delete(asked.target);
    }
    return answer;
  }

  async #send(target: BoltPosition): Promise<RequestAnswer> {
    try {
      return await this.#parts.runtime.request(this.#lock.id, target);
    } catch (error) {
      this.#say('error', `the request was lost: ${messageOf(error)}`);
      return {
        kind: 'failed',
        error: new FinalError('bad-request', 'The request was lost', { cause: error }),
      };
    }
  }

  /** The command was already answered with success, so a request that was never sent becomes an error event. */
  async #followLate(answer: Promise<RequestAnswer>, { target, asker }: Asked): Promise<void> {
    if (isUnsent(await answer)) {
      this.#writer.emit(errorEvent(target, asker));
    }
  }

  #askerFor(target: BoltPosition): Asker | null {
    return this.#asked.get(target)?.asker ?? null;
  }

  #emitMove(move: KnownMove): void {
    this.#writer.emit(operationEvent(move, this.#askerFor(move.to)));
    this.#asked.delete(move.to);
  }

  #show(): void {
    const { lowBattery } = this.#options;
    this.#attributes = attributesOf(this.#lock, this.#link, lowBattery, saysLow(this.#attributes));
    this.#writer.show(this.#attributes);
  }

  get #name(): string {
    return oneLine(this.#lock.description.name.trim() || t('A lock without a name'));
  }

  #say(level: Exclude<keyof Log, 'news'>, words: string): void {
    this.#parts.log[level](`${this.#name}: ${words}`);
  }
}
