// A small model of lock and service around the command machine, for exploring every order of events.
import { hash } from 'node:crypto';
import { type CommandId, type CommandReading, commandId } from '../../src/domain/commands/command.ts';
import { advanceCommands, mayLeave, nextCheckAt, shownTarget } from '../../src/domain/commands/machine.ts';
import {
  type CommandEffect,
  type CommandInput,
  type CommandState,
  IDLE,
  SILENT_AFTER_MS,
  UNANSWERED_AFTER_MS,
  UNREAD_AFTER_MS,
} from '../../src/domain/commands/state.ts';
import type { BoltPosition } from '../../src/domain/locks/bolt.ts';
import type { LockEvent } from '../../src/domain/locks/event.ts';
import { boltOf, type Lock, lockId, unknownLock } from '../../src/domain/locks/lock.ts';
import { advanceLock } from '../../src/domain/locks/machine.ts';
import { nextListingAt } from '../../src/domain/polling/poll-policy.ts';
import type { Instant } from '../../src/domain/time/instant.ts';
import { UNLOCK_MAY_WAIT_MS, TRAVEL_MS as UNLOCK_TRAVEL_MS } from '../../src/domain/time/time.ts';
import { named } from './named-lock.ts';

/** The explored machines: a test may replace a part by a broken one, to see that a defect is found. */
export interface Machines {
  readonly advanceCommands: typeof advanceCommands;
  readonly mayLeave: typeof mayLeave;
  readonly nextLookAt: typeof nextCheckAt;
  readonly advanceLock: typeof advanceLock;
  readonly boltOf: typeof boltOf;
}

const REAL: Machines = { advanceCommands, mayLeave, nextLookAt: nextCheckAt, advanceLock, boltOf };

/** A command as the service has it. Its bolt moves within the time that most bolts take, or not at all. */
interface Running {
  readonly id: CommandId;
  readonly target: BoltPosition;
  readonly startedAt: number;
  readonly motion: 'waits' | 'moved' | 'stuck';
}

type Message =
  | {
      readonly kind: 'reply';
      readonly key: number;
      readonly reading: CommandReading | 'busy' | 'lost' | 'refused-token' | 'jammed';
      readonly askedAt: Instant;
    }
  | { readonly kind: 'listing'; readonly bolt: BoltPosition; readonly askedAt: Instant }
  | { readonly kind: 'read-back'; readonly reading: CommandReading; readonly askedAt: Instant }
  | { readonly kind: 'moved'; readonly bolt: BoltPosition; readonly at: Instant }
  | { readonly kind: 'ended'; readonly reading: CommandReading; readonly at: Instant };

/** Everything that is so at one moment. Plain data, so that two equal moments are explored once. */
export interface World {
  readonly t: number;
  readonly machine: CommandState;
  readonly lock: Lock;
  readonly bolt: BoltPosition;
  /** Who opened it last; null while it is locked, and at the beginning. */
  readonly openedBy: 'hand' | 'command' | null;
  /** The last two positions before, and until when: a listing that lags still shows one. */
  readonly former: readonly { readonly bolt: BoltPosition; readonly until: number }[];
  /** An event has told that it was opened, since it was. */
  readonly isOpenTold: boolean;
  readonly running: Running | null;
  /** The last command that ended at the service. */
  readonly last: CommandReading | null;
  readonly commands: number;
  readonly preparing: { readonly key: number; readonly target: BoltPosition } | null;
  /** The command that was sent and is not answered, and its rows in the journal. */
  readonly open: {
    readonly target: BoltPosition;
    readonly issuedAt: Instant;
    readonly commandId: CommandId | null;
  } | null;
  /** When the last unlock was sent that the journal closed without an outcome. */
  readonly uncertainUnlockAt: Instant | null;
  readonly messages: readonly Message[];
  readonly reading: CommandId | null;
  readonly taps: number;
  readonly unanswered: readonly number[];
  readonly lastTap: { readonly target: BoltPosition; readonly at: number } | null;
  /** How often an unlock was carried out, or may have been, since the last tap for it. */
  readonly unlocksSinceTap: number;
  readonly unlockLeftAt: number | null;
  /** When a command last set out, whatever became of it. */
  readonly departedAt: number | null;
  /** When the locks were to be read soon; null once that has been done, and while nobody asked. */
  readonly pollSoonAt: number | null;
  /** Only while the service goes on answering: when the locks were listed last, and the command read back. */
  readonly listedAt: number | null;
  readonly readAt: number | null;
  /** The bolt has been open since before a restart that found nothing under way at the service. */
  readonly isOpenSinceRestart: boolean;
  /** Time has passed, and the machine does not know of it yet. */
  readonly isHeldUp: boolean;
  readonly left: Budget;
  readonly wrong: string | null;
}

