// The platform blocks that documents give to copy: each is one that the plugin starts with.
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config/read-config.ts';
import { projectText } from '../../support/document-block.ts';

const documents = [
  'README.md',
  ...readdirSync(new URL('../../../docs', import.meta.url))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** The whole blocks of config.json in a document; parts of one have no `platform`. */
function blocksIn(document: string): readonly Readonly<Record<string, unknown>>[] {
  return [...projectText(document).matchAll(/^( *)```json\n(.*?)^ *```/gms)]
    .map(([, , json = '']) => json)
    .filter((json) => json.includes('"platform": "Latchkey"'))
    .map((json) => JSON.parse(json) as Readonly<Record<string, unknown>>);
}

describe('a platform block to copy', () => {
  const blocks = documents.flatMap((document) =>
    blocksIn(document).map((block) => [document, block] as const),
  );

  it('is in the README and in the steps for a reviewer without an account', () => {
    const holding = blocks.map(([document]) => document);
    expect(holding).toEqual(expect.arrayContaining(['README.md', 'docs/store-review.md']));
  });

  it.each(blocks)('of %s is complete and valid', (_document, block) => {
    const reading = readConfig(block);
    expect(reading.ok ? [] : reading.problems).toEqual([]);
    expect(reading.ok && (reading.config.demo || reading.config.partner !== null)).toBe(true);
  });
});
