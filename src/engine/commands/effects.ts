// Carries out the effects of one lock's command machine: sends, journals and reads back commands, answers requests.

import type { CommandId, CommandOutcome } from '../../domain/commands/command.ts';
import { isRefusalReason } from '../../domain/commands/refusal.ts';
import type { CommandEffect, CommandInput, CommandKey, RequestId } from '../../domain/commands/state.ts';
import { boltOf, type LockId } from '../../domain/locks/lock.ts';
import type { JournalId } from '../../domain/ports.ts';
import { COMMAND_UNHEARD_AFTER_MS } from '../../domain/time/time.ts';
import { asLatchkeyError, FinalError, type LatchkeyError, WaitError } from '../../support/errors.ts';
import { oneLine } from '../../support/log.ts';
import { t } from '../../words/translate.ts';
import type { CommandTools } from './context.ts';
import { describeAnswer, describeEnd } from './log.ts';
import { OutcomeReader, type ReadPause } from './outcome-reader.ts';
import { type RequestAnswer, requestAnswer } from './request-answer.ts';

export interface MachineInput {
  step(input: CommandInput): void;
  mayLeave(key: CommandKey): boolean;
}

type EffectOf<Type extends CommandEffect['type']> = Extract<CommandEffect, { readonly type: Type }>;

type Change = { readonly commandId: CommandId } | { readonly outcome: CommandOutcome['kind'] };

/** Failures of a command that show that the service, or the way to it, is away. */
const UNHEARD: ReadonlySet<LatchkeyError['code']> = new Set([
  'unreachable',
  'timed-out',
  'server-fault',
  'overloaded',
  'reply-lost',
]);

export class CommandEffects {
  readonly #tools: CommandTools;
  readonly #lockId: LockId;
  readonly #machine: MachineInput;
  /** The journal rows of the commands. A row that rejects was never written, and then no note follows. */
  readonly #rows = new Map<CommandKey, Promise<JournalId | undefined>>();
  readonly #answers = new Map<RequestId, (answer: RequestAnswer) => void>();
  /** The last command with an id from the service: its bolt may have arrived before the end is reported. */
  #named: CommandId | null = null;
  readonly #readPause: ReadPause = { until: 0 };
  #reader: OutcomeReader | null = null;

  constructor(tools: CommandTools, lockId: LockId, machine: MachineInput) {
    this.#tools = tools;
    this.#lockId = lockId;
    this.#machine = machine;
  }

  /** Resolves with the answer to this request; never rejects. */
  async answerTo(request: RequestId): Promise<RequestAnswer> {
    const { promise, resolve } = Promise.withResolvers<RequestAnswer>();
    this.#answers.set(request, resolve);
    return promise;
  }

  isNamed(commandId: CommandId): boolean {
    return this.#named === commandId;
  }

  /** Takes over the journal row of a command that an earlier process sent. */
  resume(key: CommandKey, journalId: JournalId, commandId: CommandId | null): void {
    this.#named = commandId;
    this.#rows.set(key, Promise.resolve(journalId));
  }