/** How often each thing may happen in one sequence. */
export interface Budget {
  readonly taps: number;
  /** Turns by hand, which the service announces only while there is an event left. */
  readonly turns: number;
  readonly waits: number;
  readonly listings: number;
  /** Listings that show where the bolt was some seconds ago. */
  readonly lags: number;
  /** Listings of which the part with the lock is missing. */
  readonly parts: number;
  readonly readBacks: number;
  readonly events: number;
  readonly restarts: number;
  readonly sleeps: number;
  /** Answers 401 to a command: it leaves once more with a new token, or there is none. */
  readonly tokens: number;
  /** Commands that are not processed, for a reason of its own: a pause of the service, or a link that has ended. */
  readonly pauses: number;
  /** Bolts that jam, at once or on their way. */
  readonly jams: number;
  /** Ends of commands that other programs sent. */
  readonly strangers: number;
  /** Read-backs that the service refuses for good. */
  readonly refusedReadings: number;
  /** Read-backs that fail for now, or have no answer. */
  readonly missedReadings: number;
  /** The machine is so busy that its timers come late. */
  readonly holdUps: number;
}

/** The scope of an exploration: how often each event happens, and with which times. */
export interface Scenario extends Budget {
  readonly targets: readonly BoltPosition[];
  /** How long a tap may have waited to be read, and how soon the one who asked gives up. */
  readonly tapped: readonly { readonly unheardMs: number; readonly withinMs: number }[];
  readonly waitsMs: readonly number[];
}

const NOTHING: Budget = {
  taps: 0,
  turns: 0,
  waits: 0,
  listings: 0,
  lags: 0,
  parts: 0,
  readBacks: 0,
  events: 0,
  restarts: 0,
  sleeps: 0,
  tokens: 0,
  pauses: 0,
  jams: 0,
  strangers: 0,
  refusedReadings: 0,
  missedReadings: 0,
  holdUps: 0,
};

const ONE_READING: Budget = { ...NOTHING, readBacks: 1 };

const START = 1_000_000;
const TRAVEL_MS = 8_000;
/** A listing is so late at most. */
const LAG_MS = 9_000;
const SLEEP_MS = 3_600_000;
/** What is older than any time limit of the machine is equally old. */
const FORGOTTEN_AFTER_MS = 70_000;
const HOLD_UP_MS = 10_500;
const PLAIN = {
  targets: ['secured', 'unsecured'],
  tapped: [{ unheardMs: 0, withinMs: Number.POSITIVE_INFINITY }],
  waitsMs: [3_500, 12_000, 36_000],
} as const;
/** While webhooks arrive, the locks are listed so seldom. */
const POLL_MS = 60_000;
/** The longest time limit of anything: how long a "lock" may wait or be under way. */
const LONGEST_LIMIT_MS = 65_000;
/** A reading and its answer. */
const READING_MS = 2_000;
/** The last of the listings after a command, and its answer. */
const CLOSE_WATCH_MS = 15_000 + READING_MS;
/** Longer than a "lock" may wait, be under way, and be looked for. */
const SETTLED_AFTER_MS = 65_000 + 65_000 + POLL_MS + READING_MS;
const RULES = { remoteUnlock: true, force: false };
const DESCRIPTION = named('door');
const EMPTY = unknownLock(lockId('door'), DESCRIPTION);

function lockShowing(bolt: BoltPosition, at: Instant): Lock {
  return advanceLock(EMPTY, { type: 'reported', source: 'poll', at, bolt, connected: true });
}

function initialWorld(bolt: BoltPosition, left: Budget): World {
  return {
    t: START,
    machine: IDLE,
    lock: lockShowing(bolt, START),
    bolt,
    openedBy: null,
    former: [],
    isOpenTold: false,
    running: null,
    last: null,
    commands: 0,
    preparing: null,
    open: null,
    uncertainUnlockAt: null,
    messages: [],
    reading: null,
    taps: 0,
    unanswered: [],
    lastTap: null,
    unlocksSinceTap: 0,
    unlockLeftAt: null,
    departedAt: null,
    pollSoonAt: null,
    listedAt: null,
    readAt: null,
    isOpenSinceRestart: false,
    isHeldUp: false,
    left,
    wrong: null,
  };
}

/** The machine under test with a lock and a service, and everything that can happen to them. */
class CommandWorld {
  readonly #machines: Machines;
  readonly #scenario: Omit<Scenario, keyof Budget>;
  /** The types of all inputs that the machine was given. */
  readonly fed = new Set<CommandInput['type']>();

  constructor(machines: Partial<Machines>, scenario: Omit<Scenario, keyof Budget>) {
    this.#machines = { ...REAL, ...machines };
    this.#scenario = scenario;
  }

