// Counts an import's results, and reports its progress and the remaining time.

import { type Message, message } from '../../../domain/language/message.ts';
import type { Instant } from '../../../domain/time/instant.ts';
import type { CallWait } from '../client/credential-gateway.ts';
import type { CredentialOperation } from '../policy/credential.ts';
import { type ImportPlan, stepsToDo } from '../policy/import-plan-policy.ts';

/** The result of one row, or of a credential without a row. */
export interface ImportResult {
  /** Null for a removed credential. */
  readonly line: number | null;
  readonly userId: string;
  readonly result: 'created' | 'changed' | 'unchanged' | 'different' | 'removed' | 'failed';
  readonly credentialId: string | null;
  readonly cardNumber: number | null;
  /** The cause of a failure, or the remedy of a difference; null otherwise. */
  readonly reason: Message | null;
}

export interface ImportProgress {
  readonly done: number;
  readonly total: number;
  /** Remaining time under the limits, in milliseconds. */
  readonly remainingMs: number;
  readonly wait: CallWait | null;
}

export interface ImportListener {
  readonly onResult: (result: ImportResult) => void;
  readonly onProgress: (progress: ImportProgress) => void;
}

export const REPLACE_HINT = message(
  'The service has another credential for this user; {option} deletes it and issues this one.',
  { option: '--replace' },
);

export class ImportProgressCounter {
  readonly #total: number;
  readonly #listener: ImportListener;
  readonly #remainingMs: (calls: ReadonlyMap<CredentialOperation, number>) => number;
  readonly #calls = new Map<CredentialOperation, number>();
  readonly #now: () => Instant;
  #done = 0;
  /** The last wait that began; calls sent before it may still be answered. */
  #wait: CallWait | null = null;

  constructor(
    plan: ImportPlan,
    listener: ImportListener,
    remainingMs: (calls: ReadonlyMap<CredentialOperation, number>) => number,
    now: () => Instant,
  ) {
    this.#now = now;
    this.#total = plan.rows.length + stepsToDo(plan).removals.length;
    this.#listener = listener;
    this.#remainingMs = remainingMs;
  }

  called(operation: CredentialOperation): void {
    this.#calls.set(operation, (this.#calls.get(operation) ?? 0) + 1);
  }

  finish(result: ImportResult): void {
    this.#done += 1;
    this.#listener.onResult(result);
    this.#report();
  }

  readonly waiting = (wait: CallWait): void => {
    this.#wait = wait;
    this.#report();
  };

  #report(): void {
    const wait = this.#wait !== null && this.#wait.until > this.#now() ? this.#wait : null;
    const remainingMs = this.#remainingMs(this.#calls);
    this.#listener.onProgress({ done: this.#done, total: this.#total, remainingMs, wait });
  }
}

export function untouchedRows({ choices, rows }: ImportPlan): readonly ImportResult[] {
  return rows.flatMap((step): readonly ImportResult[] => {
    if (step.kind === 'add' || (step.kind === 'change' && choices.replace)) {
      return [];
    }
    const { line, draft } = step.row;
    const credential = step.kind === 'keep' ? step.credential : step.existing[0];
    const about = {
      line,
      userId: draft.userId,
      credentialId: credential?.id ?? null,
      cardNumber: credential?.cardNumber ?? null,
    };
    return [
      step.kind === 'keep'
        ? { ...about, result: 'unchanged', reason: null }
        : { ...about, result: 'different', reason: REPLACE_HINT },
    ];
  });
}
