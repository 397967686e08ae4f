// The state of the account on the pages, as one value: the answers that were read, and the events since.
import type { LockId } from '../../../src/domain/locks/lock.ts';
import type { FeatureEvents, OwnEvent, PanelEvent } from '../../../src/panel/panel-event.ts';
import { type ActivityView, MAX_ACTIVITY } from '../../../src/panel/views/activity.ts';
import { t } from '../../../src/words/translate.ts';
import { FEATURE_READINGS } from '../feature-readings.ts';
import type { CallError, PageResults } from './transport.ts';
import type { FeatureReadings } from './views.ts';

const OWN_READINGS = [
  'status',
  'partner.show',
  'link.show',
  'locks',
  'locks.settings',
  'activity',
  'webhooks.status',
  'guests.list',
  'codes.operations',
] as const;

export type Reading = (typeof OWN_READINGS)[number] | keyof FeatureReadings;

/** The operations whose answers the pages keep. */
export const READINGS: readonly Reading[] = [
  ...OWN_READINGS,
  ...FEATURE_READINGS.map(({ reading }) => reading),
];

/** Answers by the operation that reads them. Null: not read yet. */
type Answers = { readonly [Name in Reading]: PageResults[Name] | null };

export interface AccountState extends Answers {
  /** Counts the events of changed access codes, by the lock. */
  readonly codesChanged: ReadonlyMap<LockId, number>;
  /** Whether events come in. */
  readonly connected: boolean;
  /** Since when the plugin has been silent, on the browser's clock; null while it answers, and everything was read since. */
  readonly lostAt: number | null;
  /** When the status was read, on the browser's clock. */
  readonly statusAt: number;
  /** When the state of webhooks was read, on the browser's clock. */
  readonly webhooksAt: number;
  /** How far the service's clock is ahead of the browser's, in milliseconds. */
  readonly aheadMs: number;
  /** Why readings failed the last time, by the reading. */
  readonly troubles: ReadonlyMap<Reading, CallError>;
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one member for each
const NOTHING_READ = Object.fromEntries(READINGS.map((reading) => [reading, null])) as {
  readonly [Name in Reading]: null;
};

export const NOTHING_KNOWN: AccountState = {
  ...NOTHING_READ,
  codesChanged: new Map(),
  connected: false,
  lostAt: null,
  statusAt: 0,
  webhooksAt: 0,
  aheadMs: 0,
  troubles: new Map(),
};

/** The account after a reading failed, or succeeded (null). */
export function withTrouble(state: AccountState, reading: Reading, trouble: CallError | null): AccountState {
  const troubles = new Map(state.troubles);
  if (trouble === null) {
    troubles.delete(reading);
  } else {
    troubles.set(reading, trouble);
  }
  return { ...state, troubles };
}

/** Whether an account is linked, so that its locks are reported; true until it is known. */
function isLinked(state: AccountState): boolean {
  return (state['link.show']?.state ?? 'linked') === 'linked';
}

/** What runs the plugin, for sentences that name it: Homebridge unless it is the service of `latchkey serve`. */
export function hostOf({ status }: Pick<AccountState, 'status'>): PageResults['status']['host'] {
  return status?.host ?? 'homebridge';
}

/** Nothing is received from the plugin: its last report may no longer hold. */
export function isPluginLost({ lostAt }: Pick<AccountState, 'lostAt'>): boolean {
  return lostAt !== null;
}

/** Whether the locks are as they are shown, as far as can be known: else they only were. */
export function isCurrent(state: AccountState): boolean {
  return isLinked(state) && outageOf(state) === null;
}

/** The loss between the page and the locks, at most one: the first missing part on the way. */
export type Outage =
  | { readonly lost: 'plugin'; readonly since: number; readonly retryAt: null }
  | {
      readonly lost: 'service';
      readonly since: number;
      /** When it is asked again, on the browser's clock; null: it is being asked. */
      readonly retryAt: number | null;
      /** Why; null: there is no answer at all. */
      readonly message: string | null;
      /** Only a person with the credentials can end this loss. */
      readonly isRefusal: boolean;
    };

export function outageOf({ lostAt, status, statusAt }: AccountState): Outage | null {
  if (lostAt !== null) {
    return { lost: 'plugin', since: lostAt, retryAt: null };
  }
  if (status === null || status.link !== 'linked') {
    return null;
  }
  const { failing, unansweredMs, isDoubted } = status;
  // The service has answered: it is not silence that keeps the locks from being read.
  if (isDoubted && failing === null) {
    const message = t('The lock service refuses this connection. It is asked once more.');
    return { lost: 'service', since: statusAt, retryAt: null, message, isRefusal: false };
  }
  if (failing !== null) {
    const { forMs, retryInMs, message, code } = failing;
    return {
      lost: 'service',
      since: statusAt - forMs,
      retryAt: retryInMs === null ? null : statusAt + retryInMs,
      message: t(message),
      isRefusal: code === 'bad-configuration',
    };
  }
  return unansweredMs === null
    ? null
    : { lost: 'service', since: statusAt - unansweredMs, retryAt: null, message: null, isRefusal: false };
}

/** Why the list of locks cannot be relied on, in words; null when it can. */
export function listTrouble({ status }: Pick<AccountState, 'status'>): string | null {
  if (status === null) {
    return t('Loading locks …');
  }
  if (status.link !== 'linked') {
    return t('The account is not connected, so its locks cannot be read.');
  }
  if (status.failing !== null) {
    return t('The locks cannot be listed at the moment.');
  }
  return status.lastListedAgoMs === null ? t('Loading locks …') : null;
}

type Told<Type extends PanelEvent['type']> = Extract<PanelEvent, { readonly type: Type }>;

/** What an event tells by itself; after the others an answer has to be read again, if anything. */
const CHANGES: {
  readonly [Type in PanelEvent['type']]?: (state: AccountState, event: Told<Type>) => AccountState;
} = {
  lock: (state, { lock }) => changed(state, 'locks', (locks) => withOne(locks, lock)),
  'lock-removed': (state, event) =>
    changed(state, 'locks', (locks) => locks.filter(({ id }) => id !== event.id)),
  link: (state, event) => changed(state, 'link.show', (link) => ({ ...link, state: event.link })),
  activity: (state, event) => changed(state, 'activity', (known) => withEvent(known, event.activity)),
  'code-operation': (state, { operation }) =>
    changed(state, 'codes.operations', (known) => withOne(known, operation)),
  codes: (state, { id }) => ({
    ...state,
    codesChanged: new Map(state.codesChanged).set(id, (state.codesChanged.get(id) ?? 0) + 1),
  }),
};

/** The account after an event, as far as the event tells by itself. */
export function afterEvent<Type extends PanelEvent['type']>(
  state: AccountState,
  event: Told<Type> & { readonly type: Type },
): AccountState {
  return CHANGES[event.type]?.(state, event) ?? state;
}

/** An answer that was not read yet is not changed either: its reader gets the event as well. */
function changed<Name extends Reading>(
  state: AccountState,
  name: Name,
  change: (known: NonNullable<AccountState[Name]>) => AccountState[Name],
): AccountState {
  const known = state[name];
  return known === null ? state : { ...state, [name]: change(known) };
}

/** The answers that each event makes out of date, beyond its own content. */
const READINGS_AFTER: Readonly<Record<Exclude<OwnEvent['type'], 'lock'>, readonly Reading[]>> = {
  link: ['link.show', 'status', 'locks', 'locks.settings', 'partner.show'],
  linking: ['link.show'],
  'account-change': ['link.show', 'locks', 'locks.settings'],
  'lock-removed': ['locks.settings'],
  'lock-settings': ['locks.settings'],
  webhooks: ['webhooks.status'],
  activity: [],
  alert: [],
  'command-ended': [],
  codes: [],
  guests: ['guests.list'],
  stays: [],
  'code-operation': [],
};

export function readingsAfter(state: AccountState, event: PanelEvent): readonly Reading[] {
  if (event.type === 'lock') {
    return state.locks?.some(({ id }) => id === event.lock.id) === true ? [] : ['locks.settings'];
  }
  const ofFeatures = FEATURE_READINGS.filter(({ after }) => after === event.type);
  return [
    ...(isOfFeature(event) ? [] : READINGS_AFTER[event.type]),
    ...ofFeatures.map(({ reading }) => reading),
  ];
}

function isOfFeature(event: { readonly type: string }): event is { readonly type: keyof FeatureEvents } {
  return !Object.hasOwn(READINGS_AFTER, event.type);
}

/** A known id again replaces its entry. */
function withOne<One extends { readonly id: unknown }>(known: readonly One[], one: One): One[] {
  return known.some(({ id }) => id === one.id)
    ? known.map((other) => (other.id === one.id ? one : other))
    : [...known, one];
}

/** A known number again replaces its entry. */
function withEvent(known: readonly ActivityView[], entry: ActivityView): ActivityView[] {
  return [...known.filter(({ number }) => number !== entry.number), entry]
    .sort((one, other) => one.number - other.number)
    .slice(-MAX_ACTIVITY);
}
