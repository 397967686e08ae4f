// Where the keys come from: asked of the service seldom, remembered when it is silent, or written by a person.
import { describe, expect, it } from 'vitest';
import type { ServiceReply } from '../../../src/cloud/device-interface.ts';
import { FetchedSigningKeys, writtenKeys } from '../../../src/cloud/signing-keys.ts';
import { RelinkError, RetryError } from '../../../src/support/errors.ts';
import { silentLog } from '../../../src/support/log.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { pemOf, servicePair, strangerPair } from './fixture.ts';

const OLD = pemOf(servicePair).trim();
const NEW = pemOf(strangerPair).trim();
const HOUR_MS = 3_600_000;

interface Source {
  readonly keys: FetchedSigningKeys;
  readonly clock: ManualClock;
  readonly asked: string[];
  readonly warnings: string[];
  /** The behaviour of the service from now on. */
  answer: () => Promise<unknown>;
}

function source(): Source {
  const clock = new ManualClock();
  const made: Omit<Source, 'keys'> = {
    clock,
    asked: [],
    warnings: [],
    answer: async () => Promise.resolve({ algorithm: 'RSASSA_PSS_SHA_256', publicKey: OLD }),
  };
  const read = async (path: string): Promise<ServiceReply> => {
    made.asked.push(path);
    return { headers: {}, body: await made.answer(), askedAt: clock.now() };
  };
  const log = { ...silentLog, warn: (line: string) => made.warnings.push(line) };
  const keys = new FetchedSigningKeys({ service: { read }, productSegment: 'locks', clock, log });
  return Object.assign(made, { keys });
}

describe('keys of the service', () => {
  it('are none until they were asked for, once for all who wait', async () => {
    const { keys, asked } = source();
    expect(keys.keys()).toEqual([]);
    expect(await Promise.all([keys.refresh(), keys.refresh(), keys.refresh()])).toEqual([
      'current',
      'current',
      'current',
    ]);
    expect(keys.keys()).toEqual([OLD]);
    expect(asked).toEqual(['/locks/events/publickey']);
  });

  it('are asked for once a minute at most, and the old one stays good beside the new (faults#43)', async () => {
    const made = source();
    await made.keys.refresh();
    made.answer = async () => Promise.resolve({ publicKey: NEW });
    await made.clock.advance(59_999);
    expect(await made.keys.refresh()).toBe('recent');
    expect(made.keys.keys()).toEqual([OLD]);
    await made.clock.advance(1);
    await made.keys.refresh();
    expect(made.keys.keys()).toEqual([NEW, OLD]);
    expect(made.asked).toHaveLength(2);
  });

  it('are good for 25 hours after another has replaced them, and again when the service names them (faults#43)', async () => {
    const made = source();
    await made.keys.refresh();
    made.answer = async () => Promise.resolve({ publicKey: NEW });
    await made.clock.advance(60_000);
    await made.keys.refresh();
    await made.clock.advance(10 * HOUR_MS);
    await made.keys.refresh();
    await made.clock.advance(15 * HOUR_MS - 1);
    expect(made.keys.keys()).toEqual([NEW, OLD]);
    await made.clock.advance(1);
    expect(made.keys.keys()).toEqual([NEW]);
    made.answer = async () => Promise.resolve({ publicKey: OLD });
    await made.keys.refresh();
    expect(made.keys.keys()).toEqual([OLD, NEW]);
  });

  it('stay known while they cannot be fetched, which is said (faults#44)', async () => {
    const made = source();
    await made.keys.refresh();
    made.answer = async () =>
      Promise.reject(new RetryError('unreachable', 'The service could not be reached.'));
    for (let minute = 0; minute < 3; minute += 1) {
      await made.clock.advance(60_000);
      expect(await made.keys.refresh()).toBe('unavailable');
      expect(await made.keys.refresh()).toBe('unavailable');
    }
    expect(made.keys.keys()).toEqual([OLD]);
    expect(made.asked).toHaveLength(4);
  });

  it('are asked for at once when the account is linked after it was not', async () => {
    const made = source();
    const linked = made.answer;
    made.answer = async () => Promise.reject(new RelinkError('unlinked', 'No account is linked.'));
    expect(await made.keys.refresh()).toBe('unavailable');
    made.answer = linked;
    expect(await made.keys.refresh()).toBe('current');
    expect(made.keys.keys()).toEqual([OLD]);
  });

  it.each([undefined, {}, [], { publicKey: 'canary' }, { publicKey: null }])(
    'are not in an answer such as %j, and the log says so without it',
    async (answer) => {
      const made = source();
      made.answer = async () => Promise.resolve(answer);
      expect(await made.keys.refresh()).toBe('unavailable');
      expect(made.warnings).toEqual([
        'The service was asked for the key of its webhooks, and its answer holds none.',
      ]);
    },
  );

  it('are all that the service names, up to 512, and the rest is named in the log (faults#181)', async () => {
    const made = source();
    const set = (count: number) => ({
      keys: Array.from({ length: count }, (_, index) => ({
        kty: 'RSA',
        n: `AQAB${String(index)}`,
        e: 'AQAB',
      })),
    });
    for (const count of [9, 500]) {
      made.answer = async () => Promise.resolve(set(count));
      await made.keys.refresh();
      expect(made.keys.keys()).toHaveLength(count);
      await made.clock.advance(60_000);
    }
    expect(made.warnings).toEqual([]);
    made.answer = async () => Promise.resolve(set(600));
    await made.keys.refresh();
    expect(made.keys.keys()).toHaveLength(512);
    expect(made.warnings).toEqual([
      'The service names 600 keys for its webhooks, of which the first 512 are used.',
    ]);
  });

  it('are 512 at most however often they are replaced, the newest first', async () => {
    const made = source();
    for (let index = 0; index < 520; index += 1) {
      const n = `AQAB${String(index)}`;
      made.answer = async () => Promise.resolve({ kty: 'RSA', n, e: 'AQAB' });
      await made.keys.refresh();
      await made.clock.advance(60_000);
    }
    expect(made.keys.keys()).toHaveLength(512);
    expect(made.keys.keys()[0]).toContain('AQAB519');
  });
});

describe('keys that a person wrote', () => {
  it('are all good, and never fetched anew', async () => {
    const keys = writtenKeys([`${OLD}\n`, JSON.stringify({ keys: [{ kty: 'RSA', n: 'AQAB', e: 'AQAB' }] })]);
    expect(keys.keys()).toEqual([OLD, '{"kty":"RSA","n":"AQAB","e":"AQAB"}']);
    expect(await keys.refresh()).toBe('current');
  });

  it('are refused by their place in the list, without being shown', () => {
    expect(() => writtenKeys([OLD, 'canary'])).toThrow(/^webhooks\.keys\[1\] holds no RSA public key;/);
    expect(() => writtenKeys(['canary'])).not.toThrow(/canary/);
  });
});
