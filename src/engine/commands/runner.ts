// Runs the command machine of one lock: feeds it inputs one at a time, and wakes it when its next time limit is due.

import type { CommandReading } from '../../domain/commands/command.ts';
import { advanceCommands, mayLeave, nextCheckAt } from '../../domain/commands/machine.ts';
import { type CommandInput, type CommandState, IDLE } from '../../domain/commands/state.ts';
import type { BoltPosition } from '../../domain/locks/bolt.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import type { OpenCommand } from '../../domain/ports.ts';
import type { Instant } from '../../domain/time/instant.ts';
import type { CancelTimer } from '../../support/clock.ts';
import { asLatchkeyError, messageOf } from '../../support/errors.ts';
import { oneLine } from '../../support/log.ts';
import { t } from '../../words/translate.ts';
import { type CommandTools, commandContext } from './context.ts';
import { CommandEffects } from './effects.ts';
import type { RequestAnswer, RequestLimits } from './request-answer.ts';

export class CommandRunner {
  readonly #tools: CommandTools;
  readonly #lockId: LockId;
  readonly #effects: CommandEffects;
  #state: CommandState = IDLE;
  #requests = 0;
  #timer: CancelTimer | null = null;
  /** Inputs that arrive while effects are carried out wait for their turn. */
  readonly #queue: CommandInput[] = [];
  #isStepping = false;
  #closed = false;

  constructor(tools: CommandTools, lockId: LockId) {
    this.#tools = tools;
    this.#lockId = lockId;
    this.#effects = new CommandEffects(tools, lockId, {
      step: (input) => this.#step(input),
      mayLeave: (key) => mayLeave(this.#state, key, tools.elapsed()),
    });
  }

  get busy(): boolean {
    const { active, waiting, trailing } = this.#state;
    return active !== null || waiting !== null || trailing !== null;
  }

  /** Resolves when the request is settled; never rejects. */
  async request(target: BoltPosition, limits: RequestLimits): Promise<RequestAnswer> {
    const { withinMs = Number.POSITIVE_INFINITY, waitedMs = 0 } = limits;
    const request = ++this.#requests;
    const answer = this.#effects.answerTo(request);
    const unheardMs = this.#tools.staleness.unheardMs + waitedMs;
    this.#step({ type: 'requested', request, target, withinMs, unheardMs });
    return answer;
  }

  /** The service reported how a command ended; false when it is not the last one of this process. */
  commandEnded(reading: CommandReading, at: Instant): boolean {
    const isOurs = this.#effects.isNamed(reading.commandId);
    this.#step({ type: 'end-reported', reading, at });
    return isOurs;
  }

  /** Follows a command that an earlier process sent; it is never sent again. */
  resume({ journalId, target, commandId, issuedAt }: OpenCommand, ageMs: number): void {
    this.#effects.resume(this.#state.nextKey, journalId, commandId);
    this.#step({ type: 'resumed', target, commandId, issuedAt, ageMs });
  }

  checkLimits(): void {
    if (this.busy) {
      this.#step({ type: 'checked' });
    }
  }

  /** Drops an unsent command. A sent one stays open in the journal, so that the next process follows it. */
  dispose(): void {
    this.#step({ type: 'closed' });
    this.#closed = true;
    this.#timer?.();
  }

  #step(input: CommandInput): void {
    this.#queue.push(input);
    if (this.#isStepping) {
      return;
    }
    this.#isStepping = true;
    for (let next = this.#queue.shift(); next !== undefined && !this.#closed; next = this.#queue.shift()) {
      this.#survive(
        () => this.#advance(next),
        (cause) => this.#refuse(next, cause),
      );
    }
    this.#isStepping = false;
    this.#checkLater();
  }

  #advance(input: CommandInput): void {
    const context = commandContext(this.#tools, this.#lockId);
    const { state, effects } = advanceCommands(this.#state, input, context);
    this.#state = state;
    for (const effect of effects) {
      this.#survive(() => this.#effects.carryOut(effect));
    }
  }

  /** A request that the machine never received is answered all the same. */
  #refuse(input: CommandInput, cause: unknown): void {
    if (input.type === 'requested') {
      const { request, target } = input;
      this.#effects.carryOut({
        type: 'answer',
        requests: [request],
        target,
        answer: { kind: 'failed', cause },
      });
    }
  }

  /** An error in one step must not end the commands of this lock: it is logged, and the lock is read. */
  #survive(work: () => void, otherwise: (cause: unknown) => void = () => {}): void {
    try {
      work();
    } catch (thrown) {
      const { log, bus } = this.#tools;
      log.error(
        oneLine(
          t('A command met a defect of this plugin: {why}', {
            why: messageOf(asLatchkeyError(thrown)),
          }),
        ),
      );
      otherwise(thrown);
      bus.emit({ type: 'reading-wanted' });
    }
  }

  #checkLater(): void {
    this.#timer?.();
    const at = nextCheckAt(this.#state);
    this.#timer =
      at === null
        ? null
        : // Whole milliseconds: a timer that fires a fraction too early would find nothing to do, and be set again.
          this.#tools.clock.after(Math.max(Math.ceil(at - this.#tools.elapsed()), 1), () => {
            this.#step({ type: 'checked' });
          });
  }
}
