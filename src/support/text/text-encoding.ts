// Decodes a text file that a person or a spreadsheet wrote: UTF-8, or UTF-16 by its byte order mark.
import { message } from '../../domain/language/message.ts';
import { FinalError } from '../errors.ts';

const SAVE_AS = message('Save it as UTF-8; spreadsheets call that "{name}".', { name: 'CSV UTF-8' });

/** Throws a `FinalError` for another encoding, which names no content. */
export function decodeText(bytes: Uint8Array): string {
  const encoding = encodingOf(bytes);
  if (encoding === 'utf-8' && bytes.includes(0)) {
    throw new FinalError(
      'bad-request',
      message('The file is UTF-16 without its mark, or no text. {advice}', { advice: SAVE_AS }),
    );
  }
  try {
    // The byte order mark is left out.
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    const words = message('The file is no {encoding} text. {advice}', {
      encoding: encoding.toUpperCase(),
      advice: SAVE_AS,
    });
    throw new FinalError('bad-request', words, { cause: error });
  }
}

function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) {
    return 'utf-16le';
  }
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