  carryOut(effect: CommandEffect): void {
    switch (effect.type) {
      case 'send':
        void this.#send(effect);
        return;
      case 'answer':
        return this.#answer(effect);
      case 'start-reading':
        this.#reader?.stop();
        this.#reader = new OutcomeReader({
          ...this.#tools,
          lockId: this.#lockId,
          pause: this.#readPause,
          command: effect,
          onInput: (input) => this.#machine.step(input),
        });
        return;
      case 'stop-reading':
        return this.#reader?.stop();
      case 'note-id':
        this.#named = effect.commandId;
        void this.#note(effect.key, { commandId: effect.commandId });
        return;
      case 'note-end':
        void this.#note(effect.key, { outcome: effect.outcome });
        this.#rows.delete(effect.key);
        return;
      case 'ended':
        return this.#end(effect);
      case 'poll-soon':
        this.#tools.bus.emit({ type: 'poll-soon' });
        return;
      case 'lock':
        this.#tools.store.apply(this.#lockId, effect.event);
        if (effect.event.type === 'command-completed') {
          this.#readDisputed();
        }
    }
  }

  /** Also of a command that was refused because the lock is busy, whose request still waits. */
  #end({ target, outcome }: EffectOf<'ended'>): void {
    this.#say(describeEnd(target, outcome));
    if (outcome.kind === 'moved') {
      this.#tools.store.apply(this.#lockId, { type: 'command-moved', target });
    }
    this.#tools.bus.publish({ type: 'command-ended', id: this.#lockId, target, outcome });
    this.#machine.step({ type: 'checked' });
  }

  /** A success without a position contradicts another report: only a reading settles it. */
  #readDisputed(): void {
    const { store, bus } = this.#tools;
    const lock = store.get(this.#lockId);
    if (lock !== undefined && boltOf(lock) === 'unknown') {
      bus.emit({ type: 'reading-wanted' });
      bus.emit({ type: 'poll-soon' });
    }
  }

  async #send({ key, target, issuedAt, withinMs }: EffectOf<'send'>): Promise<void> {
    const { journal, gateway } = this.#tools;
    const written = journal.begin({ lockId: this.#lockId, target, issuedAt });
    // The call that sends the command rejects with this error, though perhaps only once a token is there.
    written.catch(() => {});
    this.#rows.set(key, written);
    const { clock } = this.#tools;
    const begunAt = clock.monotonic();
    const unheard = clock.after(COMMAND_UNHEARD_AFTER_MS, () => this.#unheard(begunAt));
    try {
      const { reading, askedAt } = await gateway.command(this.#lockId, target, {
        written,
        withinMs,
        stillWanted: () => {
          this.#machine.step({ type: 'leaving', key });
          return this.#machine.mayLeave(key);
        },
        left: () => {
          this.#machine.step({ type: 'left', key });
        },
      });
      this.#machine.step({ type: 'replied', key, reading, askedAt });
    } catch (thrown) {
      const error = asLatchkeyError(thrown);
      this.#machine.step(failureOf(key, error));
      if (UNHEARD.has(error.code)) {
        this.#unheard(begunAt);
      }
    } finally {
      unheard();
    }
  }

  /** The service may be away: what was known before is not shown for long (faults#172). */
  #unheard(begunAt: number): void {
    const { bus, clock } = this.#tools;
    bus.emit({ type: 'command-unheard', agoMs: clock.monotonic() - begunAt });
  }

  async #note(key: CommandKey, change: Change): Promise<void> {
    const [row] = await Promise.allSettled([this.#rows.get(key)]);
    if (row.status === 'fulfilled' && row.value !== undefined) {
      this.#tools.journal.note({ journalId: row.value, ...change });
    }
  }

  #answer({ requests, target, answer }: EffectOf<'answer'>): void {
    const given = requestAnswer(answer);
    const lock = this.#tools.store.get(this.#lockId);
    this.#say(describeAnswer(given, target, lock === undefined ? 'unknown' : boltOf(lock)));
    for (const request of requests) {
      this.#answers.get(request)?.(given);
      this.#answers.delete(request);
    }
  }

  #say(line: string | null): void {
    if (line !== null) {
      const name = this.#tools.store.get(this.#lockId)?.description.name ?? t('A lock that is gone');
      this.#tools.log.warn(oneLine(`${name}: ${line}`));
    }
  }
}

/** What the error of a send means for its command: possibly arrived, refused, or never sent. */
function failureOf(key: CommandKey, error: LatchkeyError): CommandInput {
  if (error.disposition === 'uncertain') {
    return { type: 'reply-lost', key };
  }
  if (error instanceof WaitError && error.code === 'lock-busy') {
    return { type: 'refused', key, reason: 'lock-busy', cause: error };
  }
  if (error instanceof FinalError && error.reason !== null && isRefusalReason(error.reason)) {
    return { type: 'refused', key, reason: error.reason, cause: error };
  }
  const waitMs = error instanceof WaitError ? error.waitMs : null;
  const mayRetry =
    error.code !== 'aborted' && (error.disposition === 'retry' || error.disposition === 'wait');
  return { type: 'not-processed', key, mayRetry, waitMs, cause: error };
}
