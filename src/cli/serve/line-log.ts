// The log of a service: one line with its time and level, for a terminal, journald or a container.
import type { Log } from '../../support/log.ts';
import { inServiceWords } from '../../words/host.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `json`: one object a line, with `time`, `level` and `message`. */
export type LogFormat = 'text' | 'json';

export interface LineLogOptions {
  /** Writes debug lines, too. */
  readonly debug: boolean;
  readonly format: LogFormat;
}

/** Warnings and errors go to the error stream. */
export function lineLog(
  { print, printError, clock }: Pick<Terminal, 'print' | 'printError' | 'clock'>,
  { debug, format }: LineLogOptions,
): Log {
  const line = (level: string, text: string): string => {
    const time = new Date(clock.now()).toISOString();
    const message = inServiceWords(text);
    return `${format === 'json' ? JSON.stringify({ time, level, message }) : `${time} ${level} ${message}`}\n`;
  };
  return {
    debug: (text) => {
      if (debug) {
        print(line('debug', text));
      }
    },
    info: (text) => print(line('info', text)),
    warn: (text) => printError(line('warn', text)),
    error: (text) => printError(line('error', text)),
  };
}
