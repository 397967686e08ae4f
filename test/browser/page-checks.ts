// Checks that run inside a page: the needs of a person with a keyboard, a screen reader or weak eyes. Each function is
// sent to the page as it stands, so it uses nothing from outside itself.

/** One line for each control without a name, and for each name that does not hold the text one sees. */
export function unnamedControls(): string[] {
  const textOf = (element: Element): string => (element.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
  const controls = document.querySelectorAll<HTMLElement>('button, a, input, select, textarea, summary');
  return [...controls].flatMap((control) => {
    const labels = 'labels' in control && control.labels instanceof NodeList ? [...control.labels] : [];
    const label = labels.map((one) => (one instanceof Element ? textOf(one) : '')).join(' ');
    const said = control.getAttribute('aria-label') ?? '';
    const seen = control.matches('button, a, summary') ? textOf(control) : label;
    if (`${said}${seen}`.trim() === '') {
      return [`no name: ${control.outerHTML}`];
    }
    const isSpoken = said === '' || said.toLowerCase().includes(seen.toLowerCase());
    return isSpoken ? [] : [`"${said}" does not say "${seen}"`];
  });
}

/** Ids that stand twice, references to nobody, positive tab indexes, headings that skip a level, inline code. */
export function structureFaults(): string[] {
  const faults: string[] = [];
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
  faults.push(...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `twice: #${id}`));
  for (const attribute of ['for', 'aria-labelledby', 'aria-describedby']) {
    for (const element of document.querySelectorAll(`[${attribute}]`)) {
      const id = element.getAttribute(attribute) ?? '';
      if (document.getElementById(id) === null) {
        faults.push(`${attribute} names nobody: ${id}`);
      }
    }
  }
  for (const element of document.querySelectorAll<HTMLElement>('[tabindex]')) {
    if (element.tabIndex > 0) {
      faults.push(`tabindex ${String(element.tabIndex)}`);
    }
  }
  let before = 0;
  for (const heading of document.querySelectorAll('h1, h2, h3, h4')) {
    const level = Number(heading.tagName.slice(1));
    // Cards stand in a labelled section of their own beside the parts.
    if (level > before + 2) {
      faults.push(`${heading.tagName} after level ${String(before)}`);
    }
    before = level;
  }
  if (document.querySelectorAll('h1').length !== 1 || document.querySelectorAll('main').length !== 1) {
    faults.push('not exactly one h1 and one main');
  }
  if (document.documentElement.lang === '') {
    faults.push('no language');
  }
  if (document.querySelector('script:not([src]), style, [style], [onclick]') !== null) {
    faults.push('inline code or style');
  }
  return faults;
}

/** Texts whose contrast with what lies behind them is below 4.5 to 1 (WCAG 2.2, 1.4.3). */
export function paleTexts(): string[] {
  const channels = (color: string): number[] => (color.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (color: string): number => {
    const [red = 0, green = 0, blue = 0] = channels(color).map((channel) => {
      const part = channel / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = (element: Element): string => {
    const { backgroundColor } = getComputedStyle(element);
    const isClear = channels(backgroundColor)[3] === 0;
    return isClear && element.parentElement !== null ? behind(element.parentElement) : backgroundColor;
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const pale = new Set<string>();
  while (walker.nextNode() !== null) {
    const element = walker.currentNode.parentElement;
    const text = walker.currentNode.textContent?.trim() ?? '';
    if (element === null || text === '' || !element.checkVisibility()) {
      continue;
    }
    const [front, back] = [luminance(getComputedStyle(element).color), luminance(behind(element))];
    const ratio = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
    if (ratio < 4.5) {
      pale.add(`${text}: ${ratio.toFixed(2)}`);
    }
  }
  return [...pale];
}

/** Things to push that are smaller than 24 by 24 pixels (WCAG 2.2, 2.5.8). */
export function smallTargets(): string[] {
  return [...document.querySelectorAll('button, select, input:not([type=checkbox]), summary')]
    .filter((element) => element.checkVisibility())
    .flatMap((element) => {
      const { width, height } = element.getBoundingClientRect();
      return width < 24 || height < 24 ? [element.outerHTML] : [];
    });
}

/** How many pixels of the page lie beyond the screen's edge. */
export function overflowPixels(): number {
  return document.documentElement.scrollWidth - window.innerWidth;
}

/** Texts that are pressed into a narrow column, a few letters in each of many lines. */
export function squeezedTexts(): string[] {
  const fewLetters = 6;
  const manyLines = 4;
  return [...document.querySelectorAll('p, h3, h4, li, dd, legend, button')]
    .filter((element) => element.checkVisibility() && element.closest('table, .unseen') === null)
    .flatMap((element) => {
      const { width, height } = element.getBoundingClientRect();
      const size = Number.parseFloat(getComputedStyle(element).fontSize);
      return width < fewLetters * size && height > manyLines * size * 1.3
        ? [(element.textContent ?? '').trim()]
        : [];
    })
    .filter((text) => text !== '');
}
