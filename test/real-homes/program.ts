// A real program in the background: started, listened to line by line, ended.
import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createInterface } from 'node:readline';
import { within } from '../harness/deadline.ts';

const STOPPED_WITHIN_MS = 20_000;

export class Program {
  readonly lines: string[] = [];
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #emitter = new EventEmitter<{ line: [string] }>();

  constructor(path: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    this.#child = spawn(path, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...environment, PYTHONUNBUFFERED: '1', NO_COLOR: '1' },
    });
    this.#ended = once(this.#child, 'exit');
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (stream !== null) {
        createInterface({ input: stream }).on('line', (line) => {
          this.lines.push(line);
          this.#emitter.emit('line', line);
        });
      }
    }
  }

  /** Resolves with the first line, past or to come, that matches; rejects when the program ends before. */
  async line(pattern: RegExp, withinMs: number): Promise<string> {
    const known = this.lines.find((line) => pattern.test(line));
    if (known !== undefined) {
      return known;
    }
    const { promise, resolve } = Promise.withResolvers<string>();
    const look = (line: string): void => {
      if (pattern.test(line)) {
        resolve(line);
      }
    };
    this.#emitter.on('line', look);
    const missing = (): string => `no line ${String(pattern)} in:\n${this.lines.join('\n')}`;
    const ended = this.#ended.then(() => {
      throw new Error(`The program ended, and ${missing()}`);
    });
    return within(Promise.race([promise, ended]), withinMs, missing).finally(() => {
      this.#emitter.off('line', look);
    });
  }

  onLine(listener: (line: string) => void): void {
    this.#emitter.on('line', listener);
  }

  write(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  /** Asks it to end, and makes it end if it does not. */
  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    await within(this.#ended, STOPPED_WITHIN_MS, () => 'The program did not stop').catch(() => undefined);
    await this.kill();
  }

  /** Ends it as a power cut would. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }
}
