// Copies a text that has to be asked for first, and shares it where the browser can.

/** False: the browser allows neither way, and the person has to copy by hand. Rejects as `ask` does. */
export async function copyAsked(ask: () => Promise<string>, near: Element | null): Promise<boolean> {
  const clipboard = window.isSecureContext && 'clipboard' in navigator ? navigator.clipboard : null;
  const asked = ask();
  if (clipboard !== null && 'ClipboardItem' in window) {
    try {
      // Safari takes a text that comes later in this form alone.
      const blob = asked.then((text) => new Blob([text], { type: 'text/plain' }));
      await clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
      return true;
    } catch {
      // What was asked for has failed, which is said below, or the clipboard is not allowed here.
    }
  }
  return copyPlainly(await asked, near);
}

/** Homebridge is often reached by plain http, where browsers have no clipboard. `near`: in a dialog, nothing outside can be chosen. */
function copyPlainly(text: string, near: Element | null): boolean {
  const place = document.createElement('textarea');
  place.value = text;
  place.className = 'unseen';
  place.readOnly = true;
  (near?.closest('dialog') ?? document.querySelector('.latchkey') ?? document.body).append(place);
  place.select();
  const isCopied = document.execCommand('copy');
  place.remove();
  return isCopied;
}

export const canShare = (): boolean => 'share' in navigator;

/** A person who turns back from sharing has not failed. Rejects where the browser refuses. */
export async function shareText(text: string): Promise<void> {
  try {
    await navigator.share({ text });
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) {
      throw error;
    }
  }
}
