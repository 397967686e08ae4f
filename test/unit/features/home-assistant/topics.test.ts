// Topics from names that people chose.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AccountTopics,
  formerIdPrefix,
  newIdentity,
  topicLevel,
  USUAL_TOPICS,
} from '../../../../src/features/home-assistant/broker/topics.ts';

describe('a level of a topic', () => {
  it.each([
    ['Latchkey', 'Latchkey'],
    ['6c1d3a52-0d0e-4a58', '6c1d3a52-0d0e-4a58'],
    ['Beach house', 'Beach-house-b2a1a0fe'],
  ])('of %s is readable', (text, level) => {
    expect(topicLevel(text).replace(/-[0-9a-f]{8}$/, '')).toBe(level.replace(/-[0-9a-f]{8}$/, ''));
  });

  it('holds no separator and no wildcard, and is not empty, for any name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(topicLevel(text)).toMatch(/^[A-Za-z0-9_-]{1,80}$/);
      }),
    );
  });

  it('differs for another name', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        expect(topicLevel(one) === topicLevel(other)).toBe(one === other);
      }),
    );
    expect(topicLevel('a/b')).not.toBe(topicLevel('a-b'));
  });
});

describe('the topics of an account', () => {
  it('differ from those of another account of the same name (faults#124)', () => {
    const homes = ['a1b2c3d4', 'e5f6a7b8'].map((id) => {
      return new AccountTopics(newIdentity('Beach house', id), USUAL_TOPICS);
    });
    expect(homes[0]?.base).toBe('latchkey/Beach-house-a1b2c3d4');
    const all = homes.flatMap((topics) => {
      const { state, event, set, available, discovery, uniqueId } = topics.of('front');
      return [topics.status, topics.clientId, state, event, set, available, discovery, uniqueId];
    });
    expect(new Set(all).size).toBe(16);
  });

  it('differ for the devices of two older accounts with one name (faults#124)', () => {
    const ids = ['a1b2c3d4', 'e5f6a7b8'].map((id) => {
      const identity = { ...newIdentity('Latchkey', id), idPrefix: formerIdPrefix('Latchkey') };
      return new AccountTopics(identity, USUAL_TOPICS).account.discovery;
    });
    expect(new Set(ids).size).toBe(2);
  });

  it('begin with the prefixes of the options', () => {
    const options = { base: 'home/doors', discoveryPrefix: 'ha', clientId: 'porch' };
    const topics = new AccountTopics(newIdentity('', 'a1b2c3d4'), options);
    expect([topics.clientId, topics.status, topics.birth, topics.of('front').discovery]).toEqual([
      'porch',
      'home/doors/a1b2c3d4/status',
      'ha/status',
      'ha/device/latchkey_a1b2c3d4_front/config',
    ]);
  });
});
