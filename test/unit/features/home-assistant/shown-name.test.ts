// Names as programs at a broker show them: one readable line of at most 64 characters.
import { describe, expect, it } from 'vitest';
import { shownName } from '../../../../src/features/home-assistant/broker/shown-name.ts';

describe('a name at a broker', () => {
  it.each([
    ['is kept as it is', 'Front door', 'Front door'],
    ['has no control characters', 'Front\u0000\u001b[31m\ndoor', 'Front [31m door'],
    ['has no direction marks', '\u202eFront\u2066 door\u200f', 'Front door'],
    ['has no half characters', 'Front \ud83ddoor', 'Front door'],
    ['is one line without blanks around it', '  Front \t\r\n door  ', 'Front door'],
    ['has 64 characters at most', 'F'.repeat(65), 'F'.repeat(64)],
    ['is not cut within a character', '🚪'.repeat(65), '🚪'.repeat(64)],
    ['is not empty', '', 'Lock'],
    ['is not invisible', '\u200b\u202e \u0007', 'Lock'],
    ['is not hidden behind invisible characters', `${'\u200b'.repeat(100)}Front door`, 'Front door'],
  ])('%s', (_what, text, shown) => {
    expect(shownName(text, 'Lock')).toBe(shown);
  });
});
