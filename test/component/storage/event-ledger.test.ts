// The ledger of events on a real disk: kept across restarts and crashes, all or none, and not for ever.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lockId } from '../../../src/domain/locks/lock.ts';
import type { ReceivedEvent } from '../../../src/domain/webhooks/ports.ts';
import type { ServiceEvent, ServiceReport } from '../../../src/domain/webhooks/service-event.ts';
import { Connection } from '../../../src/storage/database/connection.ts';
import { EVENTS_KEPT_MS, PRUNED_EVERY, SqliteEventLedger } from '../../../src/storage/event-ledger.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openedStorage } from './place.ts';

const START = Date.UTC(2026, 3, 14, 12);

const event = (eventId: string, at: number | null = START): ServiceEvent => ({
  type: 'bolt',
  bolt: 'secured',
  accessor: { method: 'access-code', id: 'a-1', name: 'Dog walker' },
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
    const path = join(temporaryFolder(), 'latchkey.db');
    const first = openedStorage(path);
    first.ledger.appendAll([received('a'), received('b', START + 0.4), received('timeless', null)]);
    first.close();
    const { ledger } = openedStorage(path);
    expect(ledger.has(event('a'))).toBe(true);
    expect(ledger.has(event('timeless', null))).toBe(true);
    expect(ledger.has(event('c'))).toBe(false);
    expect(ledger.has(event('a', START + 1))).toBe(false);
  });

  it('does not change an event that is stored already', () => {
    const path = join(temporaryFolder(), 'latchkey.db');
    const { ledger } = openedStorage(path);
    ledger.appendAll([received('a', START, START)]);
    ledger.appendAll([received('a', START, START + 9), received('b')]);
    const connection = new Connection(path, 'normal');
    const rows = connection.all('SELECT event_id, received_at, event FROM received_event ORDER BY event_id');
    connection.close();
    expect(rows.map(({ event_id, received_at }) => [event_id, received_at])).toEqual([
      ['a', START],
      ['b', START],
    ]);
    expect(JSON.parse(String(rows[0]?.['event']))).toEqual(event('a'));
  });

  it('stores no name that may be a code, a number or an address, and every other name', () => {
    const path = join(temporaryFolder(), 'latchkey.db');
    const { ledger } = openedStorage(path);
    const about = (eventId: string, report: ServiceReport): ReceivedEvent => ({
      event: { ...report, eventId, at: START, lockId: lockId('door-1') },
      receivedAt: START,
    });
    const by = (eventId: string, name: string): ReceivedEvent =>
      about(eventId, { type: 'bolt', bolt: 'secured', accessor: { method: 'access-code', id: 'a-1', name } });
    ledger.appendAll([
      by('1', 'Gate 48-29 13'),
      by('2', 'anna@home.example'),
      by('3', 'Dog walker'),
      about('4', { type: 'bolt', bolt: 'secured', accessor: null }),
      about('5', { type: 'code-added', codeId: 'a-2', codeName: 'Key 4711' }),
    ]);
    const connection = new Connection(path, 'normal');
    const rows = connection.all('SELECT event FROM received_event ORDER BY event_id');
    connection.close();
    const kept = rows.map((row) => JSON.parse(String(row['event'])) as object);
    expect(kept).toMatchObject([
      { accessor: { id: 'a-1', name: null } },
      { accessor: { name: null } },
      { accessor: { name: 'Dog walker' } },
      { accessor: null },
      { codeId: 'a-2', codeName: null },
    ]);
  });

  it('returns the latest time that it knows', () => {
    const { ledger } = openedStorage(join(temporaryFolder(), 'latchkey.db'));
    expect(ledger.newestAt()).toBeNull();
    ledger.appendAll([received('timeless', null)]);
    expect(ledger.newestAt()).toBeNull();
    ledger.appendAll([received('b', START + 5), received('a', START)]);
    expect(ledger.newestAt()).toBe(START + 5);
  });

  it('stores all events of a commit or none', () => {
    const path = join(temporaryFolder(), 'latchkey.db');
    openedStorage(path);
    const connection = new Connection(path, 'normal');
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
    const { ledger } = openedStorage(join(temporaryFolder(), 'latchkey.db'));
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
