// The text of an answer: unpacked, decoded and bounded.
import { unpacked } from '../cloud/http/content-coding.ts';

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

/** UTF-8 unless the type names another charset that is known (RFC 5545, 8.1). A byte order mark is dropped. */
function decoded(content: Uint8Array, contentType = ''): string {
  const [, charset = 'utf-8'] = /;\s*charset="?([\w.:-]+)/i.exec(contentType) ?? [];
  try {
    return new TextDecoder(charset).decode(content);
  } catch {
    return new TextDecoder().decode(content);
  }
}
