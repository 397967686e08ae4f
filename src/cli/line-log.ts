// The log of a service: one line with its time and level, for a terminal, journald or a container.
import type { Log } from '../support/log.ts';
import type { Terminal } from './terminal.ts';

/** Warnings and errors go to the error stream. `debug`: writes debug lines, too. */
export function lineLog(
  { print, printError, clock }: Pick<Terminal, 'print' | 'printError' | 'clock'>,
  debug: boolean,
): Log {
  const line = (level: string, text: string): string =>
    `${new Date(clock.now()).toISOString()} ${level} ${text}\n`;
  return {
    debug: (text) => {
      if (debug) {
        print(line('debug', text));
      }
    },
    info: (text) => {
      print(line('info', text));
    },
    warn: (text) => {
      printError(line('warn', text));
    },
    error: (text) => {
      printError(line('error', text));
    },
  };
}
