// Holds every link into the project to a file and a heading that exist: in documents, forms, languages and source.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';
import { projectText } from '../support/document-block.ts';

const root = join(import.meta.dirname, '..', '..');
const PROJECT = 'https://github.com/homebridge-latchkey/homebridge-latchkey';

/** The code host's own place on the home page. */
const HOME_PAGE = 'readme';

const PLACES = ['.', '.github', 'deploy', 'docs', 'languages', 'src', 'web', 'relay', 'simulator', 'scripts'];
const READ = /\.(?:md|json|tsx?|ya?ml|html|service)$/;
const NOT_OURS = /(?:^|\/)(?:node_modules|dist)\/|^package-lock\.json$/;

const files = PLACES.filter((place) => existsSync(join(root, place)))
  .flatMap((place) =>
    readdirSync(join(root, place), { recursive: place !== '.', encoding: 'utf8' }).map((name) =>
      join(place, name),
    ),
  )
  .filter((path) => READ.test(path) && !NOT_OURS.test(path) && statSync(join(root, path)).isFile());

/** The anchors of a document, as the code host makes them from its headings. */
function anchorsOf(path: string): ReadonlySet<string> {
  const text = projectText(path).replaceAll(/^```[^]*?^```/gm, '');
  const seen = new Map<string, number>();
  const slugs = [...text.matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading = '']) => {
    const slug = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-');
    const before = seen.get(slug) ?? 0;
    seen.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${String(before)}`;
  });
  return new Set(slugs);
}

/** Links of a text into the project, as a path from its root and an anchor. */
function linksIn(path: string): readonly (readonly [path: string, anchor: string])[] {
  const text = projectText(path).replaceAll(/^```[^]*?^```/gm, '');
  const absolute = [
    ...text.matchAll(
      new RegExp(`${PROJECT}(?:/(?:blob|tree)/main/([\\w./-]+\\w))?(?:#([\\w-]+))?(?=[)\\s"'\`]|$)`, 'g'),
    ),
  ].map(([, file = 'README.md', anchor = '']) => [file, anchor] as const);
  const relative = path.endsWith('.md')
    ? [...text.matchAll(/\]\((?!https?:|mailto:)([\w./-]*)(?:#([\w-]+))?\)/g)].map(
        ([, file = '', anchor = '']) =>
          [file === '' ? path : normalize(join(dirname(path), file)), anchor] as const,
      )
    : [];
  return [...absolute, ...relative];
}

it('every link into the project leads to a file, and to a heading of it where it names one', () => {
  const links = files.flatMap((path) => linksIn(path).map(([to, anchor]) => ({ path, to, anchor })));
  expect(links.length).toBeGreaterThan(250);
  const broken = links.filter(
    ({ to, anchor }) =>
      !existsSync(join(root, to)) ||
      (anchor !== '' && to.endsWith('.md') && !anchorsOf(to).has(anchor) && anchor !== HOME_PAGE),
  );
  expect(broken).toEqual([]);
});
