// The terminal as the commands see it: where to write, what was typed, and when to stop.
import { createInterface, type Interface } from 'node:readline';
import type { Clock } from '../support/clock.ts';
import type { Log } from '../support/log.ts';
import { jsonText } from './json-text.ts';

/** Where the command line writes. */
export interface OutputStreams {
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

export interface Terminal extends OutputStreams {
  /** The next line that is typed or piped in; null at the end of the input. */
  readonly readLine: (signal: AbortSignal) => Promise<string | null>;
  /** Whether what is typed is shown; left out where nobody types. */
  readonly showTyping?: (isShown: boolean) => void;
  /** The error stream is a terminal, on which a line can be drawn over itself. */
  readonly isErrorTty?: boolean;
  /** Aborted when the person, or the system, wants an end. */
  readonly stopped: AbortSignal;
  /** Aborted when what is printed can no longer be written; the reason is an error that says why. */
  readonly unwritable: AbortSignal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder of the person. */
  readonly home: string;
  readonly clock: Clock;
  /** A number from 0 up to 1. */
  readonly random: () => number;
}

/** What a command prints. */
export interface OutputOptions {
  /** Values for programs instead of lines for people. */
  readonly json?: boolean;
  /** Nothing but what was asked for, and what went wrong. */
  readonly quiet?: boolean;
}

/** Writes what a command says, in the form that was asked for. */
export class Output {
  readonly #streams: OutputStreams;
  readonly #json: boolean;
  readonly #quiet: boolean;

  constructor(streams: OutputStreams, { json = false, quiet = false }: OutputOptions) {
    this.#streams = streams;
    this.#json = json;
    this.#quiet = quiet;
  }

  get json(): boolean {
    return this.#json;
  }

  /** What was asked for: a value for programs, or lines for people. */
  answer(value: unknown, lines: readonly string[]): void {
    const said = this.#json ? [jsonText(value)] : lines;
    this.#streams.print(said.map((line) => `${line}\n`).join(''));
  }

  /** That it was done: worth a line unless quiet was asked for. */
  done(line: string): void {
    if (!this.#quiet && !this.#json) {
      this.#streams.print(`${line}\n`);
    }
  }

  /** How it goes, beside what was asked for. */
  progress(line: string): void {
    if (!this.#quiet && !this.#json) {
      this.#streams.printError(`${line}\n`);
    }
  }

  /** What a person has to see in any case, such as an address to open. */
  prompt(line: string): void {
    this.#streams.printError(`${line}\n`);
  }

  /** What went wrong. */
  error(line: string): void {
    this.#streams.printError(`${line}\n`);
  }

  /** Where the modules log while a command owns the account itself. */
  log(): Log {
    const report = (line: string): void => {
      this.error(line);
    };
    return {
      debug: () => {},
      info: (line) => {
        this.progress(line);
      },
      warn: report,
      error: report,
    };
  }
}

/**
 * Lines of a stream, one at a time, so that what is typed stays out of the list of processes and the shell's history.
 * What comes before it is asked for is kept, as of an address that breaks into several lines when it is pasted.
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

  /** The next line; null at the end of the stream, or when the signal comes first. */
  readonly next = async (signal: AbortSignal): Promise<string | null> => {
    const reader = (this.#reader ??= this.#read());
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = (): void => {
      resolve();
    };
    this.#wake = wake;
    signal.addEventListener('abort', wake, { once: true });
    if (this.#lines.length === 0 && !this.#ended && !signal.aborted) {
      reader.resume();
      await promise;
    }
    signal.removeEventListener('abort', wake);
    if (!this.#ended) {
      // A stream that is not read keeps no process alive.
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
