// Has the locks listed every few seconds while the page is looked at.
import { WATCH_EVERY_MS } from '../../src/panel/lock-watch.ts';
import { after } from '../shared/browser-clock.ts';
import type { StateStream } from './state-stream.ts';

/** While the page is looked at, the locks are listed every few seconds; a hidden page asks for nothing. */
export function watchWhileVisible(stream: StateStream): () => void {
  let isOver = false;
  let callOff = (): void => undefined;
  const later = (): void => {
    callOff = after(WATCH_EVERY_MS, () => void look());
  };
  const look = async (): Promise<void> => {
    if (document.visibilityState === 'visible') {
      await stream.watch();
    }
    if (!isOver) {
      later();
    }
  };
  later();
  return () => {
    isOver = true;
    callOff();
  };
}
