// Runs the command machine of one lock: feeds it inputs, and carries out its effects.
import type { BoltPosition, Instant } from '../../domain/bolt.ts';
import type { CommandId, CommandOutcome, CommandReading } from '../../domain/command.ts';
import { advanceCommands, mayLeave, nextLookAt } from '../../domain/command-machine.ts';
import {
  type CommandEffect,
  type CommandInput,
  type CommandKey,
  type CommandState,
  IDLE,
  type RequestId,
} from '../../domain/command-state.ts';
import type { LockId } from '../../domain/lock.ts';
import type { JournalId, LockGateway, OpenCommand } from '../../domain/ports.ts';
import type { CancelTimer } from '../../support/clock.ts';
import { asLatchkeyError } from '../../support/errors.ts';
import { oneLine } from '../../support/log.ts';
import type { CommonParts } from '../common-parts.ts';
import { type ContextParts, commandContext } from './command-context.ts';
import { describeAnswer, describeEnd } from './command-log.ts';
import type { JournalQueue } from './journal-queue.ts';
import { type OutcomeParts, readOutcomes } from './outcome-reader.ts';
import { type RequestAnswer, type RequestLimits, requestAnswer } from './request-answer.ts';
import { failureOf } from './send-failure.ts';

/** The bus carries `command-ended`, also of a command that was refused because the lock is busy, whose request still waits. */
export interface RunnerParts extends ContextParts, OutcomeParts, Pick<CommonParts, 'bus'> {
  readonly gateway: Pick<LockGateway, 'command' | 'outcome'>;
  readonly journal: Pick<JournalQueue, 'begin' | 'note'>;
  /** Knows how long a request that arrives right now may have waited for this process. */
  readonly staleness: { readonly unheardMs: number };
}

type EffectOf<Type extends CommandEffect['type']> = Extract<CommandEffect, { readonly type: Type }>;

type Change = { readonly commandId: CommandId } | { readonly outcome: CommandOutcome['kind'] };

export class CommandRunner {
  readonly #parts: RunnerParts;
  readonly #lockId: LockId;
  /** The journal rows of the commands. One that rejects was never written, and then nothing is noted. */
  readonly #rows = new Map<CommandKey, Promise<JournalId | undefined>>();
  readonly #answers = new Map<RequestId, (answer: RequestAnswer) => void>();
  #state: CommandState = IDLE;
  #requests = 0;
  /** The last command that the service named: the bolt may have arrived before its end is reported. */
  #named: CommandId | null = null;
  #stopReading: CancelTimer = () => {};
  #timer: CancelTimer | null = null;
  /** Inputs that arrive while effects are carried out wait for their turn. */
  readonly #queue: CommandInput[] = [];
  #isStepping = false;
  #closed = false;

  constructor(parts: RunnerParts, lockId: LockId) {
    this.#parts = parts;
    this.#lockId = lockId;
  }

  get busy(): boolean {
    const { active, waiting, trailing } = this.#state;
    return active !== null || waiting !== null || trailing !== null;
  }

  /** Resolves when the request is settled; never rejects. */
  async request(target: BoltPosition, limits: RequestLimits): Promise<RequestAnswer> {
    const { withinMs = Number.POSITIVE_INFINITY, waitedMs = 0 } = limits;
    const request = ++this.#requests;
    const { promise, resolve } = Promise.withResolvers<RequestAnswer>();
    this.#answers.set(request, resolve);
    const unheardMs = this.#parts.staleness.unheardMs + waitedMs;
    this.#step({ type: 'requested', request, target, withinMs, unheardMs });
    return promise;
  }

  /** The service reported how a command ended; false when it is not the last one of this process. */
  commandEnded(reading: CommandReading, at: Instant): boolean {
    const isOurs = this.#named === reading.commandId;
    this.#step({ type: 'end-reported', reading, at });
    return isOurs;
  }

