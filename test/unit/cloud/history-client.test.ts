// The history against services that take shorter questions only: they are asked again, and what they take is remembered.

import { describe, expect, it } from 'vitest';
import type { DeviceInterface } from '../../../src/cloud/device-interface.ts';
import { historyClient } from '../../../src/cloud/history-client.ts';
import { lockId } from '../../../src/domain/locks/lock.ts';
import type { LockHistory } from '../../../src/domain/ports.ts';
import { FinalError, RetryError } from '../../../src/support/errors.ts';
import { silentLog } from '../../../src/support/log.ts';

const DOOR = lockId('door-1');
const WHOLE = { limit: 100, deviceTime: true };
const PATH = '/locks/devices/door-1/history';
const ENTRY = { id: 'h-1', timestamp: '2026-04-14T12:15:30.250Z', eventCode: 'LockedByKeypad' };

/** A client, and the questions that its service got; `judge` throws what the service refuses. */
function clientOf(
  judge: (query: string) => void,
  body: unknown = [ENTRY],
): { client: LockHistory; asked: string[] } {
  const asked: string[] = [];
  const service: Pick<DeviceInterface, 'read'> = {
    read: async (path) => {
      const query = path.slice(PATH.length);
      asked.push(query);
      judge(query);
      return Promise.resolve({ headers: {}, body, askedAt: 0 });
    },
  };
  return { client: historyClient(service, { productSegment: 'locks', log: silentLog }), asked };
}

const refusal = (): FinalError =>
  new FinalError('refused', 'The service refused (HTTP 400).', { reason: 'parameters-invalid' });

describe('a history', () => {
  it('is read with fewer entries when the service refuses so many, and from then on at once', async () => {
    const { client, asked } = clientOf((query) => {
      if (query.includes('limit=100')) {
        throw refusal();
      }
    });
    expect(await client.history(DOOR, WHOLE)).toMatchObject({ entries: [{ id: 'h-1' }], limit: 50 });
    await client.history(DOOR, WHOLE);
    expect(asked).toEqual([
      '?limit=100&deviceLocalTime=true',
      '?limit=50&deviceLocalTime=true',
      '?limit=50&deviceLocalTime=true',
    ]);
  });

  it('is read without any parameter when the service refuses that, too, and then has no offset', async () => {
    const { client, asked } = clientOf((query) => {
      if (query !== '') {
        throw refusal();
      }
    });
    const list = await client.history(DOOR, WHOLE);
    expect(list).toMatchObject({ entries: [{ id: 'h-1', offsetMinutes: null }], limit: 50 });
    await client.history(DOOR, WHOLE);
    expect(asked.slice(2)).toEqual(['', '']);
  });

  it('that is refused in every form fails with the first refusal, and is read in full the next time', async () => {
    const { client, asked } = clientOf(() => {
      throw refusal();
    });
    await expect(client.history(DOOR, WHOLE)).rejects.toMatchObject({ code: 'refused' });
    await expect(client.history(DOOR, WHOLE)).rejects.toMatchObject({ code: 'refused' });
    expect(asked.map((query) => query.slice(0, 10))).toEqual([
      '?limit=100',
      '?limit=50&',
      '',
      '?limit=100',
      '?limit=50&',
      '',
    ]);
  });

  it.each([
    ['not found', new FinalError('not-found', 'no such lock')],
    ['not permitted', new FinalError('not-permitted', 'no right')],
    ['failing for now', new RetryError('server-fault', 'HTTP 500')],
  ])('that is %s is requested once', async (_, error) => {
    const { client, asked } = clientOf(() => {
      throw error;
    });
    await expect(client.history(DOOR, WHOLE)).rejects.toBe(error);
    expect(asked).toHaveLength(1);
  });

  it.each([
    ['a member cannot be read', {}, [ENTRY, { id: 7 }], 99],
    ['a page may follow', { link: '</more>; rel="next"' }, [ENTRY], 1],
  ])(
    'of which %s does not say that there are no older entries (faults#183)',
    async (_, headers, body, limit) => {
      const service: Pick<DeviceInterface, 'read'> = {
        read: async () => Promise.resolve({ headers, body, askedAt: 0 }),
      };
      const client = historyClient(service, { productSegment: 'locks', log: silentLog });
      const list = await client.history(DOOR, WHOLE);
      expect([list.entries.length, list.limit]).toEqual([1, limit]);
    },
  );

  it('of which a member cannot be read has a hole between its neighbours, or after the newest (faults#183)', async () => {
    const at = (minute: number) => ({
      ...ENTRY,
      id: `h-${String(minute)}`,
      timestamp: new Date(minute * 60_000).toISOString(),
    });
    const odd = { id: 7 };
    const body = [odd, odd, at(9), at(8), odd, odd, at(5), odd, at(3), odd];
    const service: Pick<DeviceInterface, 'read'> = {
      read: async () => Promise.resolve({ headers: {}, body, askedAt: 600_000 }),
    };
    const { holes } = await historyClient(service, { productSegment: 'locks', log: silentLog }).history(
      DOOR,
      WHOLE,
    );
    expect(holes?.map(({ from, to }) => [from / 60_000, to / 60_000])).toEqual([
      [9, 10],
      [5, 8],
      [3, 5],
    ]);
  });

  it('of a service that ignores the limit is cut to the limit, the newest first', async () => {
    const years = Array.from({ length: 300 }, (_, day) => ({
      ...ENTRY,
      id: `h-${day}`,
      timestamp: new Date(Date.UTC(2026, 0, day)).toISOString(),
    }));
    const { entries } = await clientOf(() => {}, years).client.history(DOOR, WHOLE);
    expect([entries.length, entries[0]?.id, entries.at(-1)?.id]).toEqual([100, 'h-299', 'h-200']);
  });
});
