// Runs an import that can be restarted at any point: each row is compared with the service before it is sent.

import type { Instant } from '../../../domain/time/instant.ts';
import { FinalError, wordsOf } from '../../../support/errors.ts';
import { rateLimit } from '../client/credential-endpoints.ts';
import type { CallOptions } from '../client/credential-gateway.ts';
import type { CredentialingClient } from '../client/credentialing-client.ts';
import type { Credential, CredentialOperation } from '../policy/credential.ts';
import {
  callsOf,
  type ImportChoices,
  type ImportPlan,
  type ImportRow,
  planImport,
  stepsToDo,
} from '../policy/import-plan-policy.ts';
import type { RateWindowStore } from '../policy/ports.ts';
import { expectedDurationMs } from '../policy/rate-window-policy.ts';
import { CredentialIssuer, type CredentialIssuerParts } from './credential-issuer.ts';
import {
  type ImportListener,
  ImportProgressCounter,
  type ImportResult,
  REPLACE_HINT,
  untouchedRows,
} from './import-progress.ts';
import { runTasks, type Task, type TaskOutcome } from './task-pool.ts';

export interface CredentialImportParts extends CredentialIssuerParts {
  readonly gateway: Pick<CredentialingClient, 'create' | 'list' | 'getByUser' | 'delete'>;
  readonly windows: RateWindowStore;
}

type Step = TaskOutcome<ImportResult>;

export class CredentialImport {
  readonly #parts: CredentialImportParts;

  constructor(parts: CredentialImportParts) {
    this.#parts = parts;
  }

  /** Compares the rows with the service: one call. Rejects with `wire-mismatch` when an absence cannot be trusted. */
  async plan(
    rows: readonly ImportRow[],
    choices: ImportChoices,
    options: CallOptions,
  ): Promise<PlannedImport> {
    const askedAt = this.#parts.clock.now();
    const { credentials, unreadable } = await this.#parts.gateway.list(options);
    if (unreadable > 0 && choices.removeMissing) {
      throw new FinalError(
        'wire-mismatch',
        `${unreadable} credentials of the service cannot be read, so nothing is removed. Leave out --remove-missing.`,
      );
    }
    return new PlannedImport(this.#parts, planImport(rows, credentials, choices), askedAt);
  }

  /** The same, tried again through an outage for as long as the import itself would be. */
  async planThroughOutages(
    rows: readonly ImportRow[],
    choices: ImportChoices,
    options: CallOptions,
  ): Promise<PlannedImport> {
    const { promise: planned, resolve: onDone } = Promise.withResolvers<PlannedImport>();
    const task: Task<PlannedImport> = async () => ({
      kind: 'done',
      result: await this.plan(rows, choices, options),
    });
    await runTasks([task], { clock: this.#parts.clock, signal: options.signal, onDone });
    return planned;
  }
}

export class PlannedImport {
  readonly plan: ImportPlan;
  readonly #parts: CredentialImportParts;
  readonly #issuer: CredentialIssuer;
  readonly #askedAt: Instant;

  constructor(parts: CredentialImportParts, plan: ImportPlan, askedAt: Instant) {
    this.#parts = parts;
    this.#issuer = new CredentialIssuer(parts);
    this.plan = plan;
    this.#askedAt = askedAt;
  }

  /** Expected duration under the limits, in milliseconds. `made`: calls that were made already. */
  expectedMs(made: ReadonlyMap<CredentialOperation, number> = new Map()): number {
    const { windows, clock } = this.#parts;
    const durations = [...callsOf(this.plan)].map(([operation, calls]) => {
      const left = Math.max(calls - (made.get(operation) ?? 0), 0);
      return expectedDurationMs(windows.read(operation, rateLimit(operation)), left, clock.now());
    });
    return Math.max(0, ...durations);
  }

  /**
   * Runs the import with one result per row. After a rejection a new run continues where this one stopped.
   * Rejects with `aborted` on the signal, with the service's error after minutes of outage, and with errors that affect
   * every row, such as a refused login.
   */
  async run(listener: ImportListener, signal?: AbortSignal): Promise<void> {
    const run = new ImportProgressCounter(
      this.plan,
      listener,
      (calls) => this.expectedMs(calls),
      () => this.#parts.clock.now(),
    );
    const options: CallOptions = { onWait: run.waiting, ...(signal === undefined ? {} : { signal }) };
    for (const result of untouchedRows(this.plan)) {
      run.finish(result);
    }
    await runTasks(this.#tasks(run, options), {
      clock: this.#parts.clock,
      signal,
      onDone: (result) => run.finish(result),
    });
  }

  #tasks(run: ImportProgressCounter, options: CallOptions): readonly Task<ImportResult>[] {
    const { removals, changes, additions } = stepsToDo(this.plan);
    return [
      ...removals.map(
        (credential): Task<ImportResult> =>
          async () =>
            this.#remove(credential, run, options),
      ),
      ...changes.map(
        ({ row, existing }): Task<ImportResult> =>
          async () =>
            this.#change(row, existing, run, options),
      ),
      ...additions.map(
        ({ row }): Task<ImportResult> =>
          async () =>
            this.#create(row, this.#askedAt, 'created', run, options),
      ),
    ];
  }

  async #remove(credential: Credential, run: ImportProgressCounter, options: CallOptions): Promise<Step> {
    await this.#delete(credential, run, options);
    const { userId, id, cardNumber } = credential;
    return done({ line: null, userId, result: 'removed', credentialId: id, cardNumber, reason: null });
  }

