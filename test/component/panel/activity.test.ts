// The activity list: one entry for each kind of event, none for what is merely learned, never too many.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RuntimeLinkState } from '../../../src/domain/account/account.ts';
import type { CommandOutcome } from '../../../src/domain/commands/command.ts';
import type { Accessor } from '../../../src/domain/locks/access.ts';
import type { BoltPosition } from '../../../src/domain/locks/bolt.ts';
import type { Reported } from '../../../src/domain/locks/event.ts';
import { type LockId, lockId, unknownLock } from '../../../src/domain/locks/lock.ts';
import { advanceLock } from '../../../src/domain/locks/machine.ts';
import { Activity } from '../../../src/panel/activity.ts';
import { type ActivityDetail, type ActivityView, MAX_ACTIVITY } from '../../../src/panel/views/activity.ts';
import { Emitter } from '../../../src/support/emitter.ts';
import { silentLog } from '../../../src/support/log.ts';
import type { RuntimeEvent } from '../../../src/sync/account-runtime.ts';
import { LockStore } from '../../../src/sync/locks/lock-store.ts';
import { named } from '../../support/named-lock.ts';

const FRONT = lockId('front');
const DESCRIPTION = named('Front door');
const thumbturn: Accessor = { method: 'thumbturn', id: null, name: null };
const walker: Accessor = { method: 'access-code', id: 'a71e', name: 'Dog walker' };

