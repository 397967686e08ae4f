// The activity list: one entry for each kind of event, none for what is merely learned, never too many.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RuntimeLinkState } from '../../../src/domain/account/account.ts';
import type { CommandOutcome } from '../../../src/domain/commands/command.ts';
import type { Accessor } from '../../../src/domain/locks/access.ts';
import type { BoltPosition, BoltState } from '../../../src/domain/locks/bolt.ts';
import { lockId, unknownLock } from '../../../src/domain/locks/lock.ts';
import type { AlertReport } from '../../../src/domain/webhooks/service-event.ts';
import { Activity } from '../../../src/panel/activity.ts';
import { type ActivityDetail, type ActivityView, MAX_ACTIVITY } from '../../../src/panel/views/activity.ts';
import { describedAs, FRONT, StandInRuntime } from '../../stand-ins/account/runtime.ts';

const STARTED_AT = 1_000_000;
const BACK = lockId('back');
const thumbturn: Accessor = { method: 'thumbturn', id: null, name: null };
const walker: Accessor = { method: 'access-code', id: 'a71e', name: 'Dog walker' };

/** Something that happens to the account. */
type Step = (runtime: StandInRuntime) => void;

const says = (report: Parameters<StandInRuntime['report']>[1], id = FRONT): Step => {
  return (runtime) => runtime.report(id, report);
};
const polled = (bolt: BoltState, id = FRONT): Step => says({ source: 'poll', bolt }, id);
const ends = (outcome: CommandOutcome, target: BoltPosition = 'secured'): Step => {
  return (runtime) => runtime.endCommand(FRONT, target, outcome);
};
const alerts = (alert: AlertReport['type']): Step => {
  return (runtime) => runtime.alert(FRONT, alert);
};
const links = (state: RuntimeLinkState): Step => {
  return (runtime) => runtime.setLink(state);
};
const appears = (id = FRONT): Step => {
  return (runtime) => runtime.add(unknownLock(id, describedAs('Front door')));
};
const offline = says({ connected: false });
const online = says({ connected: true });
const missed: Step = (runtime) => runtime.happen(FRONT, { type: 'missed', at: runtime.tick() });
const aged: Step = (runtime) => runtime.happen(FRONT, { type: 'aged', staleBefore: runtime.tick() });

/** A command of ours moved the bolt. */
function moves(target: BoltPosition): Step {
  return (runtime) => {
    const at = runtime.tick();
    runtime.happen(FRONT, { type: 'command-sent', target, at });
    const completed = { type: 'command-completed', provenSince: at + 500, at: at + 600, next: null } as const;
    runtime.happen(FRONT, { ...completed, target });
    runtime.endCommand(FRONT, target, { kind: 'moved' });
  };
}

/** An event of the move that our last command made. */
function saysOfCommand(bolt: BoltPosition, accessor: Accessor): Step {
  return (runtime) => {
    const at = (runtime.lock(FRONT)?.inFlight?.until ?? 0) + 100;
    runtime.happen(FRONT, { type: 'reported', source: 'event', at, bolt, accessor });
  };
}

/** The activity of an account to which this happened. */
function after(...steps: readonly Step[]) {
  const runtime = new StandInRuntime(STARTED_AT);
  const published: ActivityView[] = [];
  const activity = new Activity({
    runtime,
    // An entry is a second younger than its report.
    serviceClock: { now: () => runtime.tick() },
    events: {
      emit: (event) => {
        if (event.type === 'activity') {
          published.push(event.activity);
        }
      },
    },
  });
  for (const step of steps) {
    step(runtime);
  }
  const list = activity.list();
  return { list, published, details: list.map(({ detail }): ActivityDetail => detail) };
}

/** The locks of one listing, in one instant. */
function listed(count: number, now: () => number) {
  const runtime = new StandInRuntime(STARTED_AT);
  const activity = new Activity({ runtime, serviceClock: { now }, events: { emit: () => {} } });
  for (let index = 0; index < count; index += 1) {
    const name = `Lock ${String(index)}`;
    runtime.add({ ...unknownLock(lockId(name), describedAs(name)), presenceAt: 1 });
  }
  return activity.list();
}

/** A door, secured, of which nothing has happened yet. */
const quiet = [appears(), says({ bolt: 'secured', connected: true })];

