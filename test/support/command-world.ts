// A small model of lock and service around the command machine, for exploring every order of what can happen to them.
import { hash } from 'node:crypto';
import type { BoltPosition, Instant } from '../../src/domain/bolt.ts';
import { type CommandId, type CommandReading, commandId } from '../../src/domain/command.ts';
import { advanceCommands, mayLeave, nextLookAt } from '../../src/domain/command-machine.ts';
import {
  type CommandEffect,
  type CommandInput,
  type CommandState,
  IDLE,
  SILENT_AFTER_MS,
  TRAVEL_MS as UNLOCK_TRAVEL_MS,
  UNREAD_AFTER_MS,
} from '../../src/domain/command-state.ts';
import { boltOf, type Lock, lockId, unknownLock } from '../../src/domain/lock.ts';
import { advanceLock } from '../../src/domain/lock-machine.ts';
import { UNLOCK_MAY_WAIT_MS } from '../../src/domain/time.ts';
import { named } from './named-lock.ts';

type Advance = typeof advanceCommands;

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
      readonly reading: CommandReading | 'busy' | 'lost';
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
  readonly running: Running | null;
  /** The last command that ended at the service. */
  readonly last: CommandReading | null;
  readonly commands: number;
  readonly preparing: { readonly key: number; readonly target: BoltPosition } | null;
  /** The command that has left and is not answered, and what the journal holds of it. */
  readonly open: {
    readonly target: BoltPosition;
    readonly issuedAt: Instant;
    readonly commandId: CommandId | null;
  } | null;
  /** When the last unlock left that the journal closed without knowing its outcome. */
  readonly uncertainUnlockAt: Instant | null;
  readonly messages: readonly Message[];
  readonly reading: CommandId | null;
  readonly taps: number;
  readonly unanswered: readonly number[];
  readonly lastTap: { readonly target: BoltPosition; readonly at: number } | null;
  /** How often an unlock was carried out, or may have been, since the last tap for it. */
  readonly unlocksSinceTap: number;
  readonly unlockLeftAt: number | null;
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
  readonly readBacks: number;
  readonly events: number;
  readonly restarts: number;
  readonly sleeps: number;
}

const NOTHING: Budget = {
  taps: 0,
  turns: 0,
  waits: 0,
  listings: 0,
  readBacks: 0,
  events: 0,
  restarts: 0,
  sleeps: 0,
};

const START = 1_000_000;
const TRAVEL_MS = 8_000;
const SLEEP_MS = 3_600_000;
/** What is older than any time limit of the machine is equally old. */
const FORGOTTEN_AFTER_MS = 70_000;
const WAITS_MS = [3_500, 12_000, 36_000];
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
    left,
    wrong: null,
  };
}

/** The machine under test, which a test may replace by a broken one to see that a defect is found. */
export class CommandWorld {
  readonly #advance: Advance;
  readonly #mayLeave: typeof mayLeave;

  constructor(advance: Advance = advanceCommands, guard: typeof mayLeave = mayLeave) {
    this.#advance = advance;
    this.#mayLeave = guard;
  }

