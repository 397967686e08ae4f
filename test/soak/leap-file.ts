// What two processes of a soak share about time: how far their clocks have leapt, and how far they may leap now.
import { readSync, writeSync } from 'node:fs';

/** The variable that names the file. */
export const LEAP_FILE = 'LATCHKEY_SOAK_LEAPS';

/** Nobody may leap. */
export const STAY = 0;

const LEAPT_AT = 0;
const LIMIT_AT = 8;
const bytes = new Float64Array(1);

/** Two numbers in a file that is open: what each of them is changed by is one process alone, so that no write is lost. */
export class LeapFile {
  readonly #file: number;

  constructor(file: number) {
    this.#file = file;
  }

  /** How far the clocks are ahead of the true ones, in milliseconds. Only the home writes it. */
  get leaptMs(): number {
    return this.#read(LEAPT_AT);
  }

  set leaptMs(value: number) {
    this.#write(LEAPT_AT, value);
  }

  /** To which instant (epoch milliseconds, leaps included) the home may leap while it rests. Only the driver writes it. */
  get limitAt(): number {
    return this.#read(LIMIT_AT);
  }

  set limitAt(value: number) {
    this.#write(LIMIT_AT, value);
  }

  #read(position: number): number {
    const length = readSync(this.#file, bytes, 0, bytes.byteLength, position);
    return length === bytes.byteLength ? (bytes[0] ?? 0) : 0;
  }

  #write(position: number, value: number): void {
    bytes[0] = value;
    writeSync(this.#file, bytes, 0, bytes.byteLength, position);
  }
}
