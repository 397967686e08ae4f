// The ledger of events on a real disk: kept across restarts and crashes, all or none, and not for ever.
import { describe, expect, it } from 'vitest';
import { lockId } from '../../../src/domain/locks/lock.ts';
import type { ReceivedEvent } from '../../../src/domain/webhooks/ports.ts';
import type { ServiceEvent } from '../../../src/domain/webhooks/service-event.ts';
import { Connection } from '../../../src/storage/database/connection.ts';
import { EVENTS_KEPT_MS, PRUNED_EVERY, SqliteEventLedger } from '../../../src/storage/event-ledger.ts';
import { newStorage } from './place.ts';

const START = Date.UTC(2026, 3, 14, 12);

const event = (
  eventId: string,
  at: number | null = START,
  name: string | null = 'Dog walker',
): ServiceEvent => ({
  type: 'bolt',
  bolt: 'secured',
  accessor: { method: 'access-code', id: 'a-1', name },
  eventId,
  at,
  lockId: lockId('door-1'),
});
const received = (eventId: string, at: number | null = START, receivedAt = at ?? START): ReceivedEvent => ({
  event: event(eventId, at),
  receivedAt,
});

describe('the ledger', () => {
  it('knows the stored events, after a restart too, and no others (faults#46)', () => {
    const { storage, again } = newStorage();
    storage.ledger.appendAll([received('a'), received('b', START + 0.4), received('timeless', null)]);
    const { ledger } = again();
    expect(ledger.has(event('a'))).toBe(true);
    expect(ledger.has(event('timeless', null))).toBe(true);
    expect(ledger.has(event('c'))).toBe(false);
    expect(ledger.has(event('a', START + 1))).toBe(false);
  });

  it('does not change an event that is stored already, and stores no name that may be a code', () => {
    const { storage, path } = newStorage();
    const { ledger } = storage;
    ledger.appendAll([received('a', START, START)]);
    const secret = { event: event('b', START, 'Gate 48-29 13'), receivedAt: START };
    ledger.appendAll([received('a', START, START + 9), secret]);
    const connection = new Connection(path, 'normal');
    const rows = connection.all('SELECT received_at, event FROM received_event ORDER BY event_id');
    connection.close();
    expect(rows).toEqual([
      { received_at: START, event: JSON.stringify(event('a')) },
      { received_at: START, event: JSON.stringify(event('b', START, null)) },
    ]);
  });

  it('returns the latest time that it knows, whatever came last', () => {
    const { ledger } = newStorage().storage;
    ledger.appendAll([received('b', START + 5), received('a', START)]);
    expect(ledger.newestAt()).toBe(START + 5);
  });

  it('stores all events of a commit or none', () => {
    const connection = new Connection(newStorage().path, 'normal');
    connection.script(
      `CREATE TRIGGER full BEFORE INSERT ON received_event WHEN NEW.event_id = 'c'
       BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END`,
    );
    const ledger = new SqliteEventLedger(connection);
    const write = (): void => {
      ledger.appendAll([received('a'), received('b'), received('c')]);
    };
    expect(write).toThrow(expect.objectContaining({ code: 'storage-failed' }));
    expect(ledger.has(event('a'))).toBe(false);
    connection.close();
  });

  it('forgets an event after two days, by both times, and no sooner', () => {
    const { ledger } = newStorage().storage;
    ledger.appendAll([received('old'), received('timeless', null), received('young', START + 1_000)]);
    const fill = (at: number): void => {
      for (let count = 0; count < PRUNED_EVERY; count += 1) {
        ledger.appendAll([received(`${String(at)}-${String(count)}`, at)]);
      }
    };
    fill(START + EVENTS_KEPT_MS);
    expect([ledger.has(event('old')), ledger.has(event('timeless', null))]).toEqual([true, true]);
    fill(START + EVENTS_KEPT_MS + 1);
    expect([ledger.has(event('old')), ledger.has(event('timeless', null))]).toEqual([false, false]);
    expect(ledger.has(event('young', START + 1_000))).toBe(true);
  });
});
