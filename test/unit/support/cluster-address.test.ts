// The address of a cluster, with its nodes in one line.
import { describe, expect, it } from 'vitest';
import { readClusterAddress } from '../../../src/support/server/cluster-address.ts';

describe('the address of a cluster', () => {
  it('names its nodes, with the usual port where none is given', () => {
    expect(readClusterAddress('tls://a.example,10.0.0.2:4333,[::1]:4222')).toEqual({
      isEncrypted: true,
      nodes: ['a.example:4222', '10.0.0.2:4333', '[::1]:4222'],
      hosts: ['a.example', '10.0.0.2', '[::1]'],
    });
    expect(readClusterAddress('nats://a')?.isEncrypted).toBe(false);
  });

  it.each([
    'mqtt://a.example',
    'tls://',
    'tls://a,,b',
    'tls://a:0',
    'tls://a:70000',
    'tls://user:secret@a',
    'tls://a/path',
    'tls://a b',
    'NATS://a',
  ])('is no other text: %s', (address) => {
    expect(readClusterAddress(address)).toBeNull();
  });
});
