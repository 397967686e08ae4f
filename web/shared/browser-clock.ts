// The one place of the pages that knows what time it is and can wait: a page has no other clock than its browser's.

/** Milliseconds since the Unix epoch, on the browser's clock. */
export function browserNow(): number {
  return new Date().getTime();
}

/** Calls back after this many milliseconds; the returned function cancels it. */
export function after(ms: number, run: () => void): () => void {
  // oxlint-disable-next-line no-restricted-globals -- the browser's own
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

/** Calls back every so many milliseconds until the returned function ends it. */
export function every(ms: number, run: () => void): () => void {
  // oxlint-disable-next-line no-restricted-globals -- the browser's own
  const timer = setInterval(run, ms);
  return () => clearInterval(timer);
}
