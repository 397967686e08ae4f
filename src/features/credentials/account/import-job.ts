// Runs one import in the background and reports its progress to pages.

import { type Message, message } from '../../../domain/language/message.ts';
import type { Clock } from '../../../support/clock.ts';
import { wordsOf } from '../../../support/errors.ts';
import { type Log, oneLine } from '../../../support/log.ts';
import { t } from '../../../words/translate.ts';
import type { PlannedImport } from '../import/credential-import.ts';
import type { ImportProgress, ImportResult } from '../import/import-progress.ts';
import type { ImportResultView, ImportView } from '../panel/views.ts';

/** Rows that a page shows by themselves. */
const MAX_AMISS = 100;

export class ImportJob {
  /** Resolves when none of its work is in progress. Never rejects. */
  readonly ended: Promise<void>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #stopping = new AbortController();
  readonly #counts = new Map<ImportResult['result'], number>();
  readonly #amiss: ImportResultView[] = [];
  #state: ImportView['state'] = 'running';
  #progress: ImportProgress;
  #message: Message | null = null;

  /** Begins at once. */
  constructor(planned: PlannedImport, { clock, log }: { readonly clock: Clock; readonly log: Log }) {
    this.#clock = clock;
    this.#log = log;
    const total = planned.plan.rows.length;
    this.#progress = { done: 0, total, remainingMs: planned.expectedMs(), wait: null };
    this.ended = this.#run(planned);
  }

  get isRunning(): boolean {
    return this.#state === 'running';
  }

  stop(): void {
    this.#stopping.abort();
  }

  view(): ImportView {
    const { done, total, remainingMs, wait } = this.#progress;
    const waitMs = wait === null ? 0 : wait.until - this.#clock.now();
    return {
      state: this.#state,
      done,
      total,
      remainingMs,
      waitMs: waitMs > 0 && this.isRunning ? waitMs : null,
      counts: Object.fromEntries(this.#counts),
      amiss: this.#amiss,
      message: this.#message,
    };
  }

  async #run(planned: PlannedImport): Promise<void> {
    try {
      await planned.run(
        {
          onResult: (result) => this.#note(result),
          onProgress: (progress) => {
            this.#progress = progress;
          },
        },
        this.#stopping.signal,
      );
      this.#state = 'finished';
    } catch (error) {
      this.#state = this.#stopping.signal.aborted ? 'stopped' : 'failed';
      this.#message = this.#stopping.signal.aborted ? null : wordsOf(error);
    }
    const counts = [...this.#counts].map(([result, count]) => `${count} ${result}`).join(', ');
    this.#log.info(
      t(
        'Import of credentials {state, select, stopped {stopped} failed {failed} other {finished}}: {counts}.',
        { state: this.#state, counts: counts === '' ? message('nothing done') : counts },
      ),
    );
    if (this.#message !== null) {
      this.#log.warn(oneLine(t('The import of credentials failed: {why}', { why: this.#message })));
    }
  }

  #note({ line, userId, result, reason }: ImportResult): void {
    this.#counts.set(result, (this.#counts.get(result) ?? 0) + 1);
    if ((result === 'failed' || result === 'different') && this.#amiss.length < MAX_AMISS) {
      this.#amiss.push({ line, userId, result, reason });
    }
  }
}
