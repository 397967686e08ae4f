// Topics from names that people chose.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AccountTopics, topicLevel } from '../../../src/home-assistant/topics.ts';

describe('a level of a topic', () => {
  it.each([
    ['Latchkey', 'Latchkey'],
    ['6c1d3a52-0d0e-4a58', '6c1d3a52-0d0e-4a58'],
    ['Beach house', 'Beach-house-b2a1a0fe'],
  ])('of %s is readable', (text, level) => {
    expect(topicLevel(text).replace(/-[0-9a-f]{8}$/, '')).toBe(level.replace(/-[0-9a-f]{8}$/, ''));
  });

  it('holds no separator and no wildcard, and is not empty, whatever the name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(topicLevel(text)).toMatch(/^[A-Za-z0-9_-]{1,80}$/);
      }),
    );
  });

  it('is another for another name', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        expect(topicLevel(one) === topicLevel(other)).toBe(one === other);
      }),
    );
    expect(topicLevel('a/b')).not.toBe(topicLevel('a-b'));
  });
});

describe('the topics of an account', () => {
  it('are apart from those of an account whose name begins alike', () => {
    const household = new AccountTopics('house');
    expect(household.isOurDiscovery(household.of('front').discovery)).toBe(true);
    expect(household.isOurDiscovery(new AccountTopics('house-2').of('front').discovery)).toBe(false);
    expect(household.isOurDiscovery(new AccountTopics('house_').of('front').discovery)).toBe(false);
  });
});