  /** All that can happen next. */
  next(world: World): readonly World[] {
    return [
      ...this.#people(world),
      ...this.#hands(world),
      ...this.#departures(world),
      ...this.#service(world),
      ...this.#deliveries(world),
      ...this.#strangers(world),
      ...this.#time(world),
    ].map((each) => this.#judge(world, each));
  }

  #people(world: World): readonly World[] {
    const rest = spend(world, 'taps');
    if (rest === null) {
      return [];
    }
    const taps = this.#scenario.targets.flatMap((target) =>
      this.#scenario.tapped.map((tapped) => ({ target, ...tapped })),
    );
    return taps.map(({ target, unheardMs, withinMs }) => {
      const request = world.taps + 1;
      const tapped: World = {
        ...rest,
        taps: request,
        unanswered: [...world.unanswered, request],
        lastTap: lastTapWith(world, target, unheardMs),
        unlocksSinceTap: target === 'unsecured' ? 0 : world.unlocksSinceTap,
      };
      return this.#report(tapped, { type: 'requested', request, target, withinMs, unheardMs });
    });
  }

  #hands(world: World): readonly World[] {
    const rest = spend(world, 'turns');
    if (rest === null) {
      return [];
    }
    const bolt = world.bolt === 'secured' ? 'unsecured' : 'secured';
    const turned = moved(rest, bolt, 'hand');
    // Dated a little ahead: the service's clock and ours never quite agree.
    return [turned, ...announced(turned, { kind: 'moved', bolt, at: world.t + 1 })];
  }

  /** A command that is prepared leaves, is lost on its way, or never gets a connection. */
  #departures(world: World): readonly World[] {
    const { preparing, t } = world;
    if (preparing === null) {
      return [];
    }
    const { key, target } = preparing;
    const ready = this.#asked(world, key);
    if (ready.preparing === null) {
      return [ready];
    }
    const unsent = this.#notProcessed(ready, key, { mayRetry: true, waitMs: null });
    const left = this.#left(ready, key, target);
    const lost = withMessage(left, { kind: 'reply', key, reading: 'lost', askedAt: t });
    const paused = spend(ready, 'pauses');
    const refused = spend(left, 'tokens');
    const jammed = spend(left, 'jams');
    return [
      unsent,
      lost,
      this.#received(left, key, target),
      ...(paused === null
        ? []
        : [
            this.#notProcessed(paused, key, { mayRetry: true, waitMs: 3_000 }),
            this.#notProcessed(paused, key, { mayRetry: false, waitMs: null }),
          ]),
      ...(refused === null
        ? []
        : [withMessage(refused, { kind: 'reply', key, reading: 'refused-token', askedAt: t })]),
      ...(jammed === null || world.running !== null
        ? []
        : [withMessage(jammed, { kind: 'reply', key, reading: 'jammed', askedAt: t })]),
    ];
  }

  /** Asks whether it may leave, as the client does before each try; null in `preparing` where it may not. */
  #asked(before: World, key: number): World {
    // A timer that comes late leaves the machine without the time: only the guard knows it.
    const world = before.isHeldUp ? before : this.#report(before, { type: 'leaving', key });
    if (this.#machines.mayLeave(world.machine, key, world.t)) {
      return world;
    }
    const { lastTap, t } = world;
    const isWanted = lastTap?.target === world.preparing?.target && world.unanswered.includes(world.taps);
    const isInTime = lastTap !== null && t - lastTap.at < 1_900;
    const ended = this.#notProcessed(world, key, { mayRetry: false, waitMs: null });
    return isWanted && isInTime && world.machine.active?.key === key
      ? { ...ended, wrong: 'what is wanted and in time may not leave' }
      : ended;
  }

  #left(world: World, key: number, target: BoltPosition): World {
    return this.#report({ ...withDeparture(world, target), preparing: null }, { type: 'left', key });
  }

  #notProcessed(
    world: World,
    key: number,
    how: { readonly mayRetry: boolean; readonly waitMs: number | null },
  ): World {
    return this.#report({ ...world, preparing: null }, { type: 'not-processed', key, ...how, cause: 'none' });
  }

  #received(world: World, key: number, target: BoltPosition): World {
    const { t, running } = world;
    if (running !== null) {
      return withMessage(world, { kind: 'reply', key, reading: 'busy', askedAt: t });
    }
    const id = commandId(`c${String(world.commands + 1)}`);
    const started: World = {
      ...world,
      commands: world.commands + 1,
      running: { id, target, startedAt: t, motion: 'waits' },
      unlocksSinceTap: world.unlocksSinceTap + (target === 'unsecured' ? 1 : 0),
    };
    return withMessage(started, {
      kind: 'reply',
      key,
      reading: { state: 'pending', commandId: id },
      askedAt: t,
    });
  }

  /** The bolt moves, or the command ends: well, in contradiction, or without a word of the bolt. */
  #service(world: World): readonly World[] {
    const { running, t } = world;
    const listed = spend(world, 'listings');
    const asked =
      listed === null
        ? this.#lateLists(world)
        : [withMessage(listed, { kind: 'listing', bolt: world.bolt, askedAt: t }), ...this.#lateLists(world)];
    if (running === null) {
      return asked;
    }
    const { id, target, motion } = running;
    if (motion === 'waits') {
      const there: World = {
        ...moved(world, target, 'command'),
        running: { ...running, motion: 'moved' },
      };
      return [
        ...asked,
        there,
        ...announced(there, { kind: 'moved', bolt: target, at: t }),
        { ...world, running: { ...running, motion: 'stuck' } },
      ];
    }
    const lost: CommandReading = { state: 'failed', commandId: id, reason: 'lock-silent' };
    const other = target === 'secured' ? 'unsecured' : 'secured';
    const ends: readonly CommandReading[] =
      motion === 'moved'
        ? [{ state: 'successful', commandId: id, bolt: target }, lost]
        : [{ state: 'successful', commandId: id, bolt: other }, lost];
    const jammed = motion === 'stuck' ? spend(world, 'jams') : null;
    const after = ends.flatMap((reading) => {
      const ended: World = { ...world, running: null, last: reading };
      return [ended].concat(announced(ended, { kind: 'ended', reading, at: t }));
    });
    const reading: CommandReading = { state: 'failed', commandId: id, reason: 'bolt-jammed' };
    const jam: readonly World[] = jammed === null ? [] : [{ ...jammed, running: null, last: reading }];
    return asked.concat(after, jam);
  }

  /** A listing shows what was so up to nine seconds ago, or leaves the lock out. */
  #lateLists(world: World): readonly World[] {
    const late = spend(world, 'lags');
    const part = spend(world, 'parts');
    const shown = world.former.filter(({ until }) => until > world.t - LAG_MS);
    return [
      ...(late === null
        ? []
        : shown.map(({ bolt }) => withMessage(late, { kind: 'listing', bolt, askedAt: world.t }))),
      ...(part === null ? [] : [this.#told(part, { type: 'left-out', at: world.t })]),
    ];
  }

  #deliveries(world: World): readonly World[] {
    const delivered = world.messages.map((message) => this.#deliver(without(world, message), message));
    const lost = world.messages.flatMap((message) =>
      message.kind === 'reply' && message.reading !== 'lost'
        ? [withMessage(without(world, message), { ...message, reading: 'lost' })]
        : [],
    );
    return [...delivered, ...lost, ...this.#readBacks(world)];
  }

  #readBacks(world: World): readonly World[] {
    const { reading: id, running, last, t } = world;
    const refused = id === null ? null : spend(world, 'refusedReadings');
    const unknown: World[] =
      refused === null || id === null
        ? []
        : [this.#report(refused, { type: 'read-back-lost', commandId: id })];
    const missed = id === null ? null : spend(world, 'missedReadings');
    if (missed !== null && id !== null) {
      unknown.push(this.#report(missed, { type: 'read-back-missed', commandId: id }));
    }
    const rest = spend(world, 'readBacks');
    if (id === null || rest === null) {
      return unknown;
    }
    const reading: CommandReading | null =
      running?.id === id ? { state: 'pending', commandId: id } : last?.commandId === id ? last : null;
    return reading === null
      ? [...unknown, this.#report(rest, { type: 'read-back-lost', commandId: id })]
      : [...unknown, withMessage(rest, { kind: 'read-back', reading, askedAt: t })];
  }

  #deliver(world: World, message: Message): World {
    switch (message.kind) {
      case 'reply':
        return this.#replied(world, message);
      case 'listing':
        return this.#reported(world, 'poll', message.bolt, message.askedAt);
      case 'moved':
        return withOpenTold(this.#reported(world, 'event', message.bolt, message.at), message);
      case 'read-back':
        return this.#report(world, { type: 'read-back', reading: message.reading, askedAt: message.askedAt });
      case 'ended':
        return this.#report(world, { type: 'end-reported', reading: message.reading, at: message.at });
    }
  }

  #replied(world: World, { key, reading, askedAt }: Extract<Message, { kind: 'reply' }>): World {
    switch (reading) {
      case 'lost':
        return this.#report(world, { type: 'reply-lost', key });
      case 'jammed':
        return this.#report(world, { type: 'refused', key, reason: 'bolt-jammed', cause: 'jam' });
      case 'refused-token': {
        const target = world.machine.active?.target ?? 'secured';
        return this.#asked({ ...world, preparing: { key, target } }, key);
      }
      case 'busy':
        return this.#report(world, { type: 'refused', key, reason: 'lock-busy', cause: 'busy' });
      default:
        return this.#report(world, { type: 'replied', key, reading, askedAt });
    }
  }

  #reported(world: World, source: 'poll' | 'event', bolt: BoltPosition, at: Instant): World {
    return this.#told(world, { type: 'reported', source, at, bolt, connected: true });
  }

  #told(world: World, event: LockEvent): World {
    const lock = this.#machines.advanceLock(world.lock, event);
    return this.#report({ ...world, lock }, { type: 'checked' });
  }

  /** Another program's command ends, which proves nothing about ours. */
  #strangers(world: World): readonly World[] {
    const rest = spend(world, 'strangers');
    const reading: CommandReading = { state: 'successful', commandId: commandId('other') };
    return rest === null ? [] : [this.#report(rest, { type: 'end-reported', reading, at: world.t })];
  }

  #time(world: World): readonly World[] {
    const heldUp = spend(world, 'holdUps');
    const later = spend(world, 'waits');
    const asleep = spend(world, 'sleeps');
    const ended = spend(world, 'restarts');
    return [
      ...(later === null ? [] : this.#scenario.waitsMs.map((ms) => this.#wait(later, ms))),
      ...(asleep === null ? [] : [this.#report(settledMotion(asleep, SLEEP_MS), { type: 'checked' })]),
      ...(ended === null ? [] : [this.#restart(ended)]),
      ...(heldUp === null ? [] : [{ ...settledMotion(heldUp, HOLD_UP_MS), isHeldUp: true }]),
    ];
  }

  /** Time passes, and every timer of the machine fires on its way. */
  #wait(before: World, ms: number): World {
    const until = before.t + ms;
    let world = before;
    for (
      let at = this.#machines.nextLookAt(world.machine);
      at !== null && at <= until;
      at = this.#machines.nextLookAt(world.machine)
    ) {
      world = this.#report(settledMotion(world, Math.max(at - world.t, 0)), { type: 'checked' });
      if (this.#machines.nextLookAt(world.machine) === at) {
        return { ...world, wrong: 'a timer changes nothing' };
      }
    }
    return this.#report(settledMotion(world, until - world.t), { type: 'checked' });
  }

  #restart(world: World): World {
    const gone: World = {
      ...this.#report(world, { type: 'closed' }),
      machine: IDLE,
      isOpenTold: false,
      lock: this.#recalled(world),
      preparing: null,
      reading: null,
      messages: [],
      unanswered: [],
      isOpenSinceRestart: world.bolt === 'unsecured' && world.running === null,
    };
    // With nothing open in the journal, a restart that is quicker than a bolt is beyond what can be known.
    return gone.open === null
      ? settledMotion(gone, TRAVEL_MS + 1)
      : this.#report(gone, { type: 'resumed', ...gone.open, ageMs: gone.t - gone.open.issuedAt });
  }

  /** The lock after a restart, with what the journal says of the last unlock. */
  #recalled({ uncertainUnlockAt: at, t }: World): Lock {
    return at === null || t - at > UNLOCK_TRAVEL_MS
      ? EMPTY
      : this.#machines.advanceLock(EMPTY, { type: 'unlock-recalled', at, until: at + UNLOCK_TRAVEL_MS });
  }

  #report(world: World, input: CommandInput): World {
    const { lock, t } = world;
    const { boltOf: bolt, advanceCommands: advance } = this.#machines;
    this.fed.add(input.type);
    const { state, effects } = advance(world.machine, input, {
      now: t,
      serviceNow: t,
      setBackMs: 0,
      lock: {
        bolt: bolt(lock),
        claimedAt: lock.belief.latest?.at ?? 0,
        confirmedAgoMs: t - (lock.belief.confirmedAt ?? 0),
        presence: 'reachable',
        role: 'owner',
        linked: true,
        rules: RULES,
      },
    });
    const after = effects.reduce<World>((each, effect) => this.#carryOut(each, effect), {
      ...world,
      machine: state,
      isHeldUp: false,
    });
    // As the interpreter does: the machine looks again at what its effects changed.
    return effects.some(({ type }) => type === 'ended') ? this.#report(after, { type: 'checked' }) : after;
  }

  #judge(before: World, world: World): World {
    return world.wrong === null ? { ...world, wrong: this.#lieOf(before, world) } : world;
  }

  /** What of a state breaks a promise, or null. */
  #lieOf(before: World, world: World): string | null {
    const { machine, lock, t, unlocksSinceTap, unanswered } = world;
    if (unlocksSinceTap > 1) {
      return 'an unlock was carried out twice for one tap';
    }
    if (machine.active === null && machine.waiting === null && unanswered.length > 0) {
      return 'a request was never answered';
    }
    if (lock.target !== shownTarget(machine)) {
      return 'the shown target is not what is asked for';
    }
    if (!this.#endsByItself(machine, t)) {
      return 'something is in flight for ever';
    }
    return this.#machines.boltOf(lock) === 'secured'
      ? (falseProof(before, world) ?? falseLocked(world))
      : null;
  }

  /** Whatever is open has a time limit near enough; only a call without an answer ends by the call itself. */
  #endsByItself(machine: CommandState, t: number): boolean {
    const { active, waiting, trailing } = machine;
    if (active === null && waiting === null && trailing === null) {
      return true;
    }
    const lookAt = this.#machines.nextLookAt(machine);
    return lookAt === null ? active?.phase === 'sent' : lookAt <= t + LONGEST_LIMIT_MS;
  }

  #carryOut(world: World, effect: CommandEffect): World {
    switch (effect.type) {
      case 'send':
        return { ...world, preparing: { key: effect.key, target: effect.target } };
      case 'answer':
        return answered(world, effect);
      case 'start-reading':
        return { ...world, reading: effect.commandId };
      case 'stop-reading':
        return { ...world, reading: null };
      case 'note-id':
        return world.open === null
          ? world
          : { ...world, open: { ...world.open, commandId: effect.commandId } };
      case 'note-end':
        return closedInJournal(world, effect.outcome);
      case 'lock':
        return { ...world, lock: this.#machines.advanceLock(world.lock, effect.event) };
      case 'ended':
        return effect.outcome.kind === 'moved' ? this.#judgeMoved(world, effect.target) : world;
      case 'poll-soon':
        return { ...world, pollSoonAt: world.t };
    }
  }

  /** A command is called done only by what is not older than it. */
  #judgeMoved(world: World, target: BoltPosition): World {
    const { belief } = world.lock;
    const isOld = (belief.latest?.at ?? 0) < (world.departedAt ?? 0);
    return isOld && this.#machines.boltOf(world.lock) === target
      ? { ...world, wrong: 'a position from before a command ended it' }
      : world;
  }
  /**
   * The service goes on answering and nobody acts: what is under way ends, the lock is shown as it is, and nothing stays open.
   * Null where that is so.
   */
  deafness(from: World): string | null {
    let world: World = { ...from, left: NOTHING, listedAt: from.t, readAt: from.t };
    const withinMs = isFollowed(from) ? CLOSE_WATCH_MS : POLL_MS + READING_MS;
    let quietAt: number | null = null;
    while (world.t - from.t <= SETTLED_AFTER_MS) {
      const isQuiet = this.#isQuiet(world);
      quietAt = isQuiet ? (quietAt ?? world.t) : null;
      if (isQuiet && this.#machines.boltOf(world.lock) === world.bolt) {
        return null;
      }
      if (quietAt !== null && world.t > quietAt + withinMs) {
        return isFollowed(from)
          ? 'the lock is not read after the end of a command'
          : 'the lock is not shown as it is after a poll';
      }
      world = this.#calmly(world);
      if (world.wrong !== null) {
        return world.wrong;
      }
    }
    return quietAt === null ? 'something is in flight for ever' : 'the lock is never shown as it is';
  }

  #isQuiet({ machine, running, preparing, messages, unanswered, lock, t }: World): boolean {
    const { inFlight, target } = lock;
    const isTravelling =
      inFlight !== null && (inFlight.until === null || inFlight.until > t + UNLOCK_TRAVEL_MS);
    const isIdle = machine.active === null && machine.waiting === null && machine.trailing === null;
    const isDone = running === null && preparing === null && messages.length === 0;
    return isIdle && isDone && unanswered.length === 0 && target === null && !isTravelling;
  }

  /** The next thing that happens then. */
  #calmly(world: World): World {
    const { messages, preparing, running, t } = world;
    const [message] = messages;
    if (message !== undefined) {
      return this.#deliver(without(world, message), message);
    }
    if (preparing !== null) {
      const ready = this.#asked(world, preparing.key);
      return ready.preparing === null
        ? ready
        : this.#received(this.#left(ready, preparing.key, preparing.target), preparing.key, preparing.target);
    }
    if (running !== null && t >= running.startedAt + (running.motion === 'waits' ? 1_000 : 2_000)) {
      return calmlyRun(world, running);
    }
    const readAt = world.reading === null ? Number.POSITIVE_INFINITY : (world.readAt ?? t) + 1_000;
    if (t >= readAt) {
      const [read = world] = this.#readBacks({ ...world, left: ONE_READING });
      return { ...read, left: NOTHING, readAt: t };
    }
    const listAt = listingDueAt(world);
    if (t >= listAt) {
      const listed = withMessage(world, { kind: 'listing', bolt: world.bolt, askedAt: t });
      return { ...listed, listedAt: t };
    }
    const lookAt = this.#machines.nextLookAt(world.machine) ?? Number.POSITIVE_INFINITY;
    const next = Math.min(readAt, listAt, lookAt, nextMotionAt(world));
    return this.#report(settledMotion(world, Math.max(next - t, 1)), { type: 'checked' });
  }
}

