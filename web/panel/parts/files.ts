// Files of the reader: the text of a chosen one, and one to be saved.
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

/** Hands it to the browser, which saves it under that name. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
