// Shows the progress of an import: redrawn in place on a terminal, occasional lines in a file.

import type { OutputOptions, Terminal } from '../../../cli/terminal/terminal.ts';
import type { ImportProgress } from '../import/import-progress.ts';
import { progressLine } from './lines.ts';

/** Clears the line that the cursor is in (ECMA-48, EL). */
const CLEAR_LINE = '\r\u001B[2K';

/** In a file, this share of progress is worth a line. */
const SHARE_PER_LINE = 0.1;

export class ProgressBar {
  readonly #print: (text: string) => void;
  readonly #isDrawn: boolean;
  readonly #isSilent: boolean;
  #lastShare = 0;
  #isWaiting = false;

  constructor(terminal: Terminal, { json = false, quiet = false }: OutputOptions) {
    this.#print = terminal.printError;
    this.#isDrawn = terminal.isErrorTty === true;
    this.#isSilent = json || quiet;
  }

  show(progress: ImportProgress): void {
    if (this.#isSilent) {
      return;
    }
    if (this.#isDrawn) {
      this.#print(`${CLEAR_LINE}${progressLine(progress)}`);
      return;
    }
    const share = progress.total === 0 ? 1 : progress.done / progress.total;
    const beginsToWait = progress.wait !== null && !this.#isWaiting;
    if (beginsToWait || share - this.#lastShare >= SHARE_PER_LINE) {
      this.#lastShare = share;
      this.#print(`${progressLine(progress)}\n`);
    }
    this.#isWaiting = progress.wait !== null;
  }

  clear(): void {
    if (this.#isDrawn && !this.#isSilent) {
      this.#print(CLEAR_LINE);
    }
  }
}
