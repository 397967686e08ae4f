// The log as the rooms see it: four levels, one line per thing that happened, never a secret.

/** Where lines go. The Homebridge shell, the command line and tests each hand in their own. */
export interface Log {
  debug(line: string): void;
  info(line: string): void;
  warn(line: string): void;
  error(line: string): void;
}

/** Discards every line. */
export const silentLog: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
};

/** Lines longer than this are cut (a choice: names from the cloud must not fill a screen). */
const LONGEST_TEXT = 200;

/** Foreign text made safe for one line of a log: no control characters, no escape sequences, of bounded length. */
export function oneLine(text: string): string {
  const printable = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
  return printable.length > LONGEST_TEXT ? `${printable.slice(0, LONGEST_TEXT - 1)}…` : printable;
}
