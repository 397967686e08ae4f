// Random sequences before lists that are late or leave the lock out, news without a position, and read-backs that hang: for how long
// "Locked" is shown on an open door.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type LockId, lockId } from '../../../src/domain/locks/lock.ts';
import type { ServiceReport } from '../../../src/domain/webhooks/service-event.ts';
import { PolledHome } from '../../homes/polled-home.ts';
import { StandInFeed, turned } from '../../stand-ins/service/events.ts';
import { FRONT_DOOR, type Mishap } from '../../stand-ins/service/locks.ts';
import { anyRest, drawn, type Value, within } from './steps.ts';

/**
 * The longest "Locked" on an open door: opened by our command, by a hand of which an event tells, and once one was told without a
 * position, also during a command of ours.
 */
const LIMITS_MS = { command: 3_000, told: 2_000, vague: 10_000 } as const;

/** Lists are late by this at most. */
const LATEST_LIST_MS = 9_000;

/** How the service tells of a turn: at once with its position, or so that the position cannot be taken. */
const VAGUE = ['no-position', 'no-time', 'no-position-or-time', 'ahead', 'behind'] as const;

const anyMishap = fc.oneof(
  fc.constantFrom<Mishap>({ kind: 'lost-reply' }, { kind: 'lost-request' }, { kind: 'unsent' }),
  drawn('fails', { reason: fc.constantFrom('lock-silent', 'general-failure'), moved: fc.boolean() }),
);

const common = [
  { weight: 4, arbitrary: drawn('tap', { rest: anyRest }) },
  { weight: 5, arbitrary: drawn('wait', { ms: within(0, 15_000) }) },
  { weight: 2, arbitrary: drawn('late', { ms: within(0, LATEST_LIST_MS) }) },
  { weight: 1, arbitrary: drawn('part', { missing: fc.boolean() }) },
  { weight: 1, arbitrary: drawn('read-backs', { hang: fc.boolean() }) },
  { weight: 1, arbitrary: drawn('mishap', { mishap: anyMishap }) },
  { weight: 1, arbitrary: drawn('travel', { ms: within(50, 8_000) }) },
] as const;
const toldStep = fc.oneof(
  { weight: 5, arbitrary: drawn('turn', { rest: anyRest, told: fc.constant('at-once' as const) }) },
  ...common,
);
const vagueStep = fc.oneof(
  { weight: 5, arbitrary: drawn('turn', { rest: anyRest, told: fc.constantFrom('at-once', ...VAGUE) }) },
  ...common,
);

type Step = Value<typeof toldStep> | Value<typeof vagueStep>;
type Told = 'at-once' | (typeof VAGUE)[number];

/** Sequences that once left "Locked" for longer, run every time. */
const FOUND_ONCE: readonly (readonly Value<typeof vagueStep>[])[] = [
  // A hand locks in the very millisecond in which our "lock" leaves, which then fails: what is listed is no old position.
  [
    { kind: 'turn', rest: 'unsecured', told: 'at-once' },
    { kind: 'mishap', mishap: { kind: 'fails', reason: 'lock-silent', moved: false } },
    { kind: 'wait', ms: 1 },
    { kind: 'tap', rest: 'secured' },
    { kind: 'turn', rest: 'secured', told: 'at-once' },
    { kind: 'turn', rest: 'unsecured', told: 'no-position-or-time' },
  ],
  // More changes in a few seconds than there were close watches.
  [
    { kind: 'turn', rest: 'unsecured', told: 'no-position-or-time' },
    { kind: 'mishap', mishap: { kind: 'lost-reply' } },
    { kind: 'turn', rest: 'secured', told: 'at-once' },
    { kind: 'tap', rest: 'secured' },
    { kind: 'wait', ms: 5_836 },
    { kind: 'late', ms: 8_665 },
    { kind: 'turn', rest: 'unsecured', told: 'no-position-or-time' },
  ],
];

function tell(
  feed: StandInFeed,
  rest: 'secured' | 'unsecured',
  told: Told,
  now: number,
  id = FRONT_DOOR,
): void {
  const hasPosition = told === 'at-once' || told === 'no-time' || told === 'ahead' || told === 'behind';
  const report: ServiceReport = hasPosition ? turned(rest) : { type: 'bolt', bolt: null, accessor: null };
  const isDated = told !== 'no-time' && told !== 'no-position-or-time';
  const skewMs = told === 'ahead' ? 4_000 : told === 'behind' ? -2_000 : 0;
  feed.emit(report, { at: isDated ? now + skewMs : null, lockId: id });
}

class Sequence {
  readonly wrongs: string[] = [];
  readonly longest = { command: 0, told: 0, vague: 0 };
  readonly #home = new PolledHome();
  readonly #feed = new StandInFeed();
  #open: { at: number; by: keyof typeof LIMITS_MS } | null = null;
  #lockedSince: number | null = null;
  /** News without a position put what follows in doubt, too. */
  #isVague = false;

  async run(steps: readonly Step[]): Promise<void> {
    const { service, clock, runtime } = this.#home;
    service.add(FRONT_DOOR, 'secured');
    service.onMoved = (at) => this.#moved(at, 'command');
    clock.onSettled = () => this.#look();
    await this.#home.start();
    runtime.listenTo(this.#feed);
    this.#feed.emit({ type: 'battery', battery: { grade: 'normal', percent: 87 } }, { at: clock.now() });
    for (const each of steps) {
      await this.#take(each);
    }
    await clock.advance(90_000);
  }

  async #take(each: Step): Promise<void> {
    const { service, clock, runtime } = this.#home;
    switch (each.kind) {
      case 'tap':
        void runtime.request(FRONT_DOOR, each.rest);
        await clock.advance(0);
        return;
      case 'turn':
        return this.#turn(each.rest, each.told);
      case 'wait':
        await clock.advance(each.ms);
        return;
      case 'late':
        service.listedLateMs = each.ms;
        return;
      case 'part':
        service.lock().listed = !each.missing;
        service.unread = each.missing ? 1 : 0;
        return;
      case 'read-backs':
        service.readBacksHang = each.hang;
        return;
      case 'mishap':
        service.mishaps = [each.mishap];
        return;
      case 'travel':
        service.travelMs = each.ms;
    }
  }