describe('the activity list', () => {
  it('is empty after a start, because remembered moves and first positions are no changes', () => {
    expect(after(...quiet, links('other-process'), links('linked')).list).toEqual([]);
  });

  it('shows the locks of one listing as one entry, so that a new home has room for what happens', () => {
    expect(listed(149, () => STARTED_AT).map(({ detail }) => detail)).toEqual([
      { type: 'appeared', others: 148 },
    ]);
    let now = STARTED_AT;
    const apart = listed(2, () => {
      now += 1_000;
      return now;
    });
    expect(apart).toHaveLength(2);
  });

  it('shows a move with its mover, its time, and its lock', () => {
    const { list, published } = after(...quiet, says({ bolt: 'unsecured', accessor: walker }));
    const at = STARTED_AT + 2_000;
    const move = { to: 'unsecured', by: walker, at };
    const lock = { id: FRONT, name: 'Front door' };
    const detail = { type: 'bolt', bolt: 'unsecured', move };
    expect(list).toEqual([{ number: 1, at: at + 1_000, lock, detail }]);
    expect(published).toEqual(list);
  });

  it('shows a move that is the first report of its lock', () => {
    const { details } = after(appears(), says({ bolt: 'unsecured', accessor: thumbturn }));
    expect(details).toMatchObject([{ type: 'bolt', bolt: 'unsecured', move: { by: thumbturn } }]);
  });

  it('adds the mover to the same entry when it is named a moment later', () => {
    const named = says({ bolt: 'unsecured', accessor: thumbturn });
    const { details, published } = after(...quiet, polled('unsecured'), named);
    expect(details).toMatchObject([{ type: 'bolt', bolt: 'unsecured', move: { by: thumbturn } }]);
    expect(published.map(({ number }) => number)).toEqual([1, 1]);
  });

  it('does not give a move the mover of an earlier one', () => {
    const earlier: Step = (runtime) => {
      const report = { type: 'reported', source: 'event', at: runtime.tick() - 60_000 } as const;
      runtime.happen(FRONT, { ...report, bolt: 'secured', accessor: walker });
    };
    expect(after(...quiet, polled('unsecured'), polled('secured'), earlier).details).toEqual([
      { type: 'bolt', bolt: 'unsecured', move: null },
      { type: 'bolt', bolt: 'secured', move: null },
    ]);
  });

  it('gives a move to our command that is known to have made it only later, though it was sent before the listing', () => {
    const late: Step = (runtime) => {
      const at = (runtime.lock(FRONT)?.belief.latest?.at ?? 0) - 2_500;
      runtime.happen(FRONT, { type: 'command-sent', target: 'secured', at });
    };
    const learned: Step = (runtime) => runtime.happen(FRONT, { type: 'command-moved', target: 'secured' });
    const { details } = after(...quiet, polled('unsecured'), late, polled('secured'), learned);
    expect(details).toMatchObject([
      { bolt: 'unsecured', move: null },
      { bolt: 'secured', move: { by: { method: 'own-command' } } },
    ]);
  });

  const scheduled: Accessor = { method: 'schedule', id: null, name: null };
  const own: Accessor = { method: 'own-command', id: 'p', name: 'Homebridge' };

  it.each<[string, readonly Step[], readonly object[]]>([
    [
      'a move to the position that is shown already',
      [says({ bolt: 'secured', accessor: walker }), says({ bolt: 'secured', accessor: scheduled })],
      [
        { bolt: 'secured', move: { by: walker } },
        { bolt: 'secured', move: { by: scheduled } },
      ],
    ],
    [
      'that a command of ours moved the bolt, and the end of the command',
      [moves('unsecured')],
      [
        { type: 'bolt', bolt: 'unsecured', move: { by: { method: 'own-command' } } },
        { type: 'command', target: 'unsecured', outcome: { kind: 'moved' } },
      ],
    ],
    [
      'that move once, though the service tells of it a moment later',
      [moves('unsecured'), saysOfCommand('unsecured', own)],
      [{ move: { by: { method: 'own-command' } } }, { type: 'command' }],
    ],
    [
      'a command that failed, but not each time that the lock was busy',
      [
        ends({ kind: 'refused', reason: 'lock-busy' }),
        ends({ kind: 'refused', reason: 'bolt-jammed' }),
        ends({ kind: 'overdue' }),
      ],
      [
        { type: 'command', target: 'secured', outcome: { kind: 'refused', reason: 'bolt-jammed' } },
        { type: 'command', target: 'secured', outcome: { kind: 'overdue' } },
      ],
    ],
    [
      'a jam, and the loss of fresh evidence',
      [says({ bolt: 'jammed' }), says({ bolt: 'secured' }), aged],
      [{ bolt: 'jammed' }, { bolt: 'secured' }, { bolt: 'unknown' }],
    ],
    [
      'that a lock is out of reach, back, and no longer listed',
      [offline, offline, online, missed],
      [
        { type: 'presence', presence: 'offline' },
        { type: 'presence', presence: 'reachable' },
        { type: 'presence', presence: 'missing' },
      ],
    ],
    [
      'an event at a door that does not move the bolt',
      [alerts('wrong-code'), alerts('alarm')],
      [
        { type: 'alert', alert: 'wrong-code' },
        { type: 'alert', alert: 'alarm' },
      ],
    ],
    [
      'a new lock, and one that has left',
      [
        (runtime) => runtime.add({ ...unknownLock(BACK, describedAs('Front door')), presenceAt: 1 }),
        (runtime) => runtime.remove(BACK),
      ],
      [{ type: 'appeared', others: 0 }, { type: 'removed' }],
    ],
    [
      'that the link ended and came back, whichever process owned the account meanwhile',
      (['linked', 'other-process', 'linked', 'revoked', 'other-process', 'revoked', 'linked'] as const).map(
        links,
      ),
      [
        { type: 'link', link: 'revoked' },
        { type: 'link', link: 'linked' },
      ],
    ],
  ])('shows %s', (_, steps, expected) => {
    const { list, details } = after(...quiet, ...steps);
    expect(details).toMatchObject(expected);
    // A link is that of all locks.
    const names = details.map(({ type }) => (type === 'link' ? undefined : 'Front door'));
    expect(list.map(({ lock }) => lock?.name)).toEqual(names);
  });

  it.each(['4711', 'Ann +49 170 1234567', 'ann@home.example', 'code 12-34'])(
    'leaves out the name of a code or person where it may be a secret: %s (faults#66)',
    (name) => {
      const { list } = after(...quiet, says({ bolt: 'unsecured', accessor: { ...walker, name } }));
      expect(list).toMatchObject([{ detail: { move: { by: { method: 'access-code', name: null } } } }]);
      expect(JSON.stringify(list)).not.toContain(name);
    },
  );

  it('leaves out the name of the code itself, of a guest who is called otherwise (faults#66)', () => {
    const guest: Accessor = { ...walker, name: 'Ann', codeName: 'Ann 170 1234567' };
    const { list } = after(...quiet, says({ bolt: 'unsecured', accessor: guest }));
    expect(list).toMatchObject([{ detail: { move: { by: { name: 'Ann' } } } }]);
    expect(JSON.stringify(list)).not.toContain('1234567');
  });

  it('keeps the movers of two doors apart', () => {
    const back = [appears(BACK), says({ bolt: 'secured' }, BACK)];
    const both = [polled('unsecured'), polled('unsecured', BACK)];
    const { list } = after(...quiet, ...back, ...both, says({ bolt: 'unsecured', accessor: walker }));
    expect(list.map(({ lock, detail }) => [lock?.id, detail])).toMatchObject([
      [FRONT, { bolt: 'unsecured', move: { by: walker } }],
      [BACK, { bolt: 'unsecured', move: null }],
    ]);
  });

  it('drops the oldest entry when there are more than a hundred', () => {
    const many = Array.from({ length: MAX_ACTIVITY + 50 }, () => alerts('alarm'));
    const numbers = after(...quiet, ...many).list.map(({ number }) => number);
    expect([numbers.length, numbers[0], numbers.at(-1)]).toEqual([100, 51, 150]);
  });

  it('never holds more than a hundred, the newest last, with numbers that grow, in any sequence', () => {
    const report = fc
      .record({
        bolt: fc.constantFrom<BoltState>('secured', 'unsecured', 'jammed', 'unknown'),
        mover: fc.constantFrom({}, { accessor: thumbturn }, { accessor: walker }),
        source: fc.constantFrom<'poll' | 'event'>('poll', 'event'),
        lateMs: fc.nat(5_000),
      })
      .map(({ mover, lateMs, ...said }): Step => {
        return (runtime) =>
          runtime.happen(FRONT, { type: 'reported', at: runtime.tick() - lateMs, ...said, ...mover });
      });
    const others = [
      offline,
      online,
      missed,
      aged,
      alerts('alarm'),
      moves('secured'),
      ends({ kind: 'uncertain' }),
    ];
    const step = fc.oneof(report, fc.constantFrom(...others, links('linked'), links('unlinked')));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 250 }), (steps) => {
        const { list, published } = after(...quiet, ...steps);
        expect(list.length).toBeLessThanOrEqual(MAX_ACTIVITY);
        const numbers = list.map(({ number }) => number);
        expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
        // Whoever heard every event, and keeps the last by number, has the same list.
        const received = new Map(published.map((event) => [event.number, event]));
        expect([...received.values()].slice(-MAX_ACTIVITY)).toEqual(list);
      }),
      { numRuns: 150 },
    );
  });
});
