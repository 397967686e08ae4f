// Seeded chance: the same seed gives the same numbers on every machine, so that a run can be repeated byte for byte.

/** A stream of numbers that only looks random. Not for secrets. */
export interface RandomSource {
  /** A number from 0 up to, not including, 1. */
  next(): number;
  /** A whole number from `least` to `most`, both included. */
  integer(least: number, most: number): number;
  uuid(): string;
}

/** Rounds that sfc32's author names as enough to part similar seeds. */
const WARM_UP_ROUNDS = 15;

const UINT32 = 2 ** 32;

/** FNV-1a over the text's UTF-16 units, once for each of sfc32's state words. */
function hash(text: string, basis: number): number {
  let value = basis;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value | 0;
}

/** A generator of unsigned 32-bit numbers: sfc32 (Chris Doty-Humphrey, PractRand). */
function sfc32(seed: string): () => number {
  let a = hash(seed, 0x811c9dc5);
  let b = hash(seed, 0x9e3779b9);
  let c = hash(seed, 0x85ebca6b);
  let counter = 1;
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) {
    next();
  }
  return next;
}

/** The stream of one seed. Parts that must not disturb each other take seeds of their own, such as `${seed}/auth`. */
export function createRandom(seed: string): RandomSource {
  const word = sfc32(seed);
  const next = (): number => word() / UINT32;
  const hex = (): string => word().toString(16).padStart(8, '0');
  return {
    next,
    integer: (least, most) => least + Math.floor(next() * (most - least + 1)),
    uuid() {
      const [first, second, third, fourth] = [hex(), hex(), hex(), hex()];
      const variant = (8 + (Number.parseInt(third.slice(0, 1), 16) % 4)).toString(16);
      return `${first}-${second.slice(0, 4)}-4${second.slice(5)}-${variant}${third.slice(1, 4)}-${third.slice(4)}${fourth}`;
    },
  };
}
