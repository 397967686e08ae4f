// The text of an answer: unpacked, decoded and bounded.
import { unpacked } from '../../../cloud/http/content-coding.ts';

export interface CalendarBody {
  /** Its memory is its own, so that it can be handed to a thread. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentEncoding: string | undefined;
  readonly contentType: string | undefined;
}

/** The largest calendar that is read, on the wire and unpacked. A year of bookings takes 0.1 MB (faults#74). */
export const LARGEST_CALENDAR_BYTES = 10 * 1024 * 1024;

/** The unpacked text; null when it is larger than the limit. */
export function textOf({ bytes, contentEncoding, contentType }: CalendarBody): string | null {
  const content = unpacked(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    contentEncoding,
    LARGEST_CALENDAR_BYTES,
  );
  return content === null ? null : decoded(content, contentType);
}

/** A byte order mark, the charset that the type names, UTF-8, or else what office programs of the West write. */
function decoded(content: Uint8Array, contentType = ''): string {
  const [, named] = /;\s*charset="?([\w.:-]+)/i.exec(contentType) ?? [];
  const charset = charsetIn(content) ?? named ?? 'utf-8';
  try {
    return new TextDecoder(charset, { fatal: true }).decode(content);
  } catch {
    return new TextDecoder(isUtf8(content) ? 'utf-8' : 'windows-1252').decode(content);
  }
}

function isUtf8(content: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(content);
    return true;
  } catch {
    return false;
  }
}

/** A calendar begins with letters of one byte each: where every other byte is zero, it is UTF-16. */
function charsetIn([first = 0, second = 0]: Uint8Array): string | null {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) {
    return 'utf-16le';
  }
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== 0) ? 'utf-16be' : null;
}