  /** Follows a command that an earlier process sent; it is never sent again. */
  resume({ journalId, target, commandId, issuedAt }: OpenCommand, ageMs: number): void {
    this.#named = commandId;
    this.#rows.set(this.#state.nextKey, Promise.resolve(journalId));
    this.#step({ type: 'resumed', target, commandId, issuedAt, ageMs });
  }

  look(): void {
    if (this.busy) {
      this.#step({ type: 'looked' });
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
      const { state, effects } = advanceCommands(
        this.#state,
        next,
        commandContext(this.#parts, this.#lockId),
      );
      this.#state = state;
      for (const effect of effects) {
        this.#carryOut(effect);
      }
    }
    this.#isStepping = false;
    this.#lookLater();
  }

  #lookLater(): void {
    this.#timer?.();
    const at = nextLookAt(this.#state);
    this.#timer =
      at === null
        ? null
        : // Whole milliseconds: a timer that fires a fraction too early would find nothing to do, and be set again.
          this.#parts.clock.after(Math.max(Math.ceil(at - this.#parts.elapsed()), 1), () => {
            this.#step({ type: 'looked' });
          });
  }

  #carryOut(effect: CommandEffect): void {
    switch (effect.type) {
      case 'send':
        void this.#send(effect);
        return;
      case 'answer':
        return this.#answer(effect);
      case 'start-reading':
        this.#stopReading();
        this.#stopReading = readOutcomes(this.#parts, this.#lockId, effect, (input) => {
          this.#step(input);
        });
        return;
      case 'stop-reading':
        return this.#stopReading();
      case 'note-id':
        this.#named = effect.commandId;
        void this.#note(effect.key, { commandId: effect.commandId });
        return;
      case 'note-end':
        void this.#note(effect.key, { outcome: effect.outcome });
        this.#rows.delete(effect.key);
        return;
      case 'ended':
        this.#say(effect.target, describeEnd(effect.outcome));
        this.#parts.bus.publish({
          type: 'command-ended',
          id: this.#lockId,
          target: effect.target,
          outcome: effect.outcome,
        });
        this.#step({ type: 'looked' });
        return;
      case 'poll-soon':
        this.#parts.bus.emit({ type: 'poll-soon' });
        return;
      case 'lock':
        this.#parts.store.apply(this.#lockId, effect.event);
    }
  }

  async #send({ key, target, issuedAt, withinMs }: EffectOf<'send'>): Promise<void> {
    const { journal, gateway, elapsed } = this.#parts;
    const written = journal.begin({ lockId: this.#lockId, target, issuedAt });
    // The call that sends the command rejects with it, though perhaps only once a token is there.
    written.catch(() => {});
    this.#rows.set(key, written);
    try {
      const { reading, askedAt } = await gateway.command(this.#lockId, target, {
        written,
        withinMs,
        stillWanted: () => {
          this.#step({ type: 'leaving', key });
          return mayLeave(this.#state, key, elapsed());
        },
        left: () => {
          this.#step({ type: 'left', key });
        },
      });
      this.#step({ type: 'replied', key, reading, askedAt });
    } catch (error) {
      this.#step(failureOf(key, asLatchkeyError(error)));
    }
  }

  async #note(key: CommandKey, change: Change): Promise<void> {
    const [row] = await Promise.allSettled([this.#rows.get(key)]);
    if (row.status === 'fulfilled' && row.value !== undefined) {
      this.#parts.journal.note({ journalId: row.value, ...change });
    }
  }

  #answer({ requests, target, answer }: EffectOf<'answer'>): void {
    const given = requestAnswer(answer);
    this.#say(target, describeAnswer(given));
    for (const request of requests) {
      this.#answers.get(request)?.(given);
      this.#answers.delete(request);
    }
  }

  #say(target: BoltPosition, line: string | null): void {
    if (line !== null) {
      const name = this.#parts.store.get(this.#lockId)?.description.name ?? 'A lock that is gone';
      const verb = target === 'secured' ? 'lock' : 'unlock';
      this.#parts.log.warn(oneLine(`${name}: the command to ${verb} did not do it: ${line}`));
    }
  }
}
