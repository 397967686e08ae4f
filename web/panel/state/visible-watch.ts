// Has the locks listed every few seconds while the page is looked at.
import { WATCH_EVERY_MS } from '../../../src/panel/lock-watch.ts';
import { after } from '../../shared/browser-clock.ts';
import type { StateStream } from './state-stream.ts';

/** While the page is looked at, the locks are listed every few seconds; a hidden page asks for nothing. */
export function watchWhileVisible(stream: StateStream): () => void {
  let isOver = false;
  let callOff = (): void => undefined;
  const later = (ms: number): void => {
    callOff = after(ms, () => void look());
  };
  const look = async (): Promise<void> => {
    const nextMs = document.visibilityState === 'visible' ? await stream.watch() : WATCH_EVERY_MS;
    if (!isOver) {
      later(nextMs);
    }
  };
  later(WATCH_EVERY_MS);
  return () => {
    isOver = true;
    callOff();
  };
}
