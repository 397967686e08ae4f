// The modules of an account runtime, constructed and joined over one event bus.
import type { GuestStore } from '../domain/code-ports.ts';
import type { LockRules } from '../domain/intent-policy.ts';
import type { LeftUnlockedLimits } from '../domain/left-unlocked-policy.ts';
import type { LockId } from '../domain/lock.ts';
import type {
  CommandJournal,
  HistoryArchive,
  HistoryPages,
  KnownLockStore,
  LockGateway,
  LockHistory,
} from '../domain/ports.ts';
import { AccessCodes, type AccessCodesParts } from './codes/access-codes.ts';
import { Guests } from './codes/guests.ts';
import { LockCommands } from './commands/lock-commands.ts';
import type { CommonParts } from './common-parts.ts';
import { EventBus } from './event-bus.ts';
import { EventIntake } from './events/event-intake.ts';
import { WebhookMonitor } from './events/webhook-monitor.ts';
import { HistoryAudit } from './history/history-audit.ts';
import { HistoryReader } from './history/history-reader.ts';
import { LeftUnlockedWatch } from './left-unlocked/left-unlocked-watch.ts';
import { ListingLoop, type PollingLimits } from './polling/listing-loop.ts';
import { ListingReader } from './polling/listing-reader.ts';
import { KnownLocks } from './state/known-locks.ts';
import { type LockChange, LockStore } from './state/lock-store.ts';
import { StalenessLoop } from './state/staleness-loop.ts';

export interface AccountRuntimeParts extends Pick<CommonParts, 'link' | 'clock' | 'serviceClock' | 'log'> {
  readonly gateway: LockGateway;
  readonly journal: CommandJournal;
  readonly knownLocks: KnownLockStore;
  /** The user of the link, as far as its token shows; null when it does not. */
  readonly subject: () => string | null;
  readonly limits: PollingLimits;
  readonly rulesFor: (id: LockId) => LockRules;
  /** A number from 0 up to 1, for jitter. */
  readonly random: () => number;
  readonly codes: AccessCodesParts['codes'] & { readonly guests: GuestStore };
  readonly leftUnlocked: LeftUnlockedLimits;
  /** Past events: the service keeps them for a while, the archive for longer. */
  readonly memory: {
    readonly service: LockHistory;
    readonly archive: HistoryArchive;
    readonly pages: HistoryPages;
  };
}

export type RuntimeModules = ReturnType<typeof composeModules>;

/** Modules receive an event in the order in which they are constructed here; `ending`: those to dispose of, in order. */
export function composeModules(parts: AccountRuntimeParts) {
  const bus = new EventBus(parts.log);
  const emitChange = (change: LockChange): void => {
    bus.publish(change);
    // Last, so that nobody hears what follows from a change before the change itself.
    commands.look();
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
  const codes = new AccessCodes({ ...common, codes: parts.codes, webhooks });
  const guests = new Guests({ ...common, codes, guests: parts.codes.guests });
  const intake = new EventIntake({ ...parts, bus, store, webhooks, commands: eitherOf(commands, codes) });
  const history = new HistoryReader(common);
  const audit = new HistoryAudit({ ...common, reader: history, commands, webhooks });
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
    intake,
    history,
    ending: [polling, staleness, webhooks, intake, audit, leftUnlocked, commands, guests, codes],
  };
}

/** The end of a command is of a bolt or of access codes. */
function eitherOf(commands: LockCommands, codes: AccessCodes): Pick<LockCommands, 'ended'> {
  return { ended: (id, reading, at) => commands.ended(id, reading, at) || codes.ended(id, reading) };
}
