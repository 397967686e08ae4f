// What becomes of the program's words when nobody reads them any more, or they cannot be written: on a full disk, for one.
import { FinalError } from '../support/errors.ts';

/** As much of a stream as is listened to. */
export interface Outlet {
  on(event: 'error', listener: (error: Error) => void): unknown;
}

export interface OutputTrouble {
  /** Aborted when what is asked for can no longer be written; the reason is a final error that says why. */
  readonly unwritable: AbortSignal;
}

/** Why a device takes no more, by the system's code. */
const WORDS: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left',
  EDQUOT: 'no space is left for this user',
  EFBIG: 'the file may not become larger',
  EIO: 'the device failed',
  EROFS: 'it may only be read',
};

/**
 * Listens to both streams, because an error that nobody hears would end the process in the middle of its work.
 * `nobodyListens`: whoever read what is printed has read enough, as in `latchkey watch | head -1`.
 */
export function watchOutput(out: Outlet, err: Outlet, nobodyListens: () => void): OutputTrouble {
  const trouble = new AbortController();
  out.on('error', (error) => {
    const code = 'code' in error && typeof error.code === 'string' ? error.code : 'unknown';
    if (code === 'EPIPE') {
      nobodyListens();
    } else {
      const message = `The output could not be written: ${WORDS[code] ?? code}.`;
      trouble.abort(new FinalError('refused', message, { cause: error }));
    }
  });
  // Whatever cannot be said there cannot be said anywhere: the work goes on, and the status tells how it ended.
  err.on('error', () => {});
  return { unwritable: trouble.signal };
}
