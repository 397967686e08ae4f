// Further scenes: pages that only some homes have, questions before a loss, and messages after a failure.

import type { Page } from 'playwright-core';
import { accessCodeId, type CodeSchedule } from '../../src/domain/codes/access-code.ts';
import { message } from '../../src/domain/language/message.ts';
import { systemClock } from '../../src/support/clock.ts';
import { aLock, type StandInAccount } from '../stand-ins/account/operations.ts';
import { configureCredentials } from './credentialing.ts';
import { familyWeek } from './family-week.ts';
import { HOST_SCENES } from './host-scenes.ts';
import { aGuest, BLOCK, goodDay, listCodes, lived, onLock, push, type Scene, show } from './scenes.ts';
import { STAY_SCENES } from './stay-scenes.ts';

/** A broker that refuses the login. */
function brokered(account: StandInAccount): void {
  lived(account);
  account.mqtt = {
    broker: 'mqtt://192.168.1.4:1883',
    encrypted: false,
    state: 'waiting',
    trouble: message('The broker rejected the user name or password. Check both.'),
    homeAssistant: true,
    loginFrom: 'page',
    username: 'latchkey',
    topics: null,
    refused: {},
  };
}

/** Thirty locks, of which every kind of trouble has one. */
function troubled(account: StandInAccount): void {
  lived(account);
  const now = systemClock.now();
  account.hold(
    ...Array.from({ length: 25 }, (_, index) => aLock(`Apartment ${String(index + 1)}`)),
    aLock('Attic', { presence: 'missing' }),
    aLock('Cellar', { presence: 'offline', bolt: 'unknown' }),
    aLock('Garage', { bolt: 'jammed' }),
    aLock('Workshop', { bolt: 'unsecured' }),
    aLock('Shed', {
      bolt: 'unsecured',
      leftUnlockedSince: now - 1_500_000,
      battery: { grade: 'critical', percent: 4 },
    }),
  );
  const outcome = { kind: 'uncertain', reason: 'lock-silent' } as const;
  account.activity = ['Cellar', 'Workshop'].map((name, index) => ({
    number: index + 1,
    at: now - 60_000,
    lock: { id: aLock(name).id, name },
    detail: { type: 'command', target: 'secured', outcome },
  }));
}

/** Three guests, each with one code where it should be. */
function guestsOnAGoodDay(account: StandInAccount): void {
  goodDay(account);
  listCodes(account, () => ({}));
  const guest = (name: string, schedule: CodeSchedule, lockNames: readonly string[] | 'all') => {
    const on = account.locks.filter(
      ({ description }) => lockNames === 'all' || lockNames.includes(description.name),
    );
    const onLocks = on.map((lock) => onLock(lock, { kind: 'up-to-date' }, { codeId: accessCodeId(name) }));
    return aGuest(name, onLocks, { schedule, locks: lockNames === 'all' ? 'all' : on.map(({ id }) => id) });
  };
  account.guests = [
    guest('Anna', { kind: 'always' }, 'all'),
    guest(
      'Cleaner',
      { kind: 'recurring', windows: [{ days: ['Monday', 'Thursday'], from: '08:00', until: '11:00' }] },
      ['Front door', 'Back door'],
    ),
    guest(
      'Family visit',
      { kind: 'temporary', from: Date.UTC(2027, 3, 16, 13), until: Date.UTC(2027, 3, 19, 9) },
      ['Front door', 'Garage'],
    ),
  ];
}

/** Alerts of each kind that are on, and one that was recorded. */
export const ALERTS = {
  jam: true,
  leftUnlocked: 15,
  unlockedByCode: ['Anna', 'Dog walker'],
  movedBy: ['keypad'],
  boltSensor: 'occupancy',
} as const;

function alerted(account: StandInAccount): void {
  lived(account);
  const [lock] = account.locks;
  const at = systemClock.now() - 26 * 3_600_000;
  account.alerts = {
    options: { ...account.alerts.options, ...ALERTS },
    last: lock === undefined ? {} : { jam: { at, lock: lock.id, lockName: lock.description.name } },
  };
}

const toAlerts = async (page: Page): Promise<void> => {
  await show(page, 'Alerts');
  await page.getByRole('heading', { name: 'For automations' }).waitFor();
};

const toMqtt = async (page: Page): Promise<void> => {
  await show(page, 'MQTT');
  await page.getByText('Not connected. Trying again.').waitFor();
};

