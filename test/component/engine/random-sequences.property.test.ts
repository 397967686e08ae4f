// Random sequences of taps, turns, faults, broken disks, clocks set back and restarts, against a lock whose true bolt is known.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { BoltPosition } from '../../../src/domain/locks/bolt.ts';
import { boltOf } from '../../../src/domain/locks/lock.ts';
import type { RequestAnswer } from '../../../src/engine/account-runtime.ts';
import { RetryError } from '../../../src/support/errors.ts';
import { PolledHome } from '../../homes/polled-home.ts';
import { FRONT_DOOR, type Mishap } from '../../stand-ins/service/locks.ts';
import { anyBusyLock, anyRefusedToken, anyRest, drawn, type Value, within } from './steps.ts';

/** More answers than any sequence has. */
const LONGER_THAN_ANY_SEQUENCE = 5_000;

/** How long an answer may take: longer than some bolts travel. */
const LONGEST_LATENCY_MS = 3_000;

const anyMishap = fc.oneof(
  fc.constantFrom<Mishap>(
    { kind: 'lost-reply' },
    { kind: 'lost-request' },
    { kind: 'unsent' },
    { kind: 'never-ends' },
  ),
  anyRefusedToken,
  drawn('fails', {
    reason: fc.constantFrom('bolt-jammed', 'lock-silent', 'lock-busy', 'claims-success'),
  }),
  anyBusyLock,
);
const anyStep = fc.oneof(
  { weight: 5, arbitrary: drawn('tap', { rest: anyRest }) },
  { weight: 2, arbitrary: drawn('turn', { rest: anyRest }) },
  { weight: 5, arbitrary: drawn('wait', { ms: within(0, 20_000) }) },
  { weight: 2, arbitrary: drawn('mishap', { mishap: anyMishap }) },
  { weight: 1, arbitrary: drawn('travel', { ms: within(50, 9_000) }) },
  { weight: 1, arbitrary: drawn('latency', { ms: within(0, LONGEST_LATENCY_MS) }) },
  { weight: 1, arbitrary: drawn('outage', { on: fc.boolean() }) },
  { weight: 1, arbitrary: drawn('connected', { on: fc.boolean() }) },
  // The disk takes no writes, or takes them again.
  { weight: 1, arbitrary: drawn('disk', { broken: fc.boolean() }) },
  // The service's clock is set back.
  { weight: 1, arbitrary: drawn('set-back', { ms: within(1_000, 900_000) }) },
  { weight: 1, arbitrary: drawn('restart', {}) },
);

type Step = Value<typeof anyStep>;

interface Tap {
  readonly rest: BoltPosition;
  readonly at: number;
  /** What PolledHome showed when it was tapped. */
  readonly shown: string;
  /** The same was requested or under way already. */
  readonly joins: boolean;
  answer: RequestAnswer['kind'] | null;
}

/** One run of a sequence, and what must never happen in it. */
class Sequence {
  readonly home = new PolledHome();
  readonly wrongs: string[] = [];
  /** How far the service's clock is off. */
  #aheadMs = 0;
  readonly #taps: Tap[] = [];
  readonly #departures: { readonly target: BoltPosition; readonly at: number }[] = [];

  async emit(steps: readonly Step[]): Promise<void> {
    this.home.service.add(FRONT_DOOR);
    this.home.service.onDeparture = (target) => {
      this.#judgeDeparture(target);
    };
    await (steps.some(({ kind }) => kind === 'set-back') ? this.home.measured() : this.home.start());
    this.#watch();
    for (const step of steps) {
      await this.#take(step);
    }
    await this.#rest();
  }

  async #take(step: Step): Promise<void> {
    const { service, clock } = this.home;
    switch (step.kind) {
      case 'tap':
        this.#tap(step.rest);
        await clock.advance(0);
        return;
      case 'turn':
        service.turn(step.rest);
        return;
      case 'wait':
        await clock.advance(step.ms);
        return;
      case 'mishap':
        service.mishaps = [step.mishap];
        return;
      case 'travel':
        service.travelMs = step.ms;
        return;
      case 'latency':
        service.latencyMs = step.ms;
        return;
      case 'outage':
        service.listingFault = step.on ? new RetryError('unreachable', 'No answer.') : null;
        return;
      case 'connected':
        service.lock().connected = step.on;
        return;
      case 'disk':
        this.home.journal.broken = step.broken;
        this.home.knownLocks.broken = step.broken;
        return;
      case 'set-back':
        this.#aheadMs -= step.ms;
        service.dates = Array.from({ length: LONGER_THAN_ANY_SEQUENCE }, () => this.#aheadMs);
        return;
      case 'restart':
        await this.home.restart();
        this.#watch();
    }
  }

