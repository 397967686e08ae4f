// The list of happenings: one entry for each kind of thing that happens, none for what is merely learned, never too many.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Accessor } from '../../../src/domain/access.ts';
import type { HouseLink } from '../../../src/domain/account.ts';
import type { Rest } from '../../../src/domain/bolt.ts';
import type { CommandOutcome } from '../../../src/domain/command.ts';
import { type LockId, lockId, unknownLock } from '../../../src/domain/lock.ts';
import type { Reported } from '../../../src/domain/lock-event.ts';
import { advanceLock } from '../../../src/domain/lock-machine.ts';
import {
  type HappeningNews,
  type HappeningView,
  MOST_HAPPENINGS,
} from '../../../src/panel/happening-view.ts';
import { Happenings } from '../../../src/panel/happenings.ts';
import { Broadcast } from '../../../src/support/broadcast.ts';
import { silentLog } from '../../../src/support/log.ts';
import type { HouseHappening } from '../../../src/sync/house.ts';
import { LockStore } from '../../../src/sync/lock-store.ts';

const FRONT = lockId('front');
const DESCRIPTION = { name: 'Front door', model: '', serial: '', firmware: '', role: 'owner' } as const;
const thumbturn: Accessor = { method: 'thumbturn', id: null, name: null };
const walker: Accessor = { method: 'access-code', id: 'a71e', name: 'Dog walker' };

/** The locks of a house as the real store and machine keep them; what happens to them is what the test says. */
class ToldHouse {
  readonly told: HappeningView[] = [];
  readonly happenings: Happenings;
  readonly #store = new LockStore(silentLog);
  readonly #news = new Broadcast<HouseHappening>(silentLog);
  #now = 1_000_000;

  constructor() {
    this.#store.subscribe((happening) => {
      this.#news.tell(happening);
    });
    this.happenings = new Happenings({
      house: {
        lock: (id) => this.#store.get(id),
        subscribe: (listener) => this.#news.subscribe(listener),
      },
      serviceClock: { now: () => this.#now },
      news: {
        tell: (event) => {
          if (event.type === 'happening') {
            this.told.push(event.happening);
          }
        },
      },
    });
  }

  /** A second later. */
  tick(): number {
    this.#now += 1_000;
    return this.#now;
  }

  /** A lock that is remembered and of which nothing was said yet. */
  remember(id: LockId = FRONT): void {
    this.#store.add(unknownLock(id, DESCRIPTION));
  }

  /** A lock that the account lists for the first time. */
  list(id: LockId = FRONT): void {
    const report: Reported = { type: 'reported', source: 'poll', at: this.tick(), bolt: 'secured' };
    this.#store.add(advanceLock(unknownLock(id, DESCRIPTION), report));
  }

  say(report: Partial<Omit<Reported, 'type'>>, id: LockId = FRONT): void {
    this.#store.apply(id, { type: 'reported', source: 'event', at: this.tick(), ...report });
  }

  /** A command of ours moved the bolt. */
  move(wish: Rest): void {
    this.#store.apply(FRONT, { type: 'departed', wish, at: this.tick() });
    const at = this.tick();
    this.#store.apply(FRONT, { type: 'arrived', wish, provenSince: at - 500, at, next: null });
    this.end(wish, { kind: 'moved' });
  }

  end(wish: Rest, outcome: CommandOutcome): void {
    this.#news.tell({ type: 'command-ended', id: FRONT, wish, outcome });
  }

  miss(): void {
    this.#store.apply(FRONT, { type: 'missed', at: this.tick() });
  }

  age(): void {
    const now = this.tick();
    this.#store.apply(FRONT, { type: 'aged', staleBefore: now, now });
  }

  remove(): void {
    this.#store.remove(FRONT);
  }

  alert(alert: 'wrong-code' | 'alarm' | 'keypad-locked-out'): void {
    this.#news.tell({ type: 'alert', id: FRONT, alert, at: this.tick() });
  }

  link(state: HouseLink): void {
    this.#news.tell({ type: 'link-changed', state });
  }

  get news(): readonly HappeningNews[] {
    return this.happenings.list().map(({ news }) => news);
  }
}

/** A house with one door, secured, of which nothing has happened yet. */
function quietHouse(): ToldHouse {
  const house = new ToldHouse();
  house.remember();
  house.say({ bolt: 'secured', connected: true });
  return house;
}

