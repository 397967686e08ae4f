// Unknown words in the log: each once, twenty of them at most, on one line each.
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/support/log.ts';
import { UnknownWords } from '../../../src/support/text/unknown-words.ts';

describe('unknown words', () => {
  it('are named once each, up to the twentieth', () => {
    const lines: string[] = [];
    const words = new UnknownWords({ ...silentLog, warn: (line) => lines.push(line) }, 'Not known');
    const all = Array.from({ length: 21 }, (_, index) => `word ${String(index + 1)}`);
    for (const word of all) {
      words.name([word, word]);
    }
    words.name(all);
    expect(lines).toEqual(all.slice(0, 20).map((word) => `Not known: ${word}`));
  });

  it('cannot begin a line of their own', () => {
    const lines: string[] = [];
    new UnknownWords({ ...silentLog, warn: (line) => lines.push(line) }, 'Not known').name(['a\nb']);
    expect(lines).toEqual(['Not known: a b']);
  });
});