/** The locks of an account as the real store and machine keep them; the test causes their events. */
class ScriptedAccount {
  readonly published: ActivityView[] = [];
  readonly activity: Activity;
  readonly #events = new Emitter<RuntimeEvent>(silentLog);
  readonly #store = new LockStore(
    (change) => {
      this.#events.emit(change);
    },
    {
      staleBefore: () => 0,
      bounds: () => ({ latest: Number.POSITIVE_INFINITY, setBackMs: 0 }),
    },
  );
  #now = 1_000_000;

  constructor() {
    this.activity = new Activity({
      runtime: {
        lock: (id) => this.#store.get(id),
        subscribe: (listener) => this.#events.subscribe(listener),
      },
      serviceClock: { now: () => this.#now },
      events: {
        emit: (event) => {
          if (event.type === 'activity') {
            this.published.push(event.activity);
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

  /** A remembered lock without a report. */
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
  move(target: BoltPosition): void {
    this.#store.apply(FRONT, { type: 'command-sent', target, at: this.tick() });
    const at = this.tick();
    this.#store.apply(FRONT, { type: 'command-completed', target, provenSince: at - 500, at, next: null });
    this.end(target, { kind: 'moved' });
  }

  end(target: BoltPosition, outcome: CommandOutcome): void {
    this.#events.emit({ type: 'command-ended', id: FRONT, target, outcome });
  }

  miss(): void {
    this.#store.apply(FRONT, { type: 'missed', at: this.tick() });
  }

  age(): void {
    const now = this.tick();
    this.#store.apply(FRONT, { type: 'aged', staleBefore: now });
  }

  remove(): void {
    this.#store.remove(FRONT);
  }

  alert(alert: 'wrong-code' | 'alarm' | 'keypad-locked-out'): void {
    this.#events.emit({ type: 'alert', id: FRONT, alert, at: this.tick() });
  }

  link(state: RuntimeLinkState): void {
    this.#events.emit({ type: 'link-changed', state });
  }

  get details(): readonly ActivityDetail[] {
    return this.activity.list().map(({ detail }) => detail);
  }
}

/** What may happen to the account beside reports. */
const STEPS: Readonly<Record<string, (runtime: ScriptedAccount) => void>> = {
  offline: (runtime) => runtime.say({ connected: false }),
  online: (runtime) => runtime.say({ connected: true }),
  missed: (runtime) => runtime.miss(),
  aged: (runtime) => runtime.age(),
  alert: (runtime) => runtime.alert('alarm'),
  moved: (runtime) => runtime.move('secured'),
  failed: (runtime) => runtime.end('secured', { kind: 'uncertain' }),
  link: (runtime) => runtime.link('linked'),
  unlink: (runtime) => runtime.link('unlinked'),
};

/** An account with one door, secured, of which nothing has happened yet. */
function quietAccount(): ScriptedAccount {
  const runtime = new ScriptedAccount();
  runtime.remember();
  runtime.say({ bolt: 'secured', connected: true });
  return runtime;
}

describe('the activity list', () => {
  it('is empty after a start, because remembered moves and first positions are no changes', () => {
    const runtime = quietAccount();
    runtime.link('other-process');
    runtime.link('linked');
    expect(runtime.details).toEqual([]);
  });

  it('shows a move with its mover, its time, and its lock', () => {
    const runtime = quietAccount();
    runtime.say({ bolt: 'unsecured', accessor: walker });
    const at = runtime.tick() - 1_000;
    expect(runtime.activity.list()).toEqual([
      {
        number: 1,
        at,
        lock: { id: FRONT, name: 'Front door' },
        detail: { type: 'bolt', bolt: 'unsecured', move: { to: 'unsecured', by: walker, at } },
      },
    ]);
    expect(runtime.published).toEqual(runtime.activity.list());
  });

  it('shows a move that is the first report of its lock', () => {
    const runtime = new ScriptedAccount();
    runtime.remember();
    runtime.say({ bolt: 'unsecured', accessor: thumbturn });
    expect(runtime.details).toMatchObject([{ type: 'bolt', bolt: 'unsecured', move: { by: thumbturn } }]);
  });

  it('adds the mover to the same entry when it is named a moment later', () => {
    const runtime = quietAccount();
    runtime.say({ source: 'poll', bolt: 'unsecured' });
    runtime.say({ bolt: 'unsecured', accessor: thumbturn });
    expect(runtime.details).toMatchObject([{ type: 'bolt', bolt: 'unsecured', move: { by: thumbturn } }]);
    expect(runtime.published.map(({ number }) => number)).toEqual([1, 1]);
  });

  it('does not give a move the mover of an earlier one', () => {
    const runtime = quietAccount();
    runtime.say({ source: 'poll', bolt: 'unsecured' });
    const long = runtime.tick() - 60_000;
    runtime.say({ source: 'poll', bolt: 'secured' });
    runtime.say({ bolt: 'secured', accessor: walker, at: long });
    expect(runtime.details).toEqual([
      { type: 'bolt', bolt: 'unsecured', move: null },
      { type: 'bolt', bolt: 'secured', move: null },
    ]);
  });

  it('shows a move to the position that is shown already', () => {
    const runtime = quietAccount();
    runtime.say({ bolt: 'unsecured', accessor: walker });
    runtime.say({ bolt: 'secured', accessor: walker });
    runtime.say({ bolt: 'secured', accessor: { ...thumbturn, method: 'schedule' } });
    expect(runtime.details).toMatchObject([
      { bolt: 'unsecured' },
      { bolt: 'secured', move: { by: walker } },
      { bolt: 'secured', move: { by: { method: 'schedule' } } },
    ]);
  });

  it('shows that a command of ours moved the bolt, and the end of the command', () => {
    const runtime = quietAccount();
    runtime.move('unsecured');
    expect(runtime.details).toMatchObject([
      { type: 'bolt', bolt: 'unsecured', move: { by: { method: 'own-command' } } },
      { type: 'command', target: 'unsecured', outcome: { kind: 'moved' } },
    ]);
    // The service tells the same a moment later.
    runtime.say({ bolt: 'unsecured', accessor: { method: 'own-command', id: 'p', name: 'Homebridge' } });
    expect(runtime.details).toMatchObject([{ move: { by: { name: 'Homebridge' } } }, { type: 'command' }]);
  });

  it('shows a command that failed, but not each time that the lock was busy', () => {
    const runtime = quietAccount();
    runtime.end('secured', { kind: 'refused', reason: 'lock-busy' });
    runtime.end('secured', { kind: 'refused', reason: 'bolt-jammed' });
    runtime.end('secured', { kind: 'overdue' });
    expect(runtime.details).toEqual([
      { type: 'command', target: 'secured', outcome: { kind: 'refused', reason: 'bolt-jammed' } },
      { type: 'command', target: 'secured', outcome: { kind: 'overdue' } },
    ]);
  });

  it('shows a jam, and the loss of fresh evidence', () => {
    const runtime = quietAccount();
    runtime.say({ bolt: 'jammed' });
    runtime.say({ bolt: 'secured' });
    runtime.age();
    expect(runtime.details).toMatchObject([{ bolt: 'jammed' }, { bolt: 'secured' }, { bolt: 'unknown' }]);
  });

  it('shows that a lock is out of reach, back, and no longer listed', () => {
    const runtime = quietAccount();
    runtime.say({ connected: false });
    runtime.say({ connected: false });
    runtime.say({ connected: true });
    runtime.miss();
    expect(runtime.details).toEqual([
      { type: 'presence', presence: 'offline' },
      { type: 'presence', presence: 'reachable' },
      { type: 'presence', presence: 'missing' },
    ]);
  });

  it('shows an event at a door that does not move the bolt', () => {
    const runtime = quietAccount();
    runtime.alert('wrong-code');
    runtime.alert('keypad-locked-out');
    runtime.alert('alarm');
    expect(runtime.activity.list().map(({ lock, detail }) => [lock?.name, detail])).toEqual([
      ['Front door', { type: 'alert', alert: 'wrong-code' }],
      ['Front door', { type: 'alert', alert: 'keypad-locked-out' }],
      ['Front door', { type: 'alert', alert: 'alarm' }],
    ]);
  });

  it('shows a new lock, and one that has left', () => {
    const runtime = new ScriptedAccount();
    runtime.list();
    runtime.remove();
    expect(runtime.activity.list().map(({ lock, detail }) => [lock?.name, detail.type])).toEqual([
      ['Front door', 'appeared'],
      ['Front door', 'removed'],
    ]);
  });

  it('shows that the link ended and came back, whichever process owned the account meanwhile', () => {
    const runtime = quietAccount();
    const ended = ['revoked', 'other-process', 'revoked'] as const;
    for (const state of ['linked', 'other-process', 'linked', ...ended, 'linked'] as const) {
      runtime.link(state);
    }
    expect(runtime.activity.list().map(({ lock, detail }) => [lock, detail])).toEqual([
      [null, { type: 'link', link: 'revoked' }],
      [null, { type: 'link', link: 'linked' }],
    ]);
  });

  it.each(['4711', 'Ann +49 170 1234567', 'ann@home.example', 'code 12-34'])(
    'leaves out the name of a code or person where it may be a secret: %s (faults#66)',
    (name) => {
      const runtime = quietAccount();
      runtime.say({ bolt: 'unsecured', accessor: { ...walker, name } });
      expect(runtime.details).toMatchObject([{ move: { by: { method: 'access-code', name: null } } }]);
      expect(JSON.stringify(runtime.activity.list())).not.toContain(name);
    },
  );

  it('keeps the movers of two doors apart', () => {
    const runtime = quietAccount();
    const back = lockId('back');
    runtime.remember(back);
    runtime.say({ bolt: 'secured' }, back);
    runtime.say({ source: 'poll', bolt: 'unsecured' });
    runtime.say({ source: 'poll', bolt: 'unsecured' }, back);
    runtime.say({ bolt: 'unsecured', accessor: walker });
    expect(runtime.activity.list().map(({ lock, detail }) => [lock?.id, detail])).toMatchObject([
      [FRONT, { bolt: 'unsecured', move: { by: walker } }],
      [back, { bolt: 'unsecured', move: null }],
    ]);
  });

  it('drops the oldest entry when there are more than a hundred', () => {
    const runtime = quietAccount();
    for (let count = 0; count < MAX_ACTIVITY + 50; count += 1) {
      runtime.alert('alarm');
    }
    const numbers = runtime.activity.list().map(({ number }) => number);
    expect([numbers.length, numbers[0], numbers.at(-1)]).toEqual([100, 51, 150]);
  });

  it('never holds more than a hundred, the newest last, with numbers that grow, in any sequence', () => {
    const bolt = fc.constantFrom<NonNullable<Reported['bolt']>>('secured', 'unsecured', 'jammed', 'unknown');
    const mover = fc.constantFrom({}, { accessor: thumbturn }, { accessor: walker });
    const source = fc.constantFrom<'poll' | 'event'>('poll', 'event');
    const report = fc
      .record({ bolt, mover, source, lateMs: fc.nat(5_000) })
      .map((given) => (runtime: ScriptedAccount) => {
        const at = runtime.tick() - given.lateMs;
        runtime.say({ bolt: given.bolt, source: given.source, at, ...given.mover });
      });
    const step = fc.oneof(report, fc.constantFrom(...Object.values(STEPS)));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 250 }), (steps) => {
        const runtime = quietAccount();
        for (const happen of steps) {
          happen(runtime);
        }
        const list = runtime.activity.list();
        expect(list.length).toBeLessThanOrEqual(MAX_ACTIVITY);
        const numbers = list.map(({ number }) => number);
        expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
        // Whoever heard every event, and keeps the last by number, has the same list.
        const received = new Map(runtime.published.map((event) => [event.number, event]));
        expect([...received.values()].slice(-MAX_ACTIVITY)).toEqual(list);
      }),
      { numRuns: 150 },
    );
  });
});
