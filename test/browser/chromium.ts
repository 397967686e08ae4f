// Finds and starts the machine's Chromium; pages are tried in a real browser or not at all.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** The first has no window around the page, and opens one in a third of the time. */
const PROGRAMS = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];

/** As little of it as a page needs, and none of its calls home. */
const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // One process for all pages of a context: starting one takes longer than most tests.
  '--renderer-process-limit=1',
  '--disable-features=IsolateOrigins,site-per-process',
];

/** For tests, which ask what a page shows and never how fast it is. */
export const CHEAP: readonly string[] = [
  // What the browser's own processes say to each other costs more than what they do.
  '--in-process-gpu',
  '--enable-features=NetworkServiceInProcess2',
  // No page lives long enough to win back the time of a compiler that optimises it.
  '--js-flags=--no-opt,--no-maglev',
];

/** Path of the browser: what `CHROMIUM` names, or the first one there is; undefined without one. */
export const CHROMIUM = [
  process.env['CHROMIUM'] ?? '',
  ...(process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => PROGRAMS.map((program) => join(folder, program))),
].find((path) => path !== '' && existsSync(path));

/** `more`: further arguments, such as which address a name has. */
export async function launchChromium(more: readonly string[] = []): Promise<Browser> {
  if (CHROMIUM === undefined) {
    throw new Error('There is no Chromium');
  }
  // It notices by itself when this process is gone; a handler would keep a process of tests alive that is told to end.
  return chromium.launch({ executablePath: CHROMIUM, args: [...ARGS, ...more], handleSIGTERM: false });
}