  /** All that can happen next. */
  next(world: World): readonly World[] {
    return [
      ...this.#people(world),
      ...this.#hands(world),
      ...this.#departures(world),
      ...this.#service(world),
      ...this.#deliveries(world),
      ...this.#time(world),
    ].map((each) => this.#judge(each));
  }

  #people(world: World): readonly World[] {
    const rest = spend(world, 'taps');
    if (rest === null) {
      return [];
    }
    return (['secured', 'unsecured'] as const).map((target) => {
      const request = world.taps + 1;
      const tapped: World = {
        ...rest,
        taps: request,
        unanswered: [...world.unanswered, request],
        lastTap: { target, at: world.t },
        unlocksSinceTap: target === 'unsecured' ? 0 : world.unlocksSinceTap,
      };
      return this.#report(tapped, {
        type: 'requested',
        request,
        target,
        withinMs: Number.POSITIVE_INFINITY,
        unheardMs: 0,
      });
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
    const ready: World = { ...world, preparing: null };
    if (!this.#mayLeave(world.machine, key, t)) {
      return [
        this.#report(ready, {
          type: 'not-processed',
          key,
          mayRetry: false,
          waitMs: null,
          cause: 'aborted',
        }),
      ];
    }
    const unsent = this.#report(ready, {
      type: 'not-processed',
      key,
      mayRetry: true,
      waitMs: null,
      cause: 'unreachable',
    });
    const left = this.#report(withDeparture(ready, target), { type: 'left', key });
    const lost = withMessage(left, { kind: 'reply', key, reading: 'lost', askedAt: t });
    return [unsent, lost, this.#received(left, key, target)];
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
      listed === null ? [] : [withMessage(listed, { kind: 'listing', bolt: world.bolt, askedAt: t })];
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
    const after = ends.flatMap((reading) => {
      const ended: World = { ...world, running: null, last: reading };
      return [ended].concat(announced(ended, { kind: 'ended', reading, at: t }));
    });
    return asked.concat(after);
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
    const rest = spend(world, 'readBacks');
    if (id === null || rest === null) {
      return [];
    }
    const reading: CommandReading | null =
      running?.id === id ? { state: 'pending', commandId: id } : last?.commandId === id ? last : null;
    return reading === null
      ? [this.#report(rest, { type: 'read-back-lost', commandId: id })]
      : [withMessage(rest, { kind: 'read-back', reading, askedAt: t })];
  }

  #deliver(world: World, message: Message): World {
    switch (message.kind) {
      case 'reply':
        return this.#replied(world, message);
      case 'listing':
        return this.#reported(world, 'poll', message.bolt, message.askedAt);
      case 'moved':
        return this.#reported(world, 'event', message.bolt, message.at);
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
      case 'busy':
        return this.#report(world, { type: 'refused', key, reason: 'lock-busy', cause: 'busy' });
      default:
        return this.#report(world, { type: 'replied', key, reading, askedAt });
    }
  }

  #reported(world: World, source: 'poll' | 'event', bolt: BoltPosition, at: Instant): World {
    const lock = advanceLock(world.lock, { type: 'reported', source, at, bolt, connected: true });
    return this.#report({ ...world, lock }, { type: 'looked' });
  }

  #time(world: World): readonly World[] {
    const later = spend(world, 'waits');
    const asleep = spend(world, 'sleeps');
    const ended = spend(world, 'restarts');
    return [
      ...(later === null ? [] : WAITS_MS.map((ms) => this.#wait(later, ms))),
      ...(asleep === null ? [] : [this.#report(settledMotion(asleep, SLEEP_MS), { type: 'looked' })]),
      ...(ended === null ? [] : [this.#restart(ended)]),
    ];
  }

  /** Time passes, and every timer of the machine fires on its way. */
  #wait(before: World, ms: number): World {
    const until = before.t + ms;
    let world = before;
    for (let at = nextLookAt(world.machine); at !== null && at <= until; at = nextLookAt(world.machine)) {
      world = this.#report(settledMotion(world, Math.max(at - world.t, 0)), { type: 'looked' });
      if (nextLookAt(world.machine) === at) {
        return { ...world, wrong: 'a timer changes nothing' };
      }
    }
    return this.#report(settledMotion(world, until - world.t), { type: 'looked' });
  }

  #restart(world: World): World {
    const gone: World = {
      ...this.#report(world, { type: 'closed' }),
      machine: IDLE,
      lock: recalled(world),
      preparing: null,
      reading: null,
      messages: [],
      unanswered: [],
    };
    // With nothing open in the journal, a restart that is quicker than a bolt is beyond what can be known.
    return gone.open === null
      ? settledMotion(gone, TRAVEL_MS + 1)
      : this.#report(gone, { type: 'resumed', ...gone.open, ageMs: gone.t - gone.open.issuedAt });
  }

  #report(world: World, input: CommandInput): World {
    const { lock, t } = world;
    const { state, effects } = this.#advance(world.machine, input, {
      now: t,
      serviceNow: t,
      setBackMs: 0,
      lock: {
        bolt: boltOf(lock),
        claimedAt: lock.belief.latest?.at ?? 0,
        confirmedAgoMs: t - (lock.belief.confirmedAt ?? 0),
        presence: 'reachable',
        role: 'owner',
        linked: true,
        rules: RULES,
      },
    });
    const after = effects.reduce<World>(carryOut, { ...world, machine: state });
    // As the interpreter does: the machine looks again at what its effects changed.
    return effects.some(({ type }) => type === 'ended') ? this.#report(after, { type: 'looked' }) : after;
  }

  #judge(world: World): World {
    return world.wrong === null ? { ...world, wrong: lieOf(world) } : world;
  }
}

/** Who opened an open bolt stays so until it is locked. */
function moved(world: World, bolt: BoltPosition, by: 'hand' | 'command'): World {
  const openedBy = bolt === 'secured' ? null : world.bolt === 'unsecured' ? world.openedBy : by;
  return { ...world, bolt, openedBy };
}

