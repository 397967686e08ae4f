// Ids that were met one after the other and are forgotten together, held as fingerprints in one fixed piece of memory:
// however many come in a flood, nothing new is kept for any of them.
import { hash } from 'node:crypto';

/** What stands for an id: 62 bits of its SHA-256. That one of 10,000 others has the same is a chance of 1 in 10^14. */
export interface Fingerprint {
  readonly first: number;
  /** 30 bits: two are left for what is known of it. */
  readonly second: number;
}

export function fingerprintOf(id: string): Fingerprint {
  const digest = hash('sha256', id);
  return { first: wordAt(digest, 0), second: wordAt(digest, 8) >>> 2 };
}

function wordAt(digest: string, at: number): number {
  return Number.parseInt(digest.slice(at, at + 8), 16) | 0;
}

/** What is known of an id, in the two bits beside its fingerprint. No place that is taken reads 0. */
const TOLD = 1;
const KEPT = 2;
const KNOWN_BITS = 2;

export class SeenIds {
  /** Two words a place: the first half of a fingerprint, then the other with what is known. */
  readonly #words: Int32Array;
  readonly #places: number;
  #size = 0;

  /** `most`: so many ids are set at most. */
  constructor(most: number) {
    // A third of the places stays free at least, so that an id is found after few looks.
    this.#places = 2 ** Math.ceil(Math.log2(1.5 * most));
    this.#words = new Int32Array(2 * this.#places);
  }

  get size(): number {
    return this.#size;
  }

  /** Whether the event of that id is on the disk; null when the id is not held. */
  get(fingerprint: Fingerprint): boolean | null {
    const known = (this.#words[this.#placeOf(fingerprint) + 1] ?? 0) & (TOLD | KEPT);
    return known === 0 ? null : known === KEPT;
  }

  set(fingerprint: Fingerprint, kept: boolean): void {
    const place = this.#placeOf(fingerprint);
    if (this.#words[place + 1] === 0) {
      this.#size += 1;
    }
    this.#words[place] = fingerprint.first;
    this.#words[place + 1] = (fingerprint.second << KNOWN_BITS) | (kept ? KEPT : TOLD);
  }

  clear(): void {
    this.#words.fill(0);
    this.#size = 0;
  }

  /** Where it stands, or else the free place for it: the next one when others stand where it belongs. */
  #placeOf({ first, second }: Fingerprint): number {
    const lastPlace = this.#places - 1;
    for (let place = first & lastPlace; ; place = (place + 1) & lastPlace) {
      const other = this.#words[2 * place + 1] ?? 0;
      if (other === 0 || (this.#words[2 * place] === first && other >>> KNOWN_BITS === second)) {
        return 2 * place;
      }
    }
  }
}
