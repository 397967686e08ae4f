// Handles failed writes of the output: a closed pipe, or an error such as a full disk.
import { type Message, message } from '../../domain/language/message.ts';
import { FinalError } from '../../support/errors.ts';
import { t } from '../../words/translate.ts';

/** The part of a stream used here. */
export interface Outlet {
  on(event: 'error', listener: (error: Error) => void): unknown;
}

export interface OutputTrouble {
  /** Aborted when the output can no longer be written; the reason is a final error. */
  readonly unwritable: AbortSignal;
}

const WORDS: Readonly<Record<string, Message>> = {
  ENOSPC: message('no space is left'),
  EDQUOT: message('no space is left for this user'),
  EFBIG: message('the file may not become larger'),
  EIO: message('the device failed'),
  EROFS: message('it may only be read'),
};

/**
 * Listens to both streams, because an unhandled `error` event would end the process. `readerGone`: the reader closed the
 * pipe, as in `latchkey watch | head -1`.
 */
export function watchOutput(out: Outlet, err: Outlet, readerGone: () => void): OutputTrouble {
  const trouble = new AbortController();
  out.on('error', (error) => {
    const code = 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
    if (code === 'EPIPE') {
      readerGone();
    } else {
      const what = t('The output could not be written: {why}.', { why: WORDS[code] ?? code });
      trouble.abort(new FinalError('refused', what, { cause: error }));
    }
  });
  // A failed error stream leaves nowhere to report: work continues, and the exit status gives the result.
  err.on('error', () => {});
  return { unwritable: trouble.signal };
}
