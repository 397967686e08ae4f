// Keeps a reader's place while lines come in above it. Not every browser does so by itself.

/** Notes the place of the first line in view; the returned function moves the page so that it stands there again. */
export function placeKeeper(list: HTMLElement | null): () => void {
  if (list === null || window.scrollY === 0) {
    return () => undefined;
  }
  const line = [...list.querySelectorAll('li')].find((one) => one.getBoundingClientRect().bottom > 0);
  const before = line?.getBoundingClientRect().top ?? 0;
  return () => {
    if (line?.isConnected === true) {
      window.scrollBy(0, line.getBoundingClientRect().top - before);
    }
  };
}
