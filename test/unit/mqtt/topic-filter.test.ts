// Which topics a filter covers.
import { describe, expect, it } from 'vitest';
import { matchesFilter } from '../../../src/mqtt/topic-filter.ts';

describe('a topic filter', () => {
  it.each([
    ['a/b', 'a/b', true],
    ['a/b', 'a', false],
    ['a/b', 'a/b/c', false],
    ['a/+/c', 'a/b/c', true],
    ['a/+/c', 'a//c', true],
    ['a/+', 'a', false],
    ['a/#', 'a', true],
    ['a/#', 'a/b/c', true],
    ['#', 'a/b', true],
    ['#', '$SYS/uptime', false],
    ['+/a', '$SYS/a', false],
    ['$SYS/#', '$SYS/a', true],
  ])('%s and the topic %s: %s', (filter, topic, isMatch) => {
    expect(matchesFilter(filter, topic)).toBe(isMatch);
  });
});
