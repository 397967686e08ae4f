// Unpacks a compressed answer up to a size limit: compression is never asked for, yet some gateways use it.
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';

type Unpack = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Buffer;

/** Decoders by the word of `content-encoding` (RFC 9110, 8.4.1). Several codings in a row are left undecoded. */
const UNPACKS: ReadonlyMap<string, Unpack> = new Map<string, Unpack>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflate],
  ['br', brotliDecompressSync],
]);

/** The unpacked body; as it came when it is not in that coding; null beyond `maxBytes` (faults#74). */
export function unpacked(bytes: Buffer, coding: string | undefined, maxBytes: number): Buffer | null {
  const unpack = UNPACKS.get(coding?.trim().toLowerCase() ?? '');
  if (unpack === undefined || bytes.length === 0) {
    return bytes;
  }
  try {
    return unpack(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    const isTooLarge =
      error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    // The decoder of the body reports unreadable bytes.
    return isTooLarge ? null : bytes;
  }
}

/** Some servers leave out the frame that this coding has: its first byte would end in 8 (RFC 9110, 8.4.1.2). */
function inflate(bytes: Buffer, options: { readonly maxOutputLength: number }): Buffer {
  return ((bytes[0] ?? 0) & 0x0f) === 8 ? inflateSync(bytes, options) : inflateRawSync(bytes, options);
}