export const MORE_SCENES: readonly Scene[] = [
  { name: '6-overview-family-week', set: familyWeek },
  {
    name: '7-history-family-week',
    set: familyWeek,
    act: async (page) => {
      await show(page, 'History');
      await page.getByText('Dog walker').first().waitFor();
      await page.getByText('The week').waitFor();
    },
  },
  {
    name: 'codes-good-day',
    set: guestsOnAGoodDay,
    act: async (page) => {
      await show(page, 'Codes');
      await page.getByText('3 guests.').waitFor();
    },
  },
  {
    name: '6-overview-left-unlocked',
    set: (account) => {
      lived(account);
      account.hold(
        aLock('Front door', { bolt: 'unsecured', leftUnlockedSince: systemClock.now() - 900_000 }),
        aLock('Back door'),
      );
    },
  },
  { name: '4-alerts', set: alerted, act: toAlerts },
  {
    name: '9-homebridge-alerts',
    set: alerted,
    blocks: [{ ...BLOCK, alerts: { ...ALERTS, wrongCode: { enabled: true } } }],
    act: toAlerts,
  },
  { name: '6-overview-many-troubles', set: troubled },
  {
    name: '6-overview-lock-all',
    set: troubled,
    act: async (page) => {
      await push(page, 'Lock all, 2 unlocked');
      await page.getByText('Locking in 5 seconds: Shed and Workshop').waitFor();
    },
  },
  {
    name: '6-overview-not-found',
    set: troubled,
    act: async (page) => {
      await page.getByLabel('Search locks').fill('nowhere');
      await page.getByText('No matching locks.').waitFor();
    },
  },
  {
    name: '6-overview-forget',
    set: lived,
    act: async (page) => {
      await page.getByRole('button', { name: 'Forget this lock, Summer house' }).click();
      await page.getByText('It leaves Home with its room').waitFor();
    },
  },
  {
    name: '6-overview-demo',
    set: (account) => {
      lived(account);
      account.demo = { doorsUrl: 'http://127.0.0.1:18582/' };
    },
  },
  { name: '6-overview-empty', set: (account) => (lived(account), account.hold()) },
  {
    name: '7-history-nothing',
    set: lived,
    act: async (page) => {
      await show(page, 'History');
      await page.getByText('The week').waitFor();
      await page.getByLabel('Person or code').fill('Nobody at all');
      await page.keyboard.press('Enter');
    },
  },
  {
    name: '7-history-jumped',
    set: lived,
    act: async (page) => {
      await show(page, 'History');
      await page
        .getByLabel('Jump to date')
        .fill(new Date(systemClock.now() - 2 * 86_400_000).toISOString().slice(0, 10));
      await page.getByText('Showing entries up to').waitFor();
      await page.getByRole('heading', { name: 'Today', exact: true }).waitFor({ state: 'detached' });
    },
  },
  {
    name: '7-history-exporting',
    set: (account) => {
      lived(account);
      account.answers.set('history.export', () => new Promise(() => {}));
    },
    act: async (page) => {
      await show(page, 'History');
      await push(page, 'Export CSV');
      await page.getByText('Exporting').waitFor();
    },
  },
  { name: '4-mqtt', set: brokered, act: toMqtt },
  {
    name: '4-mqtt-forget',
    set: brokered,
    act: async (page) => {
      await toMqtt(page);
      await push(page, 'Forget, the login');
    },
  },
  {
    name: '8-credentials-login',
    set: (account) => {
      lived(account);
      configureCredentials(account, { loginFrom: null, import: null });
    },
    act: async (page) => {
      await show(page, 'Credentials');
      await page.getByText('Log in to the interface').waitFor();
      await push(page, 'Log in');
    },
  },
  {
    name: '7-link-disconnect',
    set: lived,
    act: async (page) => {
      await show(page, 'Account');
      await push(page, 'Disconnect, this account');
    },
  },
  {
    name: '7-link-end',
    set: (account) => {
      lived(account);
      account.answers.set('ending.show', () => ({
        account: 'Latchkey',
        codes: [
          { name: 'Anna', locks: ['Front door', 'Garage'] },
          { name: 'Stay 12-15 Dec', locks: ['Front door'] },
        ],
        calendars: [{ name: 'Flat', from: 'page' }],
        webhooks: true,
        broker: null,
        isConnected: true,
      }));
    },
    act: async (page) => {
      await show(page, 'Account');
      await page.locator('summary', { hasText: 'End this account' }).click();
      await page.getByText('Use this before you remove the plugin.').waitFor();
      await page.locator('summary', { hasText: 'End this account' }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: '2-link-refused',
    set: (account) => {
      account.saveCredentials();
      account.link = {
        ...account.link,
        ended: {
          outcome: 'client-refused',
          message: message('The service rejected the client ID or secret.'),
        },
      };
    },
    act: async (page) => {
      await push(page, 'Edit credentials');
      await page.getByRole('heading', { name: 'Your credentials' }).waitFor();
    },
  },
  {
    name: '9-homebridge-lost',
    set: lived,
    blocks: [BLOCK],
    act: async (page) => {
      await page.getByRole('article').first().waitFor();
      await page.evaluate(() => {
        document.body.dataset['serverProcess'] = 'killed';
      });
      await page.getByText('No connection to the plugin.').waitFor();
    },
  },
  { name: '9-homebridge-demo', set: () => {}, blocks: [{ ...BLOCK, partner: undefined, demo: true }] },
  ...STAY_SCENES,
  ...HOST_SCENES,
];
