// Converts the service's texts for Matter: bounded in bytes, printable, never empty.

/** Limits of Bridged Device Basic Information, in bytes of UTF-8. */
const LONGEST_NAME_BYTES = 32;
const LONGEST_VERSION_BYTES = 64;

const NAMELESS = 'Lock';
const VERSION_UNKNOWN = '0.0.0';

/** A name or model of at most 32 characters and bytes: Homebridge does not register an accessory with a longer name. */
export function matterName(text: string): string {
  return shortened(text, LONGEST_NAME_BYTES) || NAMELESS;
}

/** The serial number, or `otherwise` when the service gave none. */
export function matterSerial(text: string, otherwise: string): string {
  return shortened(text, LONGEST_NAME_BYTES) || shortened(otherwise.replaceAll('-', ''), LONGEST_NAME_BYTES);
}

export function matterVersion(text: string): string {
  return shortened(text, LONGEST_VERSION_BYTES) || VERSION_UNKNOWN;
}

/** One line, cut to that many bytes without splitting a character. */
function shortened(text: string, mostBytes: number): string {
  const line = text.replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  let kept = '';
  let bytes = 0;
  for (const character of line) {
    bytes += Buffer.byteLength(character);
    if (bytes > mostBytes) {
      break;
    }
    kept += character;
  }
  return kept.trim();
}