/** An unlock that was read too late is refused, and overtakes nothing. One that was asked for again is as late as the last. */
function lastTapWith({ lastTap, t }: World, target: BoltPosition, unheardMs: number): World['lastTap'] {
  if (target === 'unsecured' && unheardMs > UNLOCK_MAY_WAIT_MS) {
    return lastTap;
  }
  const at = lastTap?.target === target ? Math.max(lastTap.at, t - unheardMs) : t - unheardMs;
  return { target, at };
}

/** A command's end proves "locked" only where the bolt has moved since, in this process. */
function falseProof(before: World, { lock, isOpenSinceRestart, running }: World): string | null {
  const { latest } = lock.belief;
  if (latest?.source !== 'command' || latest === before.lock.belief.latest) {
    return null;
  }
  if (isOpenSinceRestart) {
    return 'shows locked from before a restart';
  }
  return running?.target === 'secured' && running.motion === 'waits'
    ? 'shows locked before the bolt has moved'
    : null;
}

/** "Locked" may outlast an unlock of ours only until it has been silent for too long. */
function falseLocked({
  machine: { active },
  bolt,
  openedBy,
  isOpenTold,
  t,
  unlockLeftAt,
  isHeldUp,
}: World): string | null {
  if (bolt === 'unsecured' && isOpenTold) {
    return 'shows locked though an event told that it is open';
  }
  const mayShowUntil =
    active?.phase === 'accepted' || active?.phase === 'overdue'
      ? active.pendingAt + (active.unansweredRead ? UNANSWERED_AFTER_MS : UNREAD_AFTER_MS)
      : (unlockLeftAt ?? Number.NEGATIVE_INFINITY) + SILENT_AFTER_MS;
  return bolt === 'unsecured' && openedBy !== 'hand' && !isHeldUp && t > mayShowUntil
    ? 'shows locked while it is open'
    : null;
}

