// Finds every line of the sources that could redirect a browser: only the OAuth callback may.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectText } from '../support/document-block.ts';

const root = join(import.meta.dirname, '..', '..');

/** The modules that answer browsers, and those that supply the answers. The simulator plays the service, which does redirect. */
const ANSWERING = /^src\/(?:app|linking|panel|support|ui-server|webhook)\//u;

/** A header, a reply's own way, or a page that goes on by itself. */
const SENDS_ON = /\.redirect\(|\blocation['"]?\s*:|setHeader\(\s*['"]location|http-equiv=['"]?refresh/iu;

it('only the OAuth callback redirects a browser, and only to its own page (faults#58)', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((path) => `src/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts') && ANSWERING.test(path));
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((path) => SENDS_ON.test(projectText(path)))).toEqual(['src/linking/callback-page.ts']);
  const lines = projectText('src/linking/callback-page.ts').split('\n');
  expect(lines.filter((line) => SENDS_ON.test(line)).map((line) => line.trim())).toEqual([
    'headers: { ...HEADERS, location: `?${OUTCOME_MEMBER}=${outcome}` },',
  ]);
});
