// Every page in every state that looks different, for the tests of the look and for pictures.

import type { BrowserContext, Page } from 'playwright-core';
import { accessCodeId } from '../../src/domain/codes/access-code.ts';
import { message } from '../../src/domain/language/message.ts';
import type { Accessor } from '../../src/domain/locks/access.ts';
import { lockId } from '../../src/domain/locks/lock.ts';
import type { CredentialListView, CredentialsView } from '../../src/features/credentials/panel/views.ts';
import type { ActivityDetail, ActivityView } from '../../src/panel/views/activity.ts';
import type { LockView } from '../../src/panel/views/lock.ts';
import { systemClock } from '../../src/support/clock.ts';
import { aLock, StandInAccount } from '../stand-ins/account/operations.ts';
import { openHomebridgeWindow } from '../stand-ins/homebridge/window.ts';
import { AccountPanel } from './account-panel.ts';
import { configureCredentials } from './credentialing.ts';
import { KeptPage } from './kept-page.ts';
import type { Visitor } from './visitor.ts';

export const BLOCK = {
  platform: 'Latchkey',
  name: 'Latchkey',
  partner: {
    authUrl: 'https://auth.partner.example',
    baseUrl: 'https://api.partner.example',
    redirectUri: 'https://home.example/callback',
  },
};

export interface Scene {
  readonly name: string;
  readonly set: (account: StandInAccount) => void;
  /** Brings the page there, once its first heading stands. */
  readonly act?: (page: Page, account: StandInAccount) => Promise<void>;
  /** Inside the Homebridge UI, with these blocks in config.json. */
  readonly blocks?: readonly Readonly<Record<string, unknown>>[];
  /** The browser is not logged in to the panel. */
  readonly isStranger?: boolean;
}

/** How a scene is opened; `pagesFolder`: other pages than those in dist/. */
interface SceneOptions {
  readonly isDark?: boolean;
  /** The page in the address of the dashboard. */
  readonly at?: string;
  /** Of the Homebridge UI. */
  readonly language?: string;
  readonly pagesFolder?: string | undefined;
  /** Done with the browser before it opens the page. */
  readonly prepare?: (context: BrowserContext) => Promise<unknown>;
}

interface OpenedScene {
  readonly page: Page;
  readonly panel: AccountPanel;
  readonly account: StandInAccount;
}

/** Opens a scene on the page that the tests of this browser use one after the other; in a window, as `openScene`. */
export async function openSceneAnew(
  visitor: Visitor,
  scene: Omit<Scene, 'name'>,
  options: SceneOptions = {},
): Promise<OpenedScene> {
  const { set, blocks, isStranger = false } = scene;
  if (blocks !== undefined) {
    return openScene(await visitor.context(), scene, options);
  }
  const { at = '', prepare } = options;
  const account = new StandInAccount();
  set(account);
  const opened = await KeptPage.of(visitor).open({
    account,
    path: at === '' ? '' : `#${at}`,
    role: isStranger ? null : undefined,
    prepare,
  });
  return { ...opened, account };
}

/** Opens the first page of a scene: on a panel of its own, or in a window like the Homebridge UI's. */
export async function openScene(
  context: BrowserContext,
  { set, blocks, isStranger = false }: Omit<Scene, 'name'>,
  { isDark = false, at = '', language = 'en', pagesFolder, prepare }: SceneOptions = {},
): Promise<OpenedScene> {
  const account = new StandInAccount();
  set(account);
  const panel = await AccountPanel.start(account, { pagesFolder });
  await prepare?.(context);
  if (!isStranger) {
    await panel.admit(context);
  }
  if (blocks !== undefined) {
    const { page } = await openHomebridgeWindow(context, panel, { blocks, dark: isDark, language });
    return { page, panel, account };
  }
  const page = await context.newPage();
  await page.goto(`${panel.url}${at === '' ? '' : `#${at}`}`);
  return { page, panel, account };
}

export const push = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).first().click();
/** On a phone, pages that are seldom needed are behind "More". */
export async function show(page: Page, name: string): Promise<void> {
  const link = page.getByRole('link', { name, exact: true });
  const more = page.getByRole('button', { name: 'More', exact: true });
  await link.or(more).first().waitFor();
  if ((await link.count()) === 0) {
    await more.click();
  }
  await link.click();
}

