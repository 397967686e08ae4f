// Commands on access codes, one at a time on each lock, and how the changes that they belong to stand and end: in memory and in the log, never with a PIN.
import type { AccessCode, AccessCodeId } from '../../domain/codes/access-code.ts';
import type { CodeEnd } from '../../domain/codes/command-result.ts';
import { isUnsettled } from '../../domain/codes/failure.ts';
import {
  type CodePhase,
  type CodeProgress,
  type CodeRequest,
  codeIdIn,
  hasEnded,
  nameIn,
  type SingleChange,
} from '../../domain/codes/operation.ts';
import type { CommandReading } from '../../domain/commands/command.ts';
import type { Message } from '../../domain/language/message.ts';
import { speakableName } from '../../domain/locks/access.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import { RetryError } from '../../support/errors.ts';
import { oneLine } from '../../support/log.ts';
import { t } from '../../words/translate.ts';
import type { CommonParts } from '../locks/common-parts.ts';
import { type CommandEnd, CommandRun, type CommandRunParts, readTurns, type Turns } from './command-run.ts';
import type { CodeLists } from './lists.ts';
import { type LockNotes, lengthIn } from './lock-notes.ts';

export interface CodeOperationsParts
  extends Omit<CommandRunParts, 'nextTurn'>,
    Pick<CommonParts, 'bus' | 'store' | 'serviceClock'> {
  readonly lists: CodeLists;
  readonly notes: LockNotes;
}

type Change = Pick<SingleChange, 'lockId' | 'request' | 'requestedAt'>;

/** One step of a row: the command that it needs, by the list that it was decided by. */
export interface CodeStep {
  readonly lockId: LockId;
  readonly request: CodeRequest;
  readonly codes: readonly AccessCode[];
  /** How often the change has sent a command, this one included. */
  readonly sendings: number;
}

type OnEnd = (end: CommandEnd | null) => void;

/** The number of ended changes whose outcome can still be read (our choice). */
const KEPT_ENDS = 200;

export class CodeOperations {
  readonly #parts: CodeOperationsParts;
  readonly #nextTurn: Turns;
  /** Locks that carry out a command. */
  readonly #runs = new Map<LockId, { readonly run: CommandRun; readonly onEnd: OnEnd }>();
  /** Changes under way, and the latest that ended. They never hold a PIN. */
  readonly #progress = new Map<string, CodeProgress>();

  constructor(parts: CodeOperationsParts) {
    this.#parts = parts;
    this.#nextTurn = readTurns(parts.clock);
    parts.bus.on('lock-removed', ({ id }) => {
      this.#runs.get(id)?.run.follower.abort();
    });
  }