  #tap(rest: BoltPosition): void {
    const { runtime, clock } = this.home;
    const [shown, target] = this.home.shown();
    const inFlight = runtime.locks()[0]?.inFlight?.target;
    const joins = target === rest || inFlight === rest;
    const tap: Tap = { rest, at: clock.now(), shown, joins, answer: null };
    this.#taps.push(tap);
    const asked = runtime.request(FRONT_DOOR, rest);
    void (async () => {
      tap.answer = (await asked).kind;
    })();
  }

  /** A position that a command proved must be the bolt's true one at that moment, or turned since by hand. */
  #watch(): void {
    this.home.runtime.subscribe((event) => {
      if (event.type !== 'lock-changed') {
        return;
      }
      const { lock, previous } = event;
      const healthy =
        lock.belief.latest?.source === 'command' && lock.belief.latest !== previous.belief.latest;
      this.home.service.settle();
      const command = this.home.service.lock().pending;
      if (
        healthy &&
        boltOf(lock) === lock.inFlight?.target &&
        command?.target === boltOf(lock) &&
        command.endsAt > this.home.clock.now()
      ) {
        this.wrongs.push(`confirmed ${boltOf(lock)} before the bolt moved`);
      }
    });
  }

  /** Every command that sets out answers the last tap of a person, and no unlock does so late. */
  #judgeDeparture(target: BoltPosition): void {
    this.#departures.push({ target, at: this.home.clock.now() });
    const asked = this.#taps.at(-1);
    const waited = this.home.clock.now() - (asked?.at ?? 0);
    if (asked?.rest !== target) {
      this.wrongs.push(`sent ${target} that nobody requests any more`);
    } else if (target === 'unsecured' && waited > 10_000) {
      this.wrongs.push(`sent an unlock ${waited} ms late`);
    }
  }

  /** Everything works again, and two minutes pass: now PolledHome must show the truth. */
  async #rest(): Promise<void> {
    const { service, clock } = this.home;
    service.mishaps = [];
    service.latencyMs = 0;
    service.listingFault = null;
    this.home.journal.broken = false;
    this.home.knownLocks.broken = false;
    service.lock().connected = true;
    await clock.advance(400_000);
    const truth = service.lock().bolt;
    const [shown, target] = this.home.shown();
    const stillJammed = shown === 'jammed' && truth === 'unknown';
    if (target !== null || (shown !== truth && !stillJammed)) {
      this.wrongs.push(`shows ${shown} with target ${target} where the bolt is ${truth}`);
    }
    this.#judgeAnswers();
  }

  /** What was answered with success was sent then, is what one under way was sent for, or was there already. */
  #judgeAnswers(): void {
    for (const { rest, at, shown, joins, answer } of this.#taps) {
      const isSent = this.#departures.some((one) => one.target === rest && one.at >= at);
      const isThere = answer === 'already' && rest === 'unsecured' && shown === rest;
      const isKept = isSent || isThere || (answer !== 'already' && joins);
      if (isSuccess(answer) && !isKept) {
        this.wrongs.push(`answered a request for ${rest} with ${String(answer)}, and dropped it`);
      }
    }
  }
}

function isSuccess(answer: RequestAnswer['kind'] | null): boolean {
  return answer === 'accepted' || answer === 'joined' || answer === 'already' || answer === 'uncertain';
}

it('any random sequence ends in the truth, sends nothing late, twice or unrequested, confirms nothing early, and drops no request that it answered with success (faults#28, faults#29, faults#107, faults#109, faults#112, faults#114)', async () => {
  let sequences = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 14 }), async (steps) => {
      sequences += 1;
      const sequence = new Sequence();
      await sequence.emit(steps);
      expect(sequence.wrongs).toEqual([]);
    }),
    { numRuns: Number(process.env['SEQUENCES'] ?? 300) },
  );
  console.log(
    `${String(sequences)} random sequences with refused tokens, broken disks and clocks set back: 0 wrong final states, 0 late or unrequested commands, 0 requests dropped after success`,
  );
}, 1_800_000);
