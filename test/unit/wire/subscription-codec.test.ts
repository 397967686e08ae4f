// Webhook subscriptions: which are active, and which items of a list are skipped.
import { describe, expect, it } from 'vitest';
import {
  decodeSubscription,
  decodeSubscriptions,
  encodeSubscription,
} from '../../../src/wire/subscription-codec.ts';

const SUBSCRIPTION = { subscriptionId: 's-1', url: 'https://home.example/hook', status: 'Active' };

describe('a subscription', () => {
  it.each([
    ['Active', true],
    ['Inactive', false],
    ['inactive', false],
    ['Pending', true],
    [undefined, true],
    [null, true],
    [7, true],
  ])('with the status %j is active: %j', (status, active) => {
    expect(decodeSubscription({ ...SUBSCRIPTION, status })).toEqual({
      id: 's-1',
      url: SUBSCRIPTION.url,
      active,
    });
  });

  it.each([
    ['https://Home.Example:443/hook', 'https://home.example/hook'],
    ['https://h\u00e4user.example/a/../hook', 'https://xn--huser-gra.example/hook'],
    ['somewhere else', 'somewhere else'],
  ])('at %s has the address %s', (url, address) => {
    expect(decodeSubscription({ ...SUBSCRIPTION, url })?.url).toBe(address);
  });

  it.each([{ subscriptionId: '' }, { url: null }])('without %j is skipped', (change) => {
    expect(decodeSubscription({ ...SUBSCRIPTION, ...change })).toBeNull();
  });
});

it('a list skips malformed subscriptions, and anything else is no list', () => {
  expect(decodeSubscriptions([{ odd: true }, SUBSCRIPTION])?.map(({ id }) => id)).toEqual(['s-1']);
  expect(decodeSubscriptions({ subscriptions: [SUBSCRIPTION] })).toBeNull();
});

it('a list of which nothing is understood is no list, because an empty one would be registered at again and again', () => {
  expect(decodeSubscriptions([{ id: 's-1', url: SUBSCRIPTION.url }])).toBeNull();
  expect(decodeSubscriptions([])).toEqual([]);
});

it('a subscription is requested with its address', () => {
  expect(encodeSubscription(SUBSCRIPTION.url)).toEqual({ url: 'https://home.example/hook' });
});
