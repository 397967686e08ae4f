// The modules of an account runtime, constructed and joined over one event bus.
import type { FileAgeStore } from '../domain/codes/ports.ts';
import type { LockRules } from '../domain/commands/intent-policy.ts';
import type { AttributionFacts } from '../domain/history/move-attribution-policy.ts';
import type { LeftUnlockedLimits } from '../domain/locks/left-unlocked-policy.ts';
import type { LockId } from '../domain/locks/lock.ts';
import { NO_MOVES } from '../domain/locks/move.ts';
import type {
  CommandJournal,
  HistoryArchive,
  HistoryPages,
  KnownLockStore,
  LockGateway,
  LockHistory,
} from '../domain/ports.ts';
import { AccessCodes, type AccessCodesParts } from './codes/access-codes.ts';
import { FileAge } from './codes/file-age.ts';
import { Guests } from './codes/guests.ts';
import { LeftUnlockedWatch } from './commands/left-unlocked-watch.ts';
import { LockCommands } from './commands/lock-commands.ts';
import { FoundMoves } from './history/found-moves.ts';
import { HistoryAudit } from './history/history-audit.ts';
import { HistoryReader } from './history/history-reader.ts';
import type { Join } from './joined-feature.ts';
import type { CommonParts } from './locks/common-parts.ts';
import { EventBus } from './locks/event-bus.ts';
import { KnownLocks } from './locks/known-locks.ts';
import { type LockChange, LockStore } from './locks/lock-store.ts';
import { ListingLoop, type PollingLimits } from './polling/listing-loop.ts';
import { ListingReader } from './polling/listing-reader.ts';
import { StalenessLoop } from './polling/staleness-loop.ts';
import { EventIntake } from './webhooks/event-intake.ts';
import { WebhookMonitor } from './webhooks/monitor.ts';

export interface AccountRuntimeParts extends Omit<CommonParts, 'bus' | 'store'> {
  readonly journal: CommandJournal;
  readonly rulesFor: (id: LockId) => LockRules;
  readonly limits: PollingLimits;
  readonly leftUnlocked: LeftUnlockedLimits;
  /** A number from 0 up to 1, for jitter. */
  readonly random: () => number;
  /** The user of the link, as far as its token shows; null when it does not. */
  readonly subject: () => string | null;
  readonly gateway: LockGateway;
  readonly knownLocks: KnownLockStore;
  readonly codes: AccessCodesParts['codes'] & { readonly age: FileAgeStore };
  readonly randomDigits: (count: number) => string;
  /** Modules of features, which receive an event after those that they build on. */
  readonly joining: readonly Join[];
  /** Past events: the service keeps them for a while, the archive for longer. */
  readonly memory: {
    readonly service: LockHistory;
    readonly archive: HistoryArchive;
    readonly pages: Pick<HistoryPages, 'page'>;
  };
}

export type RuntimeModules = ReturnType<typeof composeModules>;

/** Modules receive an event in the order in which they are constructed here; `ending`: those to dispose of, in order. */
export function composeModules(parts: AccountRuntimeParts) {
  const bus = new EventBus(parts.log);
  const emitChange = (change: LockChange): void => {
    bus.publish(change);
    // Last: the consequences of a change must not be emitted before the change itself.
    commands.checkLimits();
  };
  const store = new LockStore(emitChange, {
    bounds: () => parts.serviceClock.bounds(),
    staleBefore: () => staleness.staleBefore,
  });
  const knownLocks = new KnownLocks(parts.knownLocks, parts.log);
  const common = { ...parts, ...parts.memory, bus, store, knownLocks };
  const webhooks = new WebhookMonitor(common);
  const polling = new ListingLoop({ ...common, webhooks, listings: new ListingReader(common) });
  const staleness = new StalenessLoop({ ...common, polling });
  const commands = new LockCommands({ ...parts, bus, store, staleness });
  const age = new FileAge({ ...common, age: parts.codes.age });
  const codes = new AccessCodes({ ...common, codes: parts.codes, webhooks, age });
  const guests = new Guests({ ...common, codes, age });
  const joined = parts.joining.map((join) => join({ ...common, codes, guests }));
  const attribution = (id: LockId): AttributionFacts => ({
    recent: store.get(id)?.recent ?? NO_MOVES,
    subject: parts.subject(),
    calledBy: (codeId) => guests.calledBy(id, codeId),
  });
  const ended = eitherOf(commands, codes);
  const intake = new EventIntake({ ...parts, bus, store, webhooks, attribution, commands: ended });
  const history = new HistoryReader({ ...common, attribution });
  const audit = new HistoryAudit({ ...common, reader: history, commands, webhooks });
  const foundMoves = new FoundMoves({ ...common, reader: history, webhooks });
  const leftUnlocked = new LeftUnlockedWatch({ ...common, commands });
  return {
    bus,
    store,
    knownLocks,
    staleness,
    webhooks,
    polling,
    commands,
    codes,
    guests,
    joined,
    intake,
    history,
    ending: [
      polling,
      staleness,
      webhooks,
      intake,
      audit,
      foundMoves,
      leftUnlocked,
      commands,
      ...joined,
      guests,
      codes,
      age,
    ],
  };
}

/** Passes on the end of a command, to move a bolt or on access codes. */
function eitherOf(commands: LockCommands, codes: AccessCodes): Pick<LockCommands, 'ended'> {
  return { ended: (id, reading, at) => commands.ended(id, reading, at) || codes.changes.ended(id, reading) };
}
