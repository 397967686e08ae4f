// The operations on the access codes of one lock, in their order, one at a time: the lock takes one command at a time.

import { codeFailure } from '../../domain/code-failure.ts';
import type { CodeOperation } from '../../domain/code-operation.ts';
import type { CodeEnd } from '../../domain/code-operation-policy.ts';
import type { CommandReading } from '../../domain/command.ts';
import { messageOf } from '../../support/errors.ts';
import { CodeRun } from './code-run.ts';
import type { CodeRunParts } from './code-run-parts.ts';

export interface CodeRunnerParts extends CodeRunParts {
  readonly onEnd: (operation: CodeOperation, end: CodeEnd) => void;
}

export class CodeRunner {
  readonly #parts: CodeRunnerParts;
  readonly #queue: CodeOperation[] = [];
  #active: CodeRun | null = null;
  #disposed = false;

  constructor(parts: CodeRunnerParts) {
    this.#parts = parts;
  }

  /** The operation must be stored already. */
  add(operation: CodeOperation): void {
    this.#queue.push(operation);
    this.#parts.onPhase(operation, 'queued', null);
    if (this.#active === null) {
      void this.#work();
    }
  }

  /** The service reported the end of a command; false when it is not one of ours. */
  ended(reading: CommandReading): boolean {
    return this.#active?.follower.ended(reading) ?? false;
  }

  /** Ends here; stored operations stay for the next owner of the account. */
  dispose(): void {
    this.#disposed = true;
    this.#active?.follower.abort();
  }

  /** Never rejects. */
  async #work(): Promise<void> {
    for (let next = this.#queue[0]; next !== undefined && !this.#disposed; next = this.#queue[0]) {
      this.#active = new CodeRun(this.#parts, next);
      const end = await this.#active.run().catch((error: unknown): CodeEnd => {
        this.#parts.log.error(`An operation on access codes failed: ${messageOf(error)}`);
        return { kind: 'failed', failure: codeFailure('service-trouble') };
      });
      if (end === null) {
        this.#queue.length = 0;
      } else {
        this.#queue.shift();
        this.#parts.onEnd(next, end);
      }
    }
    this.#active = null;
  }
}