  async #turn(rest: 'secured' | 'unsecured', told: Told): Promise<void> {
    const { service, clock } = this.#home;
    service.settle();
    if (service.lock().bolt === rest) {
      return;
    }
    service.turn(rest);
    this.#isVague ||= told !== 'at-once';
    this.#moved(clock.now(), 'told');
    tell(this.#feed, rest, told, clock.now());
    await clock.advance(0);
  }

  #moved(at: number, by: keyof typeof LIMITS_MS): void {
    const isOpen = this.#home.service.lock().bolt === 'unsecured';
    const kind = this.#isVague ? 'vague' : by;
    this.#open = isOpen ? (this.#open ?? { at, by: kind }) : null;
  }

  /** Judges the time up to now, in which the shown state did not change. */
  #look(): void {
    const now = this.#home.clock.now();
    this.#home.service.settle();
    if (this.#open !== null && this.#lockedSince !== null) {
      const { at, by } = this.#open;
      const lieMs = now - Math.max(at, this.#lockedSince);
      this.longest[by] = Math.max(this.longest[by], lieMs);
      if (lieMs > LIMITS_MS[by]) {
        this.wrongs.push(`"Locked" for ${String(lieMs)} ms on a door that was opened: ${by}`);
      }
    }
    const isLocked = this.#home.shown()[0] === 'secured';
    this.#lockedSince = isLocked ? (this.#lockedSince ?? now) : null;
  }
}

it.each([
  ['all of which are told at once', toldStep, []],
  ['some of which are told without a position that can be taken', vagueStep, FOUND_ONCE],
] as const)(
  'random turns and taps, %s, before lists 0 to 9 s late, leave "Locked" on an open door for no longer than is said (faults#140, faults#143, faults#183, faults#184)',
  async (what, step, examples) => {
    const longest = { command: 0, told: 0, vague: 0 };
    let sequences = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
        sequences += 1;
        const sequence = new Sequence();
        await sequence.run(steps);
        for (const by of ['command', 'told', 'vague'] as const) {
          longest[by] = Math.max(longest[by], sequence.longest[by]);
        }
        expect(sequence.wrongs).toEqual([]);
      }),
      { numRuns: Number(process.env['SEQUENCES'] ?? 300), examples: examples.map((steps) => [[...steps]]) },
    );
    console.log(
      `${String(sequences)} sequences of turns, ${what}: longest "Locked" on an open door ${String(longest.command)} ms after our command, ` +
        `${String(longest.told)} ms after an event, ${String(longest.vague)} ms after one without a position`,
    );
  },
  1_800_000,
);

/** So many doors at once, each with another close watch. */
const MOST_DOORS = 6;

/** Doors that open one after another, told without a position: the longest "Locked" on one that is open. */
async function openedInTurn(
  opened: readonly { readonly afterMs: number; readonly told: Told }[],
  listedLateMs: number,
): Promise<number> {
  const home = new PolledHome();
  const { service, clock, runtime } = home;
  const ids = opened.map((_, index) => lockId(`door-${String(index)}`));
  for (const id of ids) {
    service.add(id, 'secured');
  }
  await home.start();
  const feed = new StandInFeed();
  runtime.listenTo(feed);
  const battery = { grade: 'normal', percent: 87 } as const;
  feed.emit({ type: 'battery', battery }, { at: clock.now(), lockId: ids[0] ?? null });
  await clock.advance(20_000);
  service.listedLateMs = listedLateMs;
  /** Since when an open door is shown as "Locked". */
  const wrongSince = new Map<LockId, number>();
  let longestMs = 0;
  clock.onSettled = () => {
    for (const id of ids) {
      const isWrong = service.lock(id).bolt === 'unsecured' && home.shown(id)[0] === 'secured';
      const since = wrongSince.get(id) ?? clock.now();
      longestMs = Math.max(longestMs, clock.now() - since);
      if (isWrong) {
        wrongSince.set(id, since);
      } else {
        wrongSince.delete(id);
      }
    }
  };
  for (const [index, { afterMs, told }] of opened.entries()) {
    const id = ids[index] ?? FRONT_DOOR;
    await clock.advance(afterMs);
    service.turn('unsecured', id);
    tell(feed, 'unsecured', told, clock.now(), id);
    await clock.advance(0);
  }
  for (let passed = 0; passed < 70_000; passed += 100) {
    await clock.advance(100);
  }
  runtime.dispose();
  return longestMs;
}

it('up to six doors that open within seconds, told without a position, are shown as "Locked" for 10 s at most before lists 0 to 9 s late (faults#140)', async () => {
  let longestMs = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ afterMs: within(0, 4_000), told: fc.constantFrom(...VAGUE) }), {
        minLength: 1,
        maxLength: MOST_DOORS,
      }),
      within(0, LATEST_LIST_MS),
      async (opened, listedLateMs) => {
        const lieMs = await openedInTurn(opened, listedLateMs);
        longestMs = Math.max(longestMs, lieMs);
        expect(lieMs).toBeLessThanOrEqual(LIMITS_MS.vague);
      },
    ),
    { numRuns: Number(process.env['SEQUENCES'] ?? 1_000) / 10 },
  );
  console.log(
    `Several doors told without a position: longest "Locked" on an open one ${String(longestMs)} ms`,
  );
}, 1_800_000);
