// relay/README.md shows every answer of the relay.
import { describe, expect, it } from 'vitest';
import { projectText } from '../../../test/support/document-block.ts';
import { RELAY_STATUSES } from '../../src/relay-answers.ts';

const text = projectText('relay/README.md');

describe('relay/README.md', () => {
  it('names every answer beside its status', () => {
    const rows = text.split('\n').filter((line) => /^\| \d{3}/u.test(line));
    const missing = Object.entries(RELAY_STATUSES).filter(
      ([answer, status]) =>
        status !== 204 &&
        !rows.some(
          (row) => row.split('|')[1]?.includes(String(status)) === true && row.includes(`\`${answer}\``),
        ),
    );
    expect(missing).toEqual([]);
  });
});