export function lived(account: StandInAccount): void {
  const now = systemClock.now();
  account.saveCredentials();
  account.link = { ...account.link, state: 'linked' };
  account.hold(
    aLock('Front door', {
      bolt: 'unsecured',
      target: 'secured',
      lastMove: {
        to: 'unsecured',
        by: { method: 'access-code', id: null, name: 'Dog walker' },
        at: now - 240_000,
      },
    }),
    aLock('Back door'),
    aLock('Garage', { bolt: 'jammed', battery: { grade: 'low', percent: 14 } }),
    aLock('Cellar', { bolt: 'unknown', presence: 'offline', confirmedAt: now - 5_400_000, lastMove: null }),
    aLock('Summer house', { presence: 'missing', battery: { grade: 'unknown', percent: null } }),
  );
  const [, back, garage] = account.settings;
  account.settings = account.settings.map((one) =>
    one === back
      ? { ...one, adminOnly: { value: true, from: 'config' } }
      : one === garage
        ? { ...one, hide: { value: true, from: 'page' } }
        : one,
  );
  const at = (minutes: number): number => now - minutes * 60_000;
  const entry = (number: number, minutes: number, name: string, detail: ActivityDetail): ActivityView => ({
    number,
    at: at(minutes),
    lock: { id: lockId(`id-of-${name}`), name },
    detail,
  });
  const [frontMove = null, backMove = null] = account.locks.map(({ lastMove }) => lastMove);
  const jammed = { kind: 'refused', reason: 'bolt-jammed' } as const;
  account.activity = [
    { number: 1, at: at(190), lock: null, detail: { type: 'link', link: 'linked' } },
    entry(2, 188, 'Front door', { type: 'appeared', others: 0 }),
    entry(3, 90, 'Cellar', { type: 'presence', presence: 'offline' }),
    entry(4, 41, 'Garage', { type: 'command', target: 'secured', outcome: jammed }),
    entry(5, 12, 'Back door', { type: 'bolt', bolt: 'secured', move: backMove }),
    entry(6, 6, 'Front door', { type: 'alert', alert: 'wrong-code' }),
    entry(7, 4, 'Front door', { type: 'bolt', bolt: 'unsecured', move: frontMove }),
  ];
}

/** A good day: three doors locked, and one that Anna has just opened. */
export function goodDay(account: StandInAccount): void {
  const now = systemClock.now();
  account.saveCredentials();
  account.link = { ...account.link, state: 'linked' };
  const moved = (
    name: string,
    to: 'secured' | 'unsecured',
    by: Partial<Accessor>,
    minutes: number,
    percent: number,
  ): LockView =>
    aLock(name, {
      bolt: to,
      lastMove: { to, by: { method: 'thumbturn', id: null, name: null, ...by }, at: now - minutes * 60_000 },
      battery: { grade: 'normal', percent },
    });
  const locks = [
    moved('Front door', 'unsecured', { method: 'access-code', name: 'Anna' }, 1, 87),
    moved('Back door', 'secured', {}, 95, 74),
    moved('Garage', 'secured', { method: 'own-command' }, 190, 91),
    moved('Cellar', 'secured', { method: 'auto-relock' }, 340, 66),
  ];
  account.hold(...locks);
  account.webhooks = {
    ...account.webhooks,
    enabled: true,
    health: 'healthy',
    because: 'event',
    lastEventAgoMs: 60_000,
  };
  account.activity = locks.toReversed().map(({ id, description, lastMove }, index) => ({
    number: index + 1,
    at: lastMove?.at ?? now,
    lock: { id, name: description.name },
    detail: { type: 'bolt', bolt: lastMove?.to ?? 'secured', move: lastMove },
  }));
}