describe('the list of happenings', () => {
  it('is empty after a start: what was remembered and where the bolts are is learned, not happening', () => {
    const house = quietHouse();
    house.link('elsewhere');
    house.link('linked');
    expect(house.news).toEqual([]);
  });

  it('tells a move with its mover, when it was heard, and of which lock', () => {
    const house = quietHouse();
    house.say({ bolt: 'unsecured', accessor: walker });
    const at = house.tick() - 1_000;
    expect(house.happenings.list()).toEqual([
      {
        number: 1,
        at,
        lock: { id: FRONT, name: 'Front door' },
        news: { type: 'bolt', bolt: 'unsecured', move: { to: 'unsecured', by: walker, at } },
      },
    ]);
    expect(house.told).toEqual(house.happenings.list());
  });

  it('tells a move of which nobody says the mover', () => {
    const house = quietHouse();
    house.say({ source: 'poll', bolt: 'unsecured' });
    expect(house.news).toEqual([{ type: 'bolt', bolt: 'unsecured', move: null }]);
  });

  it('tells a move that is the first word of its lock, because somebody made it', () => {
    const house = new ToldHouse();
    house.remember();
    house.say({ bolt: 'unsecured', accessor: thumbturn });
    expect(house.news).toMatchObject([{ type: 'bolt', bolt: 'unsecured', move: { by: thumbturn } }]);
  });

  it('tells the mover in the same entry when it becomes known a moment later', () => {
    const house = quietHouse();
    house.say({ source: 'poll', bolt: 'unsecured' });
    house.say({ bolt: 'unsecured', accessor: thumbturn });
    expect(house.news).toMatchObject([{ type: 'bolt', bolt: 'unsecured', move: { by: thumbturn } }]);
    expect(house.told.map(({ number }) => number)).toEqual([1, 1]);
  });

  it('does not lay a move at the door of somebody who made an earlier one', () => {
    const house = quietHouse();
    house.say({ source: 'poll', bolt: 'unsecured' });
    const long = house.tick() - 60_000;
    house.say({ source: 'poll', bolt: 'secured' });
    house.say({ bolt: 'secured', accessor: walker, at: long });
    expect(house.news).toEqual([
      { type: 'bolt', bolt: 'unsecured', move: null },
      { type: 'bolt', bolt: 'secured', move: null },
    ]);
  });

  it('tells a move to where the bolt stood already', () => {
    const house = quietHouse();
    house.say({ bolt: 'unsecured', accessor: walker });
    house.say({ bolt: 'secured', accessor: walker });
    house.say({ bolt: 'secured', accessor: { ...thumbturn, method: 'schedule' } });
    expect(house.news).toMatchObject([
      { bolt: 'unsecured' },
      { bolt: 'secured', move: { by: walker } },
      { bolt: 'secured', move: { by: { method: 'schedule' } } },
    ]);
  });

  it('tells that a command of ours moved the bolt, and the end of the command', () => {
    const house = quietHouse();
    house.move('unsecured');
    expect(house.news).toMatchObject([
      { type: 'bolt', bolt: 'unsecured', move: { by: { method: 'own-command' } } },
      { type: 'command', wish: 'unsecured', outcome: { kind: 'moved' } },
    ]);
    // The service tells the same a moment later.
    house.say({ bolt: 'unsecured', accessor: { method: 'own-command', id: 'p', name: 'Homebridge' } });
    expect(house.news).toMatchObject([{ move: { by: { name: 'Homebridge' } } }, { type: 'command' }]);
  });

  it('tells a command that failed, but not each time that it found the lock busy', () => {
    const house = quietHouse();
    house.end('secured', { kind: 'refused', reason: 'lock-busy' });
    house.end('secured', { kind: 'refused', reason: 'bolt-jammed' });
    house.end('secured', { kind: 'overdue' });
    expect(house.news).toEqual([
      { type: 'command', wish: 'secured', outcome: { kind: 'refused', reason: 'bolt-jammed' } },
      { type: 'command', wish: 'secured', outcome: { kind: 'overdue' } },
    ]);
  });

  it('tells a jam, and that nothing fresh is known any more', () => {
    const house = quietHouse();
    house.say({ bolt: 'jammed' });
    house.say({ bolt: 'secured' });
    house.age();
    expect(house.news).toMatchObject([{ bolt: 'jammed' }, { bolt: 'secured' }, { bolt: 'unknown' }]);
  });

  it('tells that a lock is out of reach, back, and no longer listed', () => {
    const house = quietHouse();
    house.say({ connected: false });
    house.say({ connected: false });
    house.say({ connected: true });
    house.miss();
    expect(house.news).toEqual([
      { type: 'presence', presence: 'offline' },
      { type: 'presence', presence: 'reachable' },
      { type: 'presence', presence: 'missing' },
    ]);
  });

  it('tells what happens at a door without moving its bolt', () => {
    const house = quietHouse();
    house.alert('wrong-code');
    house.alert('keypad-locked-out');
    house.alert('alarm');
    expect(house.happenings.list().map(({ lock, news }) => [lock?.name, news])).toEqual([
      ['Front door', { type: 'alert', alert: 'wrong-code' }],
      ['Front door', { type: 'alert', alert: 'keypad-locked-out' }],
      ['Front door', { type: 'alert', alert: 'alarm' }],
    ]);
  });

  it('tells that a lock is new, and that it has left', () => {
    const house = new ToldHouse();
    house.list();
    house.remove();
    expect(house.happenings.list().map(({ lock, news }) => [lock?.name, news.type])).toEqual([
      ['Front door', 'appeared'],
      ['Front door', 'removed'],
    ]);
  });

  it('tells that the link ended and came back, whichever process owned the account meanwhile', () => {
    const house = quietHouse();
    for (const state of [
      'linked',
      'elsewhere',
      'linked',
      'revoked',
      'elsewhere',
      'revoked',
      'linked',
    ] as const) {
      house.link(state);
    }
    expect(house.happenings.list().map(({ lock, news }) => [lock, news])).toEqual([
      [null, { type: 'link', link: 'revoked' }],
      [null, { type: 'link', link: 'linked' }],
    ]);
  });

  it.each(['4711', 'Ann +49 170 1234567', 'ann@home.example', 'code 12-34'])(
    'does not say the name of a code or person where that may be a secret: %s (faults#66)',
    (name) => {
      const house = quietHouse();
      house.say({ bolt: 'unsecured', accessor: { ...walker, name } });
      expect(house.news).toMatchObject([{ move: { by: { method: 'access-code', name: null } } }]);
      expect(JSON.stringify(house.happenings.list())).not.toContain(name);
    },
  );

  it('keeps the movers of one door apart from those of another', () => {
    const house = quietHouse();
    const back = lockId('back');
    house.remember(back);
    house.say({ bolt: 'secured' }, back);
    house.say({ source: 'poll', bolt: 'unsecured' });
    house.say({ source: 'poll', bolt: 'unsecured' }, back);
    house.say({ bolt: 'unsecured', accessor: walker });
    expect(house.happenings.list().map(({ lock, news }) => [lock?.id, news])).toMatchObject([
      [FRONT, { bolt: 'unsecured', move: { by: walker } }],
      [back, { bolt: 'unsecured', move: null }],
    ]);
  });

  it('drops the oldest when there are more than a hundred', () => {
    const house = quietHouse();
    for (let count = 0; count < MOST_HAPPENINGS + 50; count += 1) {
      house.alert('alarm');
    }
    const numbers = house.happenings.list().map(({ number }) => number);
    expect([numbers.length, numbers[0], numbers.at(-1)]).toEqual([100, 51, 150]);
  });

  it('never holds more than a hundred, the newest last, with numbers that grow, whatever happens', () => {
    const bolt = fc.constantFrom('secured', 'unsecured', 'jammed', 'unknown');
    const accessor = fc.constantFrom(undefined, thumbturn, walker);
    const step = fc.oneof(
      fc.record({ bolt, accessor, source: fc.constantFrom('poll', 'event'), lateMs: fc.nat(5_000) }),
      fc.constantFrom('offline', 'online', 'missed', 'aged', 'alert', 'moved', 'failed', 'link', 'unlink'),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 250 }), (steps) => {
        const house = quietHouse();
        for (const one of steps) {
          happen(house, one as Step);
        }
        const list = house.happenings.list();
        expect(list.length).toBeLessThanOrEqual(MOST_HAPPENINGS);
        const numbers = list.map(({ number }) => number);
        expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
        // Whoever heard every event, and keeps the last by number, has the same list.
        const heard = new Map(house.told.map((happening) => [happening.number, happening]));
        expect([...heard.values()].slice(-MOST_HAPPENINGS)).toEqual(list);
      }),
      { numRuns: 150 },
    );
  });
});

type Step =
  | 'offline'
  | 'online'
  | 'missed'
  | 'aged'
  | 'alert'
  | 'moved'
  | 'failed'
  | 'link'
  | 'unlink'
  | {
      readonly bolt: Rest;
      readonly accessor: Accessor | undefined;
      readonly source: 'poll' | 'event';
      readonly lateMs: number;
    };

function happen(house: ToldHouse, step: Step): void {
  switch (step) {
    case 'offline':
    case 'online':
      house.say({ connected: step === 'online' });
      return;
    case 'missed':
      house.miss();
      return;
    case 'aged':
      house.age();
      return;
    case 'alert':
      house.alert('alarm');
      return;
    case 'moved':
      house.move('secured');
      return;
    case 'failed':
      house.end('secured', { kind: 'uncertain' });
      return;
    case 'link':
      house.link('linked');
      return;
    case 'unlink':
      house.link('unlinked');
      return;
    default: {
      const { bolt, accessor, source, lateMs } = step;
      const at = house.tick() - lateMs;
      house.say({ bolt, source, at, ...(accessor === undefined ? {} : { accessor }) });
    }
  }
}
