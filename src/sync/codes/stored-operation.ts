// One operation on access codes with its copy on the disk.
import type { CodeOperation } from '../../domain/code-operation.ts';
import type { CodeStore } from '../../domain/code-ports.ts';
import type { Clock } from '../../support/clock.ts';
import { asLatchkeyError, messageOf } from '../../support/errors.ts';
import type { Log } from '../../support/log.ts';

export interface StoredOperationParts {
  readonly store: Pick<CodeStore, 'save'>;
  readonly clock: Clock;
  readonly log: Log;
}

export class StoredOperation {
  readonly #parts: StoredOperationParts;
  #now: CodeOperation;

  constructor(parts: StoredOperationParts, operation: CodeOperation) {
    this.#parts = parts;
    this.#now = operation;
  }

  get now(): CodeOperation {
    return this.#now;
  }

  /** Resolves once the change is on the disk; rejects when it cannot be written. */
  async save(operation: CodeOperation): Promise<void> {
    this.#now = operation;
    return new Promise((resolve, reject) => {
      this.#parts.clock.commits.take(() => {
        try {
          this.#parts.store.save(operation);
          resolve();
        } catch (error) {
          reject(asLatchkeyError(error));
        }
      });
    });
  }

  /** Notes a change for the next process. This one knows it, so a failing disk ends nothing. */
  note(operation: CodeOperation): void {
    this.save(operation).catch((error: unknown) => {
      this.#parts.log.debug(`An operation on access codes could not be stored: ${messageOf(error)}`);
    });
  }
}