/** Thirty locks, one of them jammed, one with a name from right to left, one with a long name. */
export function crowded(account: StandInAccount): void {
  lived(account);
  const names = Array.from({ length: 27 }, (_, index) => `Apartment ${String(index + 1)}`);
  account.hold(
    ...names.map((name) => aLock(name)),
    aLock('הדלת הקדמית'),
    aLock('The door at the very end of the long corridor behind the workshop on the second floor'),
    aLock('Garage', { bolt: 'jammed' }),
  );
}

function withWebhooks(account: StandInAccount): void {
  lived(account);
  account.webhooks = {
    enabled: true,
    health: 'degraded',
    because: 'missed-change',
    listener: 'http://127.0.0.1:18581',
    publicUrl: 'https://home.example',
    address: null,
    registration: 'standing',
    trouble: null,
    lastEventAgoMs: 5_400_000,
    answers: { accepted: 12 },
    ignored: { foreign: 2, unrecognised: 0 },
    lastSelfTest: { finding: 'signature-removed', status: 401, tookMs: 84, at: systemClock.now() - 60_000 },
  };
  account.answers.set('webhooks.list', () => [
    { id: '1', origin: 'https://home.example', whose: 'ours', active: true },
    { id: '2', origin: 'https://old.example', whose: 'former', active: false },
  ]);
}

const none = (): void => {};

function issued(account: StandInAccount): void {
  const list: CredentialListView = {
    unreadable: 0,
    credentials: [1, 2, 3].map((number) => ({
      id: `c-${String(number)}`,
      userId: `1b0f3c9e-7a44-4f0e-9d5e-2f6b8f0a9c1${String(number)}`,
      mobileNumber: `+1555010012${String(number)}`,
      kind: number === 3 ? 'raw' : 'card',
      cardFormat: number === 3 ? null : '26A',
      cardNumber: number === 3 ? null : 1_040 + number,
      facilityCode: number === 3 ? null : 12,
      isDownloaded: number === 1,
      siteId: number === 2 ? '8' : '7',
      siteName: number === 2 ? 'South block' : 'North block',
    })),
  };
  const view: CredentialsView = {
    loginFrom: 'vault',
    import: {
      state: 'running',
      done: 400,
      total: 1_000,
      remainingMs: 350_000,
      waitMs: 37_000,
      counts: { created: 398, failed: 2 },
      amiss: [],
      message: null,
    },
  };
  configureCredentials(account, view, list);
}

/** What each lock answers when its codes are listed. */
export function listCodes(
  account: StandInAccount,
  of: (lock: string) => Readonly<Record<string, unknown>>,
): void {
  const listed = (lock: string) => ({
    codes: [],
    strays: [],
    pinLength: 4,
    anyLength: false,
    knownLength: 4,
    refusedLengths: [],
    zoneFrom: 'option',
    mostCodes: 100,
    timeZone: 'Europe/Paris',
    ...of(lock),
  });
  account.answers.set('codes.list', (input) => listed((input as { readonly lock: string }).lock));
  account.answers.set('codes.rules', () =>
    account.locks.map(({ id }) => ({ ...listed(id), lockId: id, isRecent: true })),
  );
}

/** A lock with a few codes, of which one is being changed, and one that only the lock has. */
function coded(account: StandInAccount): void {
  lived(account);
  const lock = account.locks[0]?.id;
  const codes = [
    { id: 'code-1', name: 'Resident', pinLength: 4, readOnly: true, schedule: { kind: 'always' } },
    {
      id: 'code-2',
      name: 'Cleaner',
      pinLength: 4,
      readOnly: false,
      schedule: {
        kind: 'recurring',
        windows: [{ days: ['Monday', 'Wednesday'], from: '08:00', until: '11:00' }],
      },
    },
    {
      id: 'code-5',
      name: 'Window cleaner and chimney sweep of the whole street',
      pinLength: 6,
      readOnly: false,
      schedule: { kind: 'temporary', from: Date.UTC(2027, 0, 1, 14), until: Date.UTC(2027, 0, 3, 10) },
    },
  ].map((code) => Object.assign(code, { revision: 1 }));
  listCodes(account, (id) =>
    id === lock ? { codes, strays: [{ codeId: 'code-3', name: null, only: 'lock' }] } : {},
  );
  if (lock !== undefined) {
    const operation = {
      kind: 'update',
      codeId: accessCodeId('code-2'),
      name: 'Cleaner',
      requestedAt: 0,
    } as const;
    account.codeOperations = [
      { ...operation, id: 'a', lockId: lock, phase: 'sent', waitingFor: null, failure: null },
    ];
  }
}

