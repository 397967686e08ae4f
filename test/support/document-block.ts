// A part of a document that is written by the code it describes: compared in every run, rewritten on request.
import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';

const ROOT = new URL('../../', import.meta.url);

/** The text of a file of the project, by its path from the root. */
export function projectText(path: string): string {
  return readFileSync(new URL(path, ROOT), 'utf8');
}

/**
 * Holds the block between `<!-- name -->` and `<!-- /name -->` against what it should say. `UPDATE_DOCS=1` writes it
 * instead. A document without the block fails.
 */
export function expectDocumentBlock(path: string, name: string, expected: string): void {
  const [opening, closing] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const text = projectText(path);
  const [from, to] = [text.indexOf(opening), text.indexOf(closing)];
  expect(from, `${path} has no ${opening}`).toBeGreaterThanOrEqual(0);
  expect(to, `${path} has no ${closing}`).toBeGreaterThan(from);
  if (process.env['UPDATE_DOCS'] === '1') {
    const updated = `${text.slice(0, from + opening.length)}\n\n${expected}\n\n${text.slice(to)}`;
    writeFileSync(new URL(path, ROOT), updated);
    return;
  }
  const block = text.slice(from + opening.length, to).trim();
  expect(block, `${path} is behind the code: run the test again with UPDATE_DOCS=1`).toBe(expected);
}
