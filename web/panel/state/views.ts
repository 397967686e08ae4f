// The pages of an account, in the order of their tabs, and the places that an address can name.
import { type Message, message } from '../../../src/domain/language/message.ts';
import { type LockId, lockId } from '../../../src/domain/locks/lock.ts';
import type { PageOperation } from '../../../src/panel/operations/panel-api.ts';

export const TITLES = {
  overview: message('Overview'),
  locks: message('Settings'),
  history: message('History'),
  codes: message('Codes'),
  stays: message('Stays'),
  alerts: message('Alerts'),
  credentials: message('Credentials'),
  webhooks: message('Webhooks'),
  mqtt: message('MQTT'),
  link: message('Account'),
} as const satisfies Readonly<Record<string, Message>>;

export type View = keyof typeof TITLES;

/** What a login has to be allowed to ask for, so that the page is offered. */
export const NEEDED: Readonly<Record<View, PageOperation>> = {
  overview: 'activity',
  locks: 'locks.settings',
  history: 'history.look',
  codes: 'guests.add',
  stays: 'stays.add',
  alerts: 'alerts.show',
  credentials: 'credentials.show',
  webhooks: 'webhooks.status',
  mqtt: 'mqtt.status',
  link: 'partner.show',
};

/** Pages in the order of their tabs, which is the same everywhere. */
export const VIEWS: readonly View[] = [
  'overview',
  'locks',
  'history',
  'codes',
  'stays',
  'alerts',
  'credentials',
  'webhooks',
  'mqtt',
  'link',
];

/** Where one comes to when nothing has to be set up. */
export const LANDING: View = 'overview';

/** A page, of one lock where it names one. */
export interface Place {
  readonly view: View;
  readonly lock?: LockId | undefined;
}

/** `overview`, or `overview/` and a lock. */
export function addressOf({ view, lock }: Place): string {
  return lock === undefined ? view : `${view}/${encodeURIComponent(lock)}`;
}

/** The place of an address; null where no page has that name. */
export function placeOf(address: string): Place | null {
  const [name, ...rest] = address.split('/');
  const view = VIEWS.find((known) => known === name);
  if (view === undefined) {
    return null;
  }
  const id = decoded(rest.join('/'));
  return id === '' ? { view } : { view, lock: lockId(id) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