type Guest = StandInAccount['guests'][number];
type OnLock = Guest['onLocks'][number];

/** How a code stands on a lock. */
export function onLock(lock: LockView, standing: OnLock['standing'], rest: Partial<OnLock> = {}): OnLock {
  const { id, description } = lock;
  const usual = { codeId: null, isLeaving: false, mayRetry: false, revision: 1 };
  return { lockId: id, lockName: description.name, standing, ...usual, ...rest };
}

/** A guest with one code on all locks at any time. */
export function aGuest(name: string, onLocks: readonly OnLock[], rest: Partial<Guest> = {}): Guest {
  const always = { schedule: { kind: 'always' }, locks: 'all', timeZone: 'Europe/Paris' } as const;
  return {
    id: name,
    name,
    nameOnLock: name,
    pinLength: 4,
    ...always,
    revision: 1,
    isLeaving: false,
    isProposed: false,
    stay: null,
    onLocks,
    ...rest,
  };
}

/** A guest with something to decide on every lock but one. */
function guested(account: StandInAccount): void {
  coded(account);
  const standings: readonly OnLock['standing'][] = [
    { kind: 'up-to-date' },
    { kind: 'differs', fields: ['name', 'pin'], found: { name: 'Anne', schedule: { kind: 'always' } } },
    {
      kind: 'waiting',
      words: message('The lock is offline. This is done when it is back.'),
      retryAt: null,
    },
  ];
  const on = account.locks.slice(0, standings.length);
  const codeId = accessCodeId('code-4');
  const ofAnna = on.map((lock, revision) =>
    onLock(lock, standings[revision] ?? { kind: 'ended' }, { codeId, revision }),
  );
  const ofBob = on
    .slice(2)
    .map((lock) => onLock(lock, { kind: 'on-its-way' }, { isLeaving: true, revision: 9 }));
  account.guests = [
    aGuest('Anna', ofAnna, { pinLength: 6 }),
    aGuest('Bob', ofBob, { pinLength: 6, isLeaving: true }),
  ];
}

async function toCodes(page: Page): Promise<void> {
  await show(page, 'Codes');
  await page.getByRole('rowgroup', { name: 'Cleaner', exact: true }).waitFor();
}

