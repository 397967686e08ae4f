// What time it is at the other end of the line, whose clock may be ahead of the browser's.
import { useEffect, useState } from 'preact/hooks';
import { browserNow, every } from './browser-clock.ts';

/** Milliseconds since the Unix epoch there, updated every `stepMs`; `aheadMs`: how far that clock is ahead of ours. */
export function useTimeThere(aheadMs: number, stepMs: number): number {
  const [, setNow] = useState(browserNow);
  useEffect(() => every(stepMs, () => setNow(browserNow())), [stepMs]);
  return browserNow() + aheadMs;
}
