// The account behind the pages: every operation that they may call, answered from values that a test sets.
import { featureAddresses } from '../../../src/config/options/feature-options.ts';
import type { FeatureStatus } from '../../../src/domain/account/feature-status.ts';
import { type Message, message } from '../../../src/domain/language/message.ts';
import { type LockId, lockId } from '../../../src/domain/locks/lock.ts';
import { featureStatus } from '../../../src/panel/operations/feature-operations.ts';
import type { PageOperation } from '../../../src/panel/operations/panel-api.ts';
import type { PanelEvent } from '../../../src/panel/panel-event.ts';
import type { PanelResults } from '../../../src/panel/socket/panel-client.ts';
import type { Operations } from '../../../src/panel/socket/server.ts';
import type { ActivityView } from '../../../src/panel/views/activity.ts';
import type { LockView } from '../../../src/panel/views/lock.ts';
import type { LockSettingsView } from '../../../src/panel/views/lock-settings.ts';
import { gathered } from '../../../src/support/additions.ts';
import { systemClock } from '../../../src/support/clock.ts';
import { USUAL_SETTINGS } from '../../support/usual-settings.ts';
import { answerHistory } from './history.ts';

type Results = { -readonly [Name in PageOperation]: PanelResults[Name] };
type Answer = (input: unknown) => unknown;

/** What an operation of a feature answers; this account stands in without the feature, too. */
type OfFeature<Name extends string> = Name extends keyof Results ? Results[Name] : object;

const MINUTE_MS = 60_000;

/** The service answers, and takes it not. */
export const REFUSED = {
  ok: false,
  disposition: 'final',
  code: 'bad-configuration',
  message: message('No.'),
} as const;

/** A lock as it stands: at rest, reachable, moved by hand a while ago. */
export function aLock(name: string, options: Partial<LockView> = {}): LockView {
  const now = systemClock.now();
  return {
    id: lockId(`id-of-${name}`),
    description: { name, model: 'Deadbolt', serial: 'S-1', firmware: '1.4.2', role: 'owner' },
    bolt: 'secured',
    confirmedAt: now - 20_000,
    lastCommand: null,
    target: null,
    presence: 'reachable',
    battery: { grade: 'normal', percent: 87 },
    leftUnlockedSince: null,
    lastMove: { to: 'secured', by: { method: 'thumbturn', id: null, name: null }, at: now - 12 * MINUTE_MS },
    ...options,
  };
}

export function settingsOf(
  { id, description }: LockView,
  options: Partial<LockSettingsView> = {},
): LockSettingsView {
  return {
    id,
    accountName: description.name,
    ...USUAL_SETTINGS,
    offsetMinutes: null,
    ...options,
  };
}

/** A connected account with this many locks. */
export function linked(locks: number): StandInAccount {
  const account = new StandInAccount();
  account.saveCredentials();
  account.link = { ...account.link, state: 'linked' };
  account.hold(...Array.from({ length: locks }, (_, index) => aLock(`Lock ${String(index + 1)}`)));
  return account;
}

interface MqttFacts {
  readonly broker: string | null;
  readonly encrypted: boolean;
  readonly state: 'off' | 'starting' | 'connecting' | 'connected' | 'waiting';
  readonly trouble: Message | null;
  readonly homeAssistant: boolean;
  readonly loginFrom: 'config' | 'page' | null;
  readonly username: string | null;
  readonly topics: string | null;
  readonly refused: Readonly<Record<string, number>>;
}

export class StandInAccount {
  /** What each operation answers; a function is asked. */
  readonly answers = new Map<PageOperation, Answer>();
  readonly history = answerHistory(this.answers, systemClock.now());
  /** Everything that was called, with its input. */
  readonly calls: (readonly [PageOperation, unknown])[] = [];
  /** Set by the server of the pages. */
  publish: (event: PanelEvent) => void = () => {};
  certificates: Results['status']['certificates'] = [];
  /** The rest of a pause that is longer than any limit explains. */
  longPauseMs: number | null = null;
  locks: readonly LockView[] = [];
  settings: readonly LockSettingsView[] = [];
  activity: readonly ActivityView[] = [];
  link: Results['link.show'] = {
    state: 'unlinked',
    waiting: null,
    ended: null,
    accountChange: null,
    setAside: false,
    isRevivable: false,
  };
  partner: Results['partner.show'] = {
    authUrl: 'https://auth.partner.example',
    baseUrl: 'https://api.partner.example',
    ...featureAddresses({}),
    redirectUri: 'https://home.example/callback',
    simulated: false,
    clientId: { from: null, value: null },
    clientSecret: { from: null },
    subscriptionKeys: { from: null, count: 0 },
    missing: ['partner.clientId', 'partner.clientSecret', 'partner.subscriptionKeys'],
  };
  webhooks: Results['webhooks.status'] = {
    enabled: false,
    health: 'absent',
    because: 'not-configured',
    listener: null,
    publicUrl: null,
    address: null,
    registration: 'by-hand',
    trouble: null,
    lastEventAgoMs: null,
    answers: {},
    ignored: { foreign: 0, unrecognised: 0 },
    lastSelfTest: null,
  };
  alerts: Results['alerts.show'] = {
    options: {
      wrongCode: false,
      keypadLockedOut: false,
      activityAlarm: false,
      guestArrived: false,
      stayNotReady: false,
      jam: false,
      lowBattery: false,
      leftUnlocked: 0,
      autoLockMinutes: 0,
      unlockedByCode: [],
      movedBy: [],
      boltSensor: 'none',
      automationSwitch: 'off',
    },
    last: {},
  };
  mqtt: MqttFacts = {
    broker: null,
    encrypted: false,
    state: 'off',
    trouble: null,
    homeAssistant: false,
    loginFrom: null,
    username: null,
    topics: null,
    refused: {},
  };
  /** The service's answer to a trial of credentials. */
  check: Results['checkup'] = {
    authorization: { ok: true },
    token: REFUSED,
    keys: [{ ok: true }],
    clock: null,
    checkedAt: 0,
  };
  codeOperations: Results['codes.operations'] = [];
  guests: Results['guests.list'] = [];
  stays: OfFeature<'stays.list'> = { calendars: [], stays: [] };
  failing: PanelResults['status']['failing'] = null;
  /** How long the service has not answered a listing. */
  unansweredMs: number | null = null;
  /** The service has refused the connection, and is asked once more. */
  isDoubted = false;
  demo: PanelResults['status']['demo'] = null;
  /** How long ago the service listed the locks. */
  lastListedAgoMs: number | null = 0;
  host: 'homebridge' | 'service' = 'homebridge';