export const SCENES: readonly Scene[] = [
  { name: 'guests and codes', set: guested, act: toCodes },
  {
    name: 'guests and codes, with a menu and digits',
    set: (account) => {
      guested(account);
      account.answers.set('codes.reveal', () => ({ pin: '0417' }));
    },
    act: async (page) => {
      await toCodes(page);
      await push(page, 'More, Cleaner');
      await push(page, 'Show the code, Cleaner');
      await page.getByText('0417').waitFor();
      await push(page, 'More, Cleaner');
    },
  },
  {
    name: 'access codes, with the form of a new one',
    set: coded,
    act: async (page) => {
      await toCodes(page);
      await push(page, 'Add a code');
      await page.getByLabel('Every week').check();
      await push(page, 'Add a second window');
    },
  },
  {
    name: 'guests, with the form of a new one',
    set: guested,
    act: async (page) => {
      await toCodes(page);
      await push(page, 'Add a guest');
      await page.getByLabel('Only these').check();
    },
  },
  {
    name: 'access codes, with the question before all are removed',
    set: coded,
    act: async (page) => {
      await toCodes(page);
      await push(page, 'More, all codes');
      await push(page, 'Remove all codes of a lock');
    },
  },
  {
    name: 'credentials, with an import that waits',
    set: (account) => {
      lived(account);
      issued(account);
    },
    act: async (page) => {
      await show(page, 'Credentials');
      await page.getByText('3 credentials.').waitFor();
    },
  },

  { name: '1-begin', set: none },
  { name: '1-begin-faults', set: none, act: async (page) => push(page, 'Save and continue') },
  {
    name: '2-link',
    set: (account) => account.saveCredentials(),
    act: async (page) => {
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
    },
  },
  {
    name: '2-link-waiting',
    set: (account) => account.saveCredentials(),
    act: async (page) => {
      await push(page, 'Sign in');
      await page.getByText('Waiting for you to finish').waitFor();
    },
  },
  {
    name: '5-check',
    set: (account) => {
      account.saveCredentials();
      account.hold(
        aLock('Front door'),
        aLock('Back door', { bolt: 'unsecured' }),
        aLock('Garage', { presence: 'offline', bolt: 'unknown' }),
      );
    },
    act: async (page, account) => {
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      account.become('linked');
      await push(page, 'Continue');
      await page.getByText('You’re connected.').waitFor();
    },
  },
  { name: '6-overview', set: lived },
  { name: '6-overview-good-day', set: goodDay },
  { name: '6-overview-many', set: crowded },
  {
    name: '6-overview-unanswered',
    set: (account) => {
      lived(account);
      account.failing = {
        forMs: 40_000,
        message: message('The service failed (HTTP {status}).', { status: '503' }),
        code: 'server-fault',
        retryInMs: 13_000,
      };
    },
  },
  {
    name: '6-overview-revoked',
    set: (account) => {
      lived(account);
      account.link = { ...account.link, state: 'revoked' };
    },
  },
  {
    name: '7-history',
    set: lived,
    act: async (page) => {
      await show(page, 'History');
      await page.getByText('Dog walker').first().waitFor();
      await page.getByText('The week').waitFor();
    },
  },
  { name: '3-locks', set: lived, act: async (page) => show(page, 'Settings') },
  {
    name: '3-locks-options',
    set: lived,
    act: async (page) => {
      await show(page, 'Settings');
      await page.getByText('Name and options').nth(1).click();
    },
  },
  { name: '4-webhooks-off', set: lived, act: async (page) => show(page, 'Webhooks') },
  {
    name: '4-webhooks',
    set: withWebhooks,
    act: async (page) => {
      await show(page, 'Webhooks');
      await page.getByText('Registered addresses').click();
      await page.getByText('old.example').waitFor();
    },
  },
  {
    name: '4-webhooks-closed',
    set: (account) => {
      withWebhooks(account);
      account.webhooks = {
        ...account.webhooks,
        health: 'absent',
        because: 'not-open',
        listener: null,
        registration: 'pending',
        trouble: message('Port {port} of {host} could not be opened: another program uses it.', {
          port: '18581',
          host: '127.0.0.1',
        }),
        lastEventAgoMs: null,
        lastSelfTest: null,
      };
    },
    act: async (page) => show(page, 'Webhooks'),
  },
  { name: '7-link', set: lived, act: async (page) => show(page, 'Account') },
  {
    name: '7-another-account',
    set: (account) => {
      lived(account);
      account.link = {
        ...account.link,
        accountChange: { missing: ['Front door', 'Back door'], added: ['Office'] },
      };
    },
    act: async (page) => show(page, 'Account'),
  },
  { name: '8-login', set: lived, isStranger: true },
  { name: '9-homebridge-begin', set: none, blocks: [] },
  {
    name: '9-homebridge-in-config',
    set: (account) => {
      const from = 'config' as const;
      account.saveCredentials();
      account.partner = {
        ...account.partner,
        clientId: { from, value: 'client-1' },
        clientSecret: { from },
        subscriptionKeys: { from, count: 2 },
      };
    },
    blocks: [BLOCK],
    act: async (page) => push(page, 'Service details'),
  },
  {
    name: '3-locks-hide',
    set: lived,
    act: async (page) => {
      await show(page, 'Settings');
      await page.getByLabel('Show in Home, Front door').click();
    },
  },
  { name: '9-homebridge-locks', set: lived, blocks: [BLOCK], act: async (page) => show(page, 'Settings') },
];