  all(): readonly CodeProgress[] {
    return [...this.#progress.values()];
  }

  isCarrying(lockId: LockId): boolean {
    return this.#runs.has(lockId);
  }

  /**
   * Carries out one step on a lock that carries out none: its row is stored already, with what is sent. `onEnd` is called before
   * the lock takes another; with null when it was aborted and may have happened. Never rejects.
   */
  async carry(
    { lockId, request, codes, sendings }: CodeStep,
    onEnd: OnEnd,
    onPhase: (phase: CodePhase) => void = () => {},
  ): Promise<void> {
    const command = { request, sendings, listed: removedOf(request, codes) };
    const run = new CommandRun({ ...this.#parts, nextTurn: this.#nextTurn }, lockId, command, onPhase);
    this.#runs.set(lockId, { run, onEnd });
    const end = await run.toItsEnd();
    if (this.#runs.get(lockId)?.run === run) {
      this.#runs.delete(lockId);
      onEnd(run.isAborted ? abortedEnd(run) : end);
    }
  }

  /** The service reported how a command ended; false when it is not one of a change here. */
  ended(id: LockId, reading: CommandReading): boolean {
    return this.#runs.get(id)?.run.follower.ended(reading) === true;
  }

  /** The next owner of the account learns now what was certainly not sent, and from the lists what became of the rest. */
  dispose(): void {
    for (const { run, onEnd } of this.#runs.values()) {
      run.follower.abort();
      onEnd(abortedEnd(run));
    }
    this.#runs.clear();
  }

  /** A change is known from now on. `name`: of the code; null where it is not known. */
  begin(id: string, { lockId, request, requestedAt }: Change, name: string | null): CodeProgress {
    const progress: CodeProgress = {
      id,
      lockId,
      kind: request.kind,
      codeId: codeIdIn(request),
      name,
      requestedAt,
      phase: 'queued',
      waitingFor: null,
      failure: null,
    };
    this.#progress.set(id, progress);
    return progress;
  }

  stands(id: string, phase: CodePhase, waitingFor: Message | null = null): void {
    this.#progressed(id, { phase, waitingFor });
  }

  forget(id: string): void {
    this.#progress.delete(id);
  }

  end(id: string, { lockId, request }: Change, end: CodeEnd): void {
    const { lists, store, notes, log } = this.#parts;
    if (end.kind === 'failed') {
      // Every other end has read the list.
      lists.outdate(lockId);
    }
    const lock = store.get(lockId)?.description.name ?? t('A lock that is gone');
    const line = endLine(lock, request, end);
    if (end.kind === 'done' || isUnknownToBoth(request, end)) {
      notes.removed(lockId, request);
    }
    if (end.kind === 'done') {
      notes.lengthTaken(lockId, lengthIn(request));
      log.info(line);
    } else {
      log.warn(line);
    }
    const named = end.codeId ? { codeId: end.codeId } : {};
    this.#progressed(
      id,
      end.kind === 'done'
        ? { phase: 'done', waitingFor: null, ...named }
        : { phase: 'failed', waitingFor: null, failure: end.failure, ...named },
    );
    for (const { id: old } of this.all().filter(hasEnded).slice(0, -KEPT_ENDS)) {
      this.#progress.delete(old);
    }
  }

  #progressed(id: string, change: Partial<CodeProgress>): void {
    const before = this.#progress.get(id);
    const operation = before && { ...before, ...change };
    if (operation !== undefined && JSON.stringify(operation) !== JSON.stringify(before)) {
      this.#progress.set(id, operation);
      this.#parts.bus.publish({ type: 'code-operation', operation });
    }
  }
}

function abortedEnd({ hasLeft }: CommandRun): CommandEnd | null {
  return hasLeft ? null : { kind: 'unsent', error: new RetryError('aborted', 'It was not sent.') };
}

/** The listed codes that a request removes: their absence will prove it. */
function removedOf(request: CodeRequest, codes: readonly AccessCode[]): readonly AccessCodeId[] {
  return codes
    .filter(({ id, readOnly }) =>
      request.kind === 'remove' ? id === request.codeId : request.kind === 'remove-all' && !readOnly,
    )
    .map(({ id }) => id);
}

/** The service looked for the code to be removed, and neither side has it. */
function isUnknownToBoth({ kind }: CodeRequest, end: CodeEnd): boolean {
  return kind === 'remove' && end.kind === 'failed' && end.failure.reason === 'code-id-invalid';
}

type Words = (code: string, why: string) => string;

const WORDS: Readonly<Record<CodeRequest['kind'], Record<'done' | 'unsettled' | 'failed', Words>>> = {
  add: {
    done: (code) => t('added {code}.', { code }),
    unsettled: (code, why) => t('may not have added {code}: {why}', { code, why }),
    failed: (code, why) => t('couldn’t add {code}: {why}', { code, why }),
  },
  update: {
    done: (code) => t('changed {code}.', { code }),
    unsettled: (code, why) => t('may not have changed {code}: {why}', { code, why }),
    failed: (code, why) => t('couldn’t change {code}: {why}', { code, why }),
  },
  remove: {
    done: (code) => t('removed {code}.', { code }),
    unsettled: (code, why) => t('may not have removed {code}: {why}', { code, why }),
    failed: (code, why) => t('couldn’t remove {code}: {why}', { code, why }),
  },
  'remove-all': {
    done: () => t('removed all access codes.'),
    unsettled: (_, why) => t('may not have removed all access codes: {why}', { why }),
    failed: (_, why) => t('couldn’t remove all access codes: {why}', { why }),
  },
};

function endLine(lock: string, request: CodeRequest, end: CodeEnd): string {
  const name = speakableName(nameIn(request));
  const code = name === null ? t('an access code') : t('the access code "{name}"', { name });
  const words = WORDS[request.kind];
  const said =
    end.kind === 'done'
      ? words.done(code, '')
      : words[isUnsettled(end.failure) ? 'unsettled' : 'failed'](code, t(end.failure.words));
  return oneLine(`${lock}: ${said}`);
}