  constructor() {
    this.#answer('status', () => this.status());
    this.#answer('watch', () => this.status());
    this.#answer('partner.show', () => this.partner);
    this.#answer('partner.save', () => this.saveCredentials());
    this.#answer('checkup', () => this.check);
    this.#answer('link.show', () => this.link);
    this.#answer('link.start', () => this.startLinking());
    this.#answer('locks', () => [...this.locks]);
    this.#answer('refresh', () => [...this.locks]);
    this.#answer('locks.battery', () => []);
    this.#answer('locks.settings', () => [...this.settings]);
    this.#answer('activity', () => this.activity);

    this.#answer('webhooks.status', () => this.webhooks);
    this.#answer('alerts.show', () => this.alerts);
    this.#answerOfFeature('mqtt.status', () => this.mqtt);
    this.#answer('codes.operations', () => this.codeOperations);
    this.#answer('guests.list', () => this.guests);
    this.#answerOfFeature('stays.list', () => this.stays);
    this.#answer('guests.look', () => ({ isCompared: true }));
  }

  status(): Results['status'] {
    return {
      form: 1,
      pid: 1,
      link: this.link.state,
      locks: this.locks.length,
      failing: this.failing,
      lastListedAgoMs: this.lastListedAgoMs,
      longPauseMs: this.longPauseMs,
      certificates: this.certificates,
      host: this.host,
      unansweredMs: this.unansweredMs,
      isDoubted: this.isDoubted,
      serviceNow: systemClock.now(),
      accountName: 'Latchkey',
      demo: this.demo,
      ...gathered<FeatureStatus>(featureStatus.all),
      version: '1.0.0',
    };
  }

  /** By name alone: this account stands in without the feature, too. */
  #answerOfFeature(name: string, answer: Answer): void {
    const answers: Map<string, Answer> = this.answers;
    answers.set(name, answer);
  }

  #answer<Name extends PageOperation>(name: Name, answer: (input: unknown) => PanelResults[Name]): void {
    this.answers.set(name, answer);
  }

  /** The operations as the panel takes them: one that a test did not provide fails. */
  get operations(): Operations {
    return Object.fromEntries(
      [...this.answers.keys()].map((name) => [
        name,
        async (input: unknown) => {
          this.calls.push([name, input]);
          return this.answers.get(name)?.(input);
        },
      ]),
    );
  }

  /** How often an operation was called. */
  count(name: PageOperation): number {
    return this.calls.filter(([called]) => called === name).length;
  }

  /** Gives the account these locks, with nothing set for any of them. */
  hold(...locks: readonly LockView[]): void {
    this.locks = locks;
    this.settings = locks.map((lock) => settingsOf(lock));
  }

  /** A lock changed, and every page gets the event. */
  emit(id: LockId, change: Partial<LockView>): void {
    this.locks = this.locks.map((lock) => (lock.id === id ? { ...lock, ...change } : lock));
    for (const lock of this.locks.filter((one) => one.id === id)) {
      this.publish({ type: 'lock', lock });
    }
  }

  /** The link changed, and every page gets the event. */
  become(state: Results['link.show']['state'], rest: Partial<Results['link.show']> = {}): void {
    this.link = { ...this.link, waiting: null, state, ...rest };
    this.publish({ type: 'link', link: state });
  }

  saveCredentials(): Results['partner.show'] {
    this.partner = {
      ...this.partner,
      clientId: { from: 'page', value: 'client-1' },
      clientSecret: { from: 'page' },
      subscriptionKeys: { from: 'page', count: 1 },
      missing: [],
    };
    return this.partner;
  }

  startLinking(): Results['link.start'] {
    this.link = { ...this.link, waiting: { expiresInMs: 10 * MINUTE_MS }, ended: null };
    this.publish({ type: 'linking' });
    return {
      authorizeUrl: 'https://auth.partner.example/authorize?state=s',
      redirectUri: this.partner.redirectUri,
      expiresInMs: 10 * MINUTE_MS,
      callbackMode: 'paste',
    };
  }
}