/** Whether the machine follows a command to an end that no event reports: such an event is dated, and needs no reading. */
function isFollowed({ running, machine, messages }: World): boolean {
  return running !== null && machine.active?.commandId === running.id && !messages.some(isEnd);
}

/** Who opened an open bolt stays so until it is locked. */
function moved(world: World, bolt: BoltPosition, by: 'hand' | 'command'): World {
  const openedBy = bolt === 'secured' ? null : world.bolt === 'unsecured' ? world.openedBy : by;
  const isOpenSinceRestart = world.isOpenSinceRestart && bolt === 'unsecured';
  if (bolt === world.bolt) {
    return { ...world, openedBy, isOpenSinceRestart };
  }
  const former = [{ bolt: world.bolt, until: world.t }, ...world.former].slice(0, 2);
  return { ...world, bolt, openedBy, former, isOpenTold: false, isOpenSinceRestart };
}

/** An event of the present opening has come in; an earlier one says nothing of it. */
function withOpenTold(world: World, { bolt, at }: Extract<Message, { kind: 'moved' }>): World {
  const isOfThis = bolt === 'unsecured' && at >= (world.former[0]?.until ?? 0);
  return isOfThis && world.bolt === 'unsecured' ? { ...world, isOpenTold: true } : world;
}

function isEnd({ kind }: Message): boolean {
  return kind === 'ended';
}

