// Reads the sources for whatever could send a browser elsewhere: the one place that may is the way back from linking.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectText } from '../support/document-block.ts';

const root = join(import.meta.dirname, '..', '..');

/** A header, a reply's own way, or a page that goes on by itself. */
const SENDS_ON = /\.redirect\(|\blocation['"]?\s*:|setHeader\(\s*['"]location|http-equiv=['"]?refresh/iu;

it('nothing but the way back from linking sends a browser on, and that only to its own page (faults#58)', () => {
  // The simulator plays the service, whose authorize page has to send the browser back; `wire` reads what is sent to us.
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((path) => `src/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts') && !/^src\/(?:simulator|wire)\//u.test(path));
  expect(files.length).toBeGreaterThan(200);
  expect(files.filter((path) => SENDS_ON.test(projectText(path)))).toEqual(['src/setup/callback-page.ts']);
  const lines = projectText('src/setup/callback-page.ts').split('\n');
  expect(lines.filter((line) => SENDS_ON.test(line)).map((line) => line.trim())).toEqual([
    'headers: { ...HEADERS, location: `?${OUTCOME_MEMBER}=${outcome}` },',
  ]);
});
