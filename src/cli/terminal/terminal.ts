// The terminal as seen by the commands: output, typed input and cancellation.
import { createInterface, type Interface } from 'node:readline';
import type { KeyCost } from '../../backup/sealed-file.ts';
import type { Clock } from '../../support/clock.ts';
import type { Log } from '../../support/log.ts';
import { jsonText } from './json-text.ts';

export interface OutputStreams {
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

export interface Terminal extends OutputStreams {
  /** The next typed or piped line; null at the end of the input. */
  readonly readLine: (signal: AbortSignal) => Promise<string | null>;
  /** Shows or hides typing; undefined without a terminal. */
  readonly showTyping?: (isShown: boolean) => void;
  /** The error stream is a terminal, where a line can be redrawn. */
  readonly isErrorTty?: boolean;
  /** Aborted on Ctrl-C or by the system. */
  readonly stopped: AbortSignal;
  /** Calls `listener` at SIGHUP, which without a terminal then does not stop the command. */
  readonly onHangUp?: (listener: () => void) => void;
  /** Aborted when the output can no longer be written; the reason is an error. */
  readonly unwritable: AbortSignal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly clock: Clock;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  /** What the key of a backup costs to derive; the usual when left out. */
  readonly keyCost?: KeyCost;
}

export interface OutputOptions {
  /** JSON instead of lines of text. */
  readonly json?: boolean;
  /** Prints only results and errors. */
  readonly quiet?: boolean;
}

/** Writes a command's output in the requested form. */
export class Output {
  readonly json: boolean;
  readonly #streams: OutputStreams;
  readonly #quiet: boolean;

  constructor(streams: OutputStreams, { json = false, quiet = false }: OutputOptions) {
    this.json = json;
    this.#streams = streams;
    this.#quiet = quiet || json;
  }

  /** The result: JSON, or lines of text. */
  answer(value: unknown, lines: readonly string[]): void {
    const said = this.json ? [jsonText(value)] : lines;
    this.#streams.print(said.map((line) => `${line}\n`).join(''));
  }

  done(line: string): void {
    if (!this.#quiet) {
      this.#streams.print(`${line}\n`);
    }
  }

  /** Progress, on the error stream. */
  progress(line: string): void {
    if (!this.#quiet) {
      this.#streams.printError(`${line}\n`);
    }
  }

  /** Essential output, such as an address to open. */
  prompt(line: string): void {
    this.#streams.printError(`${line}\n`);
  }

  error(line: string): void {
    this.#streams.printError(`${line}\n`);
  }

  /** Log of the modules while a command itself owns the account. */
  log(): Log {
    const report = (line: string): void => this.error(line);
    return {
      debug: () => {},
      info: (line) => this.progress(line),
      warn: report,
      error: report,
    };
  }
}

/**
 * Reads a stream line by line, so that typed secrets stay out of the process list and the shell's history. Early lines
 * are kept: a pasted address may break into several.
 */
export class TypedLines {
  readonly #stream: NodeJS.ReadableStream;
  readonly #lines: string[] = [];
  #reader: Interface | null = null;
  #ended = false;
  #wake = (): void => {};

  constructor(stream: NodeJS.ReadableStream) {
    this.#stream = stream;
  }

  /** The next line; null at the end of the stream, or on abort. */
  readonly next = async (signal: AbortSignal): Promise<string | null> => {
    const reader = (this.#reader ??= this.#read());
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = (): void => resolve();
    this.#wake = wake;
    signal.addEventListener('abort', wake, { once: true });
    if (this.#lines.length === 0 && !this.#ended && !signal.aborted) {
      reader.resume();
      await promise;
    }
    signal.removeEventListener('abort', wake);
    if (!this.#ended) {
      // An unread stream does not keep the process alive.
      reader.pause();
    }
    return signal.aborted ? null : (this.#lines.shift() ?? null);
  };

  #read(): Interface {
    const reader = createInterface({ input: this.#stream });
    reader.on('line', (line) => {
      this.#lines.push(line);
      this.#wake();
    });
    reader.on('close', () => {
      this.#ended = true;
      this.#wake();
    });
    return reader;
  }
}
