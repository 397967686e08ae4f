// Texts of the service in a form that HomeKit takes: names, firmware versions, models and serial numbers.

/** HAP's own limit of a string, counted here in bytes, the stricter of the ways to count it. */
const LONGEST_BYTES = 64;

/** What a lock is called when nothing of its name can be shown. */
const NAMELESS = 'Lock';

/** Everything that HomeKit refuses inside a name: it takes letters, digits, spaces and common punctuation. */
const NOT_IN_NAMES = /[^\p{L}\p{N}\p{Zs}’'&!._:;()/,-]+/gu;

/** A name must begin and end with a letter or a digit. */
const NOT_AT_EDGES = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;

/** Accents that no single letter carries: dropped, since a space in their place would split the word. */
const LONE_MARKS = /\p{M}+/gu;

/** A name that HomeKit accepts, as close to the given one as it allows. HomeKit also refuses names of one character. */
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

/** As `hapName` of `name`, a space and `end`. Where that is too long the name is cut and the end stays, as far as it fits by itself. */
export function hapNameEnding(name: string, end: string): string {
  const whole = cut(readable(end), LONGEST_BYTES);
  const start = trimEdges(cut(readable(name), LONGEST_BYTES - utf8Length(` ${whole}`)));
  return hapName(`${start} ${whole}`);
}

/** Only what a name may hold, single spaces between its words, and edges that HomeKit takes. */
function readable(text: string): string {
  const plain = text.normalize('NFC').replaceAll(LONE_MARKS, '').replaceAll(NOT_IN_NAMES, ' ');
  return trimEdges(plain.replaceAll(/\p{Zs}+/gu, ' '));
}

function trimEdges(text: string): string {
  return text.replaceAll(NOT_AT_EDGES, '');
}

/** Cut to that many bytes of UTF-8, never inside a character. */
function cut(text: string, mostBytes: number): string {
  let bytes = 0;
  let kept = '';
  for (const character of text) {
    bytes += utf8Length(character);
    if (bytes > mostBytes) {
      break;
    }
    kept += character;
  }
  return kept;
}

function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_00_00 ? 3 : 4;
  }
  return bytes;
}

/** HAP wants up to three numbers with dots between, each below 2^32. */
const LARGEST_VERSION_PART = 2 ** 32 - 1;

/** The first version number within the text, or null when there is none. */
export function hapFirmware(text: string): string | null {
  const [version] = /\d+(?:\.\d+){0,2}/.exec(text) ?? [];
  if (version === undefined) {
    return null;
  }
  return version
    .split('.')
    .map((part) => Math.min(Number(part), LARGEST_VERSION_PART))
    .join('.');
}

/** A model or serial number on one line, or null when too little of it is left: HomeKit refuses single characters. */
export function hapText(text: string): string | null {
  const printable = cut(text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim(), LONGEST_BYTES).trim();
  return printable.length > 1 ? printable : null;
}
