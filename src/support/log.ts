// The log interface of all modules: four levels, one line per event, never a secret.

export interface Log {
  debug(line: string): void;
  info(line: string): void;
  warn(line: string): void;
  error(line: string): void;
  /** `info` for a sentence that is composed only where it is written; missing where every line is. */
  readonly news?: (compose: () => string) => void;
}

export const silentLog: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
};

/** Longer lines are cut, in characters (our choice: names from the cloud must not fill a screen). */
const LONGEST_TEXT = 200;

/** Makes foreign text safe for one log line: no control characters, no escape sequences, of bounded length. */
export function oneLine(text: string): string {
  const printable = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
  return printable.length > LONGEST_TEXT
    ? `${printable.slice(0, LONGEST_TEXT - 1).toWellFormed()}…`
    : printable;
}