/** When the plugin lists the locks next, by its own policy. */
function listingDueAt({ t, listedAt, pollSoonAt }: World): number {
  return nextListingAt({
    now: t,
    lastAskedAt: listedAt,
    watchedSince: pollSoonAt === null ? [] : [pollSoonAt],
    outage: null,
    emptyInDoubt: false,
    webhooks: 'healthy',
    idleMs: POLL_MS / 2,
    healthyMs: POLL_MS,
    random: 0,
  });
}

function nextMotionAt({ running, t }: World): number {
  const first = running === null ? Number.POSITIVE_INFINITY : running.startedAt + 1_000;
  return first > t ? first : first + 1_000;
}

/** The bolt moves and the command succeeds; one that is stuck fails. */
function calmlyRun(world: World, running: Running): World {
  const { id, target, motion } = running;
  if (motion === 'waits') {
    return { ...moved(world, target, 'command'), running: { ...running, motion: 'moved' } };
  }
  const last: CommandReading =
    motion === 'moved'
      ? { state: 'successful', commandId: id, bolt: target }
      : { state: 'failed', commandId: id, reason: 'lock-silent' };
  return { ...world, running: null, last };
}

/** The world with one of these less to happen; null when none is left. */
function spend(world: World, what: keyof Budget): World | null {
  const rest = world.left[what];
  return rest === 0 ? null : { ...world, left: { ...world.left, [what]: rest - 1 } };
}

