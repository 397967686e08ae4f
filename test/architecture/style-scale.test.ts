// Every style sheet takes its spacing, type and corners from one scale, so that pages made at different times look alike.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const SCALE = 'web/shared/scale.css';

/** Properties whose lengths are on the scale. */
const HELD = /^(?:margin|padding|gap|row-gap|column-gap|font-size|border-radius)/u;
/** Relative to the text around it, or the smallest length there is. */
const FREE = /^(?:0|auto|inherit|50%|-?1px|-?[\d.]+em|!important)$/u;
const ON_SCALE = /var\(--(?:space|text|corner)-(?:2xs|xs|s|m|l|xl|[23]xl)\)/gu;

function offScale(css: string): string[] {
  return [...css.matchAll(/([\w-]+):([^;{}]+);/gu)]
    .map(([, property = '', value = '']) => ({ property, value: value.trim() }))
    .filter(({ property }) => HELD.test(property))
    .filter(({ value }) => {
      const rest = value.replaceAll(/calc\(-1 \* (var\([\w-]+\))\)/gu, '$1').replaceAll(ON_SCALE, '0');
      return !rest.split(/\s+/u).every((part) => FREE.test(part));
    })
    .map(({ property, value }) => `${property}: ${value}`);
}

const sheets = globSync('web/**/*.css', { cwd: root }).filter((path) => path !== SCALE);

test.each(sheets)('%s takes every space, size of text and corner from the scale', (path) => {
  expect(offScale(readFileSync(join(root, path), 'utf8'))).toEqual([]);
});

test('a length beside the scale is found', () => {
  expect(offScale('a { gap: 0.7rem; padding: var(--space-s) 3px; margin: 0 auto; }')).toEqual([
    'gap: 0.7rem',
    'padding: var(--space-s) 3px',
  ]);
});

test('every step that is used is on the scale', () => {
  const defined = new Set(readFileSync(join(root, SCALE), 'utf8').match(/--[\w-]+(?=:)/gu));
  const used = sheets.flatMap(
    (path) => readFileSync(join(root, path), 'utf8').match(/--(?:space|text|corner)-[\w-]+/gu) ?? [],
  );
  expect(used.filter((name) => !defined.has(name))).toEqual([]);
});
