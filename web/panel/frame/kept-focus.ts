// Keeps the focus on the page: when the focused element disappears, the page's heading takes it, never the body.
import { useEffect } from 'preact/hooks';

export function useKeptFocus(): void {
  useEffect(() => {
    let last: Element | null = null;
    const note = (): void => {
      last = document.activeElement;
    };
    const observer = new MutationObserver(() => {
      if (last !== null && !last.isConnected && document.activeElement === document.body) {
        document.querySelector<HTMLElement>('main h2')?.focus({ preventScroll: true });
      }
    });
    document.addEventListener('focusin', note);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', note);
    };
  }, []);
}
