// The other end of runtime-process.ts: starts the process, calls its operations, kills it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { within } from '../../harness/deadline.ts';

const ANSWERED_WITHIN_MS = 40_000;

interface Said {
  readonly ready?: true;
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: string;
  readonly log?: string;
  readonly uncaught?: string;
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

export interface IpcProcessParts {
  readonly role: 'plugin' | 'tool';
  readonly folder: string;
  readonly block: Readonly<Record<string, unknown>>;
}

export class IpcProcess {
  readonly lines: string[] = [];
  /** Uncaught rejections and exceptions. */
  readonly uncaught: string[] = [];
  /** Resolves when it has begun; rejects when it ends before. */
  readonly ready: Promise<unknown>;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #isReady = false;

  constructor({ role, folder, block }: IpcProcessParts) {
    const program = fileURLToPath(new URL('runtime-process.ts', import.meta.url));
    this.#child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', program, role, folder, JSON.stringify(block)],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
    // A process that was killed no longer hears: what was sent to it is lost, as it should be.
    this.#child.stdin?.on('error', () => {});
    this.#ended = once(this.#child, 'close');
    const ready = this.#answerTo(0);
    // A process that is killed before it has begun disappoints nobody.
    ready.catch(() => {});
    this.ready = ready;
    this.#child.once('close', () => {
      for (const { reject } of this.#waiting.values()) {
        reject(new Error(`The process ended before it answered; it said: ${this.lines.join(' | ')}`));
      }
      this.#waiting.clear();
    });
    if (this.#child.stdout) {
      createInterface({ input: this.#child.stdout }).on('line', (line) => {
        this.#hear(JSON.parse(line) as Said);
      });
    }
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Asks for an operation of the panel; rejects with its error, or when the process ends before it answers. */
  async ask(operation: string, input: unknown = {}): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = this.#answerTo(id);
    this.#child.stdin?.write(`${JSON.stringify({ id, operation, input })}\n`);
    return within(answer, ANSWERED_WITHIN_MS, () => `${operation} was not answered`);
  }

  /** Sends a signal, whatever its effect. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child.kill(signal);
  }

  /** Sends a signal and resolves when the process has ended. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.#child.kill(signal);
    await this.#ended;
  }

  async #answerTo(id: number): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, { resolve, reject });
    return promise;
  }

  #hear({ ready, id = ready === true ? 0 : -1, result, error, log, uncaught }: Said): void {
    this.#isReady ||= ready === true;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) {
      waiting?.resolve(result);
    } else {
      waiting?.reject(new Error(error));
    }
    if (log !== undefined) {
      this.lines.push(log);
    }
    if (uncaught !== undefined) {
      this.uncaught.push(uncaught);
    }
  }
}