/** The world with one of these less to happen; null when none is left. */
function spend(world: World, what: keyof Budget): World | null {
  const rest = world.left[what];
  return rest === 0 ? null : { ...world, left: { ...world.left, [what]: rest - 1 } };
}

/** What of a state breaks a promise, or null. */
function lieOf(world: World): string | null {
  const { machine, lock, bolt, openedBy, t, unlockLeftAt, unlocksSinceTap, unanswered } = world;
  if (unlocksSinceTap > 1) {
    return 'an unlock was carried out twice for one tap';
  }
  if (machine.active === null && machine.waiting === null && unanswered.length > 0) {
    return 'a request was never answered';
  }
  const { active } = machine;
  const mayShowUntil =
    active?.phase === 'accepted' || active?.phase === 'overdue'
      ? active.pendingAt + UNREAD_AFTER_MS
      : (unlockLeftAt ?? Number.NEGATIVE_INFINITY) + SILENT_AFTER_MS;
  return boltOf(lock) === 'secured' && bolt === 'unsecured' && openedBy !== 'hand' && t > mayShowUntil
    ? 'shows locked while it is open'
    : null;
}

/** The lock after a restart, with what the journal says of the last unlock. */
function recalled({ uncertainUnlockAt: at, t }: World): Lock {
  return at === null || t - at > UNLOCK_TRAVEL_MS
    ? EMPTY
    : advanceLock(EMPTY, { type: 'unlock-recalled', at, until: at + UNLOCK_TRAVEL_MS });
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
  return { ...world, open, wrong, unlockLeftAt: target === 'unsecured' ? t : world.unlockLeftAt };
}

function withMessage(world: World, message: Message): World {
  return { ...world, messages: [...world.messages, message] };
}

function without(world: World, message: Message): World {
  return { ...world, messages: world.messages.filter((each) => each !== message) };
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

function carryOut(world: World, effect: CommandEffect): World {
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
      return world.open === null ? world : { ...world, open: { ...world.open, commandId: effect.commandId } };
    case 'note-end':
      return {
        ...world,
        open: null,
        uncertainUnlockAt:
          effect.outcome === 'uncertain' && world.open?.target === 'unsecured'
            ? world.open.issuedAt
            : world.uncertainUnlockAt,
      };
    case 'lock':
      return { ...world, lock: advanceLock(world.lock, effect.event) };
    case 'ended':
    case 'poll-soon':
      return world;
  }
}

/** Success is answered only for what has left; nothing is answered twice. */
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
      : claimsDeparture && requests.length > 0 && !hasLeft
        ? 'success was answered for what has not left'
        : world.wrong,
  };
}

export interface Exploration {
  readonly states: number;
  readonly wrongs: ReadonlyMap<string, readonly string[]>;
}

/** Breadth first: every distinct state, and for each kind of wrong the shortest way to it. What the budget leaves out never happens. */
export function explore(world: CommandWorld, allowed: Partial<Budget>): Exploration {
  const budget = { ...NOTHING, ...allowed };
  const seen = new Set<string>();
  const wrongs = new Map<string, readonly string[]>();
  let level: readonly World[] = [initialWorld('secured', budget), initialWorld('unsecured', budget)];
  while (level.length > 0) {
    const following: World[] = [];
    for (const [state, next] of level.flatMap((each) =>
      world.next(each).map((after) => [each, after] as const),
    )) {
      const key = keyOf(next);
      if (seen.has(key)) {
        continue;
      }
      seen.add(key);
      if (next.wrong === null) {
        following.push(next);
      } else if (!wrongs.has(next.wrong)) {
        wrongs.set(next.wrong, [JSON.stringify(state), JSON.stringify(next)]);
      }
    }
    level = following;
  }
  return { states: seen.size, wrongs };
}

/** States that differ only in when they are reached, or in the order of what is under way, are the same. */
function keyOf(world: World): string {
  const { lock, messages, ...rest } = world;
  const seen = { belief: lock.belief, target: lock.target, inFlight: lock.inFlight };
  const under = messages.map((message) => JSON.stringify(message)).toSorted();
  const text = JSON.stringify({ ...rest, seen }) + under.join('');
  const relative = text.replaceAll(/\b\d{7}\b/gu, (instant) =>
    String(Math.max(Number(instant) - world.t, -FORGOTTEN_AFTER_MS)),
  );
  return hash('sha1', relative, 'base64');
}
