// Finds out that the plugin's file is older than its locks: by a restore, by its sign-in, or by the history of a lock.
import {
  begun,
  NEVER_USED,
  type OldFile,
  SPENT,
  type UseOfFile,
  wasChangedMeanwhile,
} from '../../domain/codes/file-age.ts';
import type { CodePhase } from '../../domain/codes/operation.ts';
import type { FileAgeStore } from '../../domain/codes/ports.ts';
import { MOST_HISTORY_ENTRIES } from '../../domain/history/history.ts';
import { message } from '../../domain/language/message.ts';
import type { LockId } from '../../domain/locks/lock.ts';
import type { AccountLink, LockHistory } from '../../domain/ports.ts';
import { tryDisk } from '../../support/files/try-disk.ts';
import { t } from '../../words/translate.ts';
import type { CommonParts } from '../locks/common-parts.ts';

export interface FileAgeParts extends Pick<CommonParts, 'bus' | 'clock' | 'serviceClock' | 'log'> {
  readonly age: FileAgeStore;
  readonly service: LockHistory;
  readonly link: Pick<AccountLink, 'state'>;
}

const NOTED_PHASES: ReadonlySet<CodePhase> = new Set(['sent', 'done', 'failed']);

const TROUBLE = message('The age of the stored codes could not be noted');

export class FileAge {
  readonly #parts: FileAgeParts;
  /** Called when the file is found to be old, before anything acts by it. False: that could not be stored. */
  onOld: (old: OldFile) => boolean = () => true;
  #use: UseOfFile = NEVER_USED;
  /** The service's time is known, and the use of the file has begun. */
  #hasBegun = false;
  /** When this process began, on its monotonic clock. */
  #startedAt = 0;
  /** Locks whose history shows no change that this file does not know. */
  readonly #checked = new Set<LockId>();
  #link: ReturnType<AccountLink['state']>;
  #isOld = false;

  constructor(parts: FileAgeParts) {
    this.#parts = parts;
    this.#link = parts.link.state();
    parts.bus.on('link-changed', ({ state }) => {
      if (state === 'linked' && SPENT.has(this.#link)) {
        this.#found({ because: 'sign-in', at: parts.serviceClock.now(), madeAt: null });
      }
      // While another process has the account, it sees what becomes of the sign-in.
      this.#link = state === 'other-process' ? this.#link : state;
    });
    parts.bus.on('listed', () => {
      this.#begin();
    });
    parts.bus.on('code-operation', ({ operation }) => {
      if (NOTED_PHASES.has(operation.phase)) {
        this.noteUse();
      }
    });
  }

  /** This process found it: what earlier ones began is not taken up. */
  get isOld(): boolean {
    return this.#isOld;
  }

  /** Reads what the file says of itself, before anything acts by it. */
  start(): void {
    const { age, log, link } = this.#parts;
    this.#use = tryDisk(log, t(TROUBLE), () => age.use()) ?? NEVER_USED;
    this.#hasBegun = false;
    this.#startedAt = this.#parts.clock.monotonic();
    this.#checked.clear();
    this.#link = link.state();
    const restored = tryDisk(log, t(TROUBLE), () => age.restored()) ?? null;
    if (restored !== null && restored.at !== this.#use.askedAt) {
      this.#found(restored);
    }
  }

  dispose(): void {
    if (this.#hasBegun) {
      this.noteUse();
    }
  }

  /** Whether no question to the service is needed before a code is put on that lock by a row of the file. */
  isKnown(id: LockId): boolean {
    const mayBeOld = this.#use.unused.length > 0 || (!this.#hasBegun && this.#use.lastUsedAt !== null);
    return !mayBeOld || this.#checked.has(id);
  }

  /** Asks the service for the history of that lock: the file is old, or knows it. Rejects with retry, wait, relink or final; then it is not known. */
  async compare(id: LockId): Promise<void> {
    if (this.isKnown(id)) {
      return;
    }
    const question = { limit: MOST_HISTORY_ENTRIES, deviceTime: false };
    const { entries } = await this.#parts.service.history(id, question);
    this.#begin();
    if (wasChangedMeanwhile(entries, this.#use)) {
      this.#found({ because: 'changed', at: this.#parts.serviceClock.now(), madeAt: null });
    } else {
      this.#checked.add(id);
    }
  }

  /** With the first answer of the service its time is known. What this process did before that answer is known to the file. */
  #begin(): void {
    const { clock, serviceClock } = this.#parts;
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      const now = serviceClock.now();
      this.#save(begun(this.#use, now, now - (clock.monotonic() - this.#startedAt)));
    }
  }

  /** What happens at the locks from now on is known to this file, also if the process ends before the lock has answered. */
  noteUse(): void {
    this.#begin();
    this.#save({ ...this.#use, lastUsedAt: this.#parts.serviceClock.now() });
  }

  #found(old: OldFile): void {
    this.#isOld = true;
    if (this.onOld(old)) {
      const askedAt = old.because === 'restored' ? old.at : this.#use.askedAt;
      // The answer covers the time before this process, too: what was changed in it is not asked about once more.
      const lastUsedAt = this.#hasBegun ? this.#use.lastUsedAt : null;
      this.#save({ lastUsedAt, unused: [], askedAt });
    }
  }

  #save(use: UseOfFile): void {
    this.#use = use;
    tryDisk(this.#parts.log, t(TROUBLE), () => this.#parts.age.saveUse(use));
  }
}