function withDeparture(world: World, target: BoltPosition): World {
  const { lastTap, t } = world;
  const open = { target, issuedAt: t, commandId: null };
  const wrong =
    lastTap?.target !== target
      ? `sent ${target} that was no longer the last request`
      : target === 'unsecured' && t - lastTap.at >= UNLOCK_MAY_WAIT_MS
        ? 'sent an unlock late'
        : null;
  return {
    ...world,
    open,
    wrong: wrong ?? world.wrong,
    departedAt: t,
    isOpenSinceRestart: false,
    unlockLeftAt: target === 'unsecured' ? t : world.unlockLeftAt,
  };
}

function withMessage(world: World, message: Message): World {
  return { ...world, messages: [...world.messages, message] };
}

function without(world: World, message: Message): World {
  return { ...world, messages: world.messages.filter((each) => each !== message) };
}

function closedInJournal(world: World, outcome: string): World {
  const isUncertain = outcome === 'uncertain' && world.open?.target === 'unsecured';
  return {
    ...world,
    open: null,
    uncertainUnlockAt: isUncertain && world.open !== null ? world.open.issuedAt : world.uncertainUnlockAt,
  };
}

/** The service's event about it, while the budget has one. */
function announced(world: World, message: Message): readonly World[] {
  const rest = spend(world, 'events');
  return rest === null ? [] : [withMessage(rest, message)];
}

