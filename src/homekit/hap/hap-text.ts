// Turns texts of the service into a form that HomeKit accepts: names, firmware versions, models and serial numbers.

/**
 * HAP's limit of a string, counted in bytes: the strictest of the ways in use, so that a name is never cut or refused elsewhere.
 * Apple's accessory kit counts bytes, HAP-NodeJS UTF-16 units, and aiohomekit characters.
 */
const LONGEST_BYTES = 64;

/** No more of a text is read, in UTF-16 units: work stays bounded, and 64 bytes never need more in practice (our choice). */
export const READ_AT_MOST = 512;

/** The name of a lock without a single character that can be shown. */
const NAMELESS = 'Lock';

/** Joiners, direction marks and other invisible characters. A non-joiner separates words, so it becomes a space. */
const INVISIBLE = /(?!\u200C)\p{Cf}+/gu;

/** Accents that belong to no script of their own, and variation selectors. Those of a common letter are composed into it before. */
const LOOSE_ACCENTS =
  /[\u0300-\u036F]|[\u1AB0-\u1AFF]|[\u1DC0-\u1DFF]|[\u20D0-\u20FF]|[\uFE00-\uFE0F]|[\uFE20-\uFE2F]|[\u{E0100}-\u{E01EF}]/gu;

/** HomeKit accepts letters, digits, spaces and common punctuation. Marks are the vowels of Indic, Thai, Hebrew and Arabic letters. */
const NOT_IN_NAMES = /[^\p{L}\p{N}\p{M}\p{Zs}’'&!._:;()/,-]+/gu;

/** Marks without a letter, and more of them than any language puts on one. */
const STRAY_MARKS = /(?<![\p{L}\p{N}\p{M}])\p{M}+|(?<=\p{M}{3})\p{M}+/gu;

/** A name starts with a letter or digit and ends with one or its marks. */
const FROM_LETTER_TO_LETTER = /[\p{L}\p{N}](?:.*[\p{L}\p{N}\p{M}])?/su;

/** A name that HomeKit accepts, as close to the given one as possible. HomeKit rejects names of one character. */
export function hapName(text: string): string {
  const name = trimEdges(cut(readable(text), LONGEST_BYTES));
  switch (Array.from(name).length) {
    case 0:
      return NAMELESS;
    case 1:
      return `${NAMELESS} ${name}`;
    default:
      return name;
  }
}

/** As `hapName` of `name`, a space and `end`; where that is too long, `name` is cut first. */
export function hapNameEnding(name: string, end: string): string {
  const whole = cut(readable(end), LONGEST_BYTES);
  const start = trimEdges(cut(readable(name), LONGEST_BYTES - Buffer.byteLength(` ${whole}`)));
  return hapName(`${start} ${whole}`);
}

/** Only characters that a name may contain, with single spaces and letters at both ends. */
function readable(text: string): string {
  const composed = text.slice(0, READ_AT_MOST).replaceAll(INVISIBLE, '').normalize('NFC');
  // The remaining characters can compose anew.
  const plain = composed.replaceAll(LOOSE_ACCENTS, '').normalize('NFC').replaceAll(NOT_IN_NAMES, ' ');
  return trimEdges(plain.replaceAll(STRAY_MARKS, '').replaceAll(/\p{Zs}+/gu, ' '));
}

function trimEdges(text: string): string {
  return FROM_LETTER_TO_LETTER.exec(text)?.[0] ?? '';
}

/** At most that many bytes of UTF-8; a letter stays with its marks or goes with them. */
function cut(text: string, mostBytes: number): string {
  let bytes = 0;
  let at = 0;
  let letterAt = 0;
  for (const character of text) {
    if (!/\p{M}/u.test(character)) {
      letterAt = at;
    }
    bytes += Buffer.byteLength(character);
    if (bytes > mostBytes) {
      return text.slice(0, letterAt);
    }
    at += character.length;
  }
  return text;
}

/** HAP accepts up to three numbers with dots between, each below 2^32. */
const LARGEST_VERSION_PART = 2 ** 32 - 1;

/** The first version number within the text, or null when there is none. */
export function hapFirmware(text: string): string | null {
  const [version] = /\d+(?:\.\d+){0,2}/.exec(text.slice(0, READ_AT_MOST)) ?? [];
  if (version === undefined) {
    return null;
  }
  return version
    .split('.')
    .map((part) => Math.min(Number(part), LARGEST_VERSION_PART))
    .join('.');
}

/** A model or serial number on one line, or null when too little is left: HomeKit rejects single characters. */
export function hapText(text: string): string | null {
  const line = text.slice(0, READ_AT_MOST).replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ');
  const printable = cut(line.trim(), LONGEST_BYTES).trim();
  return printable.length > 1 ? printable : null;
}