  async #change(
    row: ImportRow,
    existing: readonly Credential[],
    run: ImportProgressCounter,
    options: CallOptions,
  ): Promise<Step> {
    for (const credential of existing) {
      await this.#delete(credential, run, options);
    }
    return this.#create(row, this.#parts.clock.now(), 'changed', run, options);
  }

  /** An already deleted credential counts as deleted. */
  async #delete({ id }: Credential, run: ImportProgressCounter, options: CallOptions): Promise<void> {
    try {
      await this.#parts.gateway.delete(id, options);
    } catch (error) {
      if (!(error instanceof FinalError && error.code === 'not-found')) {
        throw error;
      }
    }
    run.called('delete');
  }

  async #create(
    { line, draft }: ImportRow,
    since: Instant,
    result: 'created' | 'changed',
    run: ImportProgressCounter,
    options: CallOptions,
  ): Promise<Step> {
    const about = { line, userId: draft.userId };
    try {
      const issued = await this.#issuer.issue(draft, since, options);
      switch (issued.kind) {
        case 'later':
          return { kind: 'later', at: issued.at };
        case 'issued':
          run.called(draft.kind === 'raw' ? 'create-raw' : 'create');
          return done({
            ...about,
            result,
            credentialId: issued.id,
            cardNumber: issued.cardNumber,
            reason: null,
          });
        case 'existing': {
          const { id, cardNumber } = issued.credential;
          const found = { ...about, credentialId: id, cardNumber };
          return done(
            issued.matches
              ? { ...found, result, reason: null }
              : { ...found, result: 'different', reason: REPLACE_HINT },
          );
        }
      }
    } catch (error) {
      if (!isOfThisRow(error, draft)) {
        throw error;
      }
      return done({
        ...about,
        result: 'failed',
        credentialId: null,
        cardNumber: null,
        reason: wordsOf(error),
      });
    }
  }
}

/** Whether a failure concerns this row alone; any other would repeat on the next row. */
function isOfThisRow(error: unknown, draft: ImportRow['draft']): error is FinalError {
  if (!(error instanceof FinalError)) {
    return false;
  }
  const needsPermission = draft.kind === 'card' && draft.issueCode > 0;
  return (
    ['refused', 'bad-request', 'not-found'].includes(error.code) ||
    (error.code === 'not-permitted' && needsPermission)
  );
}

function done(result: ImportResult): Step {
  return { kind: 'done', result };
}