/** The bolt of a command that did not move in time does not move any more. */
function settledMotion(world: World, ms: number): World {
  const { running, t } = world;
  const isStuck = running?.motion === 'waits' && t + ms - running.startedAt > TRAVEL_MS;
  return { ...world, t: t + ms, running: isStuck ? { ...running, motion: 'stuck' } : running };
}

/** Success is answered only for a command that was sent; nothing is answered twice. */
function answered(
  world: World,
  { requests, target, answer }: Extract<CommandEffect, { type: 'answer' }>,
): World {
  const isTwice = requests.some((request) => !world.unanswered.includes(request));
  const claimsDeparture =
    answer.kind === 'accepted' || answer.kind === 'uncertain' || answer.kind === 'joined';
  const hasLeft = world.open?.target === target;
  return {
    ...world,
    unanswered: world.unanswered.filter((request) => !requests.includes(request)),
    wrong: isTwice
      ? 'a request was answered twice'
      : answer.kind === 'already' && (world.lock.belief.latest?.at ?? 0) < (world.departedAt ?? 0)
        ? 'a position from before our last command fulfilled a request'
        : claimsDeparture && requests.length > 0 && !hasLeft
          ? 'success was answered for what has not left'
          : world.wrong,
  };
}

export interface Exploration {
  readonly states: number;
  readonly wrongs: ReadonlyMap<string, readonly string[]>;
  readonly fed: ReadonlySet<CommandInput['type']>;
}

/** Breadth first: every distinct state, and for each kind of wrong the shortest way to it. What the scenario leaves out never happens. */
export function explore(
  scenario: Partial<Scenario>,
  machines: Partial<Machines> = {},
  { stopAtFirst = false }: { readonly stopAtFirst?: boolean } = {},
): Exploration {
  // The times are of the scenario; what is spent is counted.
  const { targets, tapped, waitsMs, ...counts } = { ...PLAIN, ...NOTHING, ...scenario };
  const world = new CommandWorld(machines, { targets, tapped, waitsMs });
  const budget: Budget = counts;
  const seen = new Set<string>();
  const wrongs = new Map<string, readonly string[]>();
  const judged = (state: World, next: World): boolean => {
    const key = keyOf(next);
    if (seen.has(key)) {
      return false;
    }
    seen.add(key);
    const wrong = next.wrong ?? world.deafness(next);
    if (wrong !== null && !wrongs.has(wrong)) {
      wrongs.set(wrong, [JSON.stringify(state), JSON.stringify(next)]);
    }
    return wrong === null;
  };
  // Depth first: all states of one depth at a time take more memory than a process has.
  const open = [initialWorld('secured', budget), initialWorld('unsecured', budget)];
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    for (const next of world.next(state)) {
      if (judged(state, next)) {
        open.push(next);
      }
    }
    if (stopAtFirst && wrongs.size > 0) {
      break;
    }
  }
  return { states: seen.size, wrongs, fed: world.fed };
}

/** States that differ only in when they are reached, or in the order of what is under way, are the same. */
function keyOf({ lock: { belief, target, inFlight }, messages, ...rest }: World): string {
  const under = messages.map((message) => relative(message, rest.t)).toSorted();
  const parts = [...Object.values(rest), belief, target, inFlight, ...under];
  return hash('sha1', parts.map((part) => relative(part, rest.t)).join('|'), 'base64');
}

/** Its text, in which each instant is told by how long ago it is. */
function relative(part: unknown, now: number): string {
  if (typeof part === 'number') {
    return part < START ? String(part) : String(Math.max(part - now, -FORGOTTEN_AFTER_MS));
  }
  if (typeof part !== 'object' || part === null) {
    return String(part);
  }
  const { words, instants } = writtenOf(part);
  return words + instants.map((at) => relative(at, now)).join(' ');
}

interface Written {
  readonly words: string;
  readonly instants: readonly number[];
}

/** Most parts of a state are those of the state before: they are written once. */
const written = new WeakMap<object, Written>();

function writtenOf(part: object): Written {
  const known = written.get(part);
  if (known !== undefined) {
    return known;
  }
  const instants: number[] = [];
  const words = JSON.stringify(part).replaceAll(/\b\d{7}\b/gu, (instant) => {
    instants.push(Number(instant));
    return '@';
  });
  const made = { words, instants };
  written.set(part, made);
  return made;
}
