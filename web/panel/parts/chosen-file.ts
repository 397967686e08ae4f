// The text of a file that was chosen on a page.
import { FinalError } from '../../../src/support/errors.ts';
import { decodeText } from '../../../src/support/text/text-encoding.ts';
import { CallError } from '../state/transport.ts';

/** Rejects with a `CallError` for an unknown encoding, of which the browser's own reading would make noise. */
export async function textOf(file: File): Promise<string> {
  try {
    return decodeText(new Uint8Array(await file.arrayBuffer()));
  } catch (error) {
    throw error instanceof FinalError ? new CallError(error) : error;
  }
}
