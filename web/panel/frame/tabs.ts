// The tabs of an account's pages, in their order, those of features among them; and the place that an address names.
import { type Message, message } from '../../../src/domain/language/message.ts';
import { lockId } from '../../../src/domain/locks/lock.ts';
import type { PageOperation } from '../../../src/panel/operations/panel-api.ts';
import { FEATURE_TABS } from '../features.ts';
import type { AccountState } from '../state/account-state.ts';
import type { Place, View } from '../state/views.ts';

interface Tab {
  readonly view: View;
  readonly title: Message;
  /** What a login has to be allowed to ask for, so that the page is offered. */
  readonly needed: PageOperation;
  /** Left out: always. Else a later answer may bring the page. */
  readonly isThere?: (state: AccountState) => boolean;
}

const OWN: readonly Tab[] = [
  { view: 'overview', title: message('Overview'), needed: 'activity' },
  { view: 'locks', title: message('Settings'), needed: 'locks.settings' },
  { view: 'history', title: message('History'), needed: 'history.look' },
  { view: 'codes', title: message('Codes'), needed: 'guests.add' },
  { view: 'alerts', title: message('Alerts'), needed: 'alerts.show' },
  { view: 'webhooks', title: message('Webhooks'), needed: 'webhooks.status' },
  { view: 'link', title: message('Account'), needed: 'partner.show' },
];

/** The order is the same everywhere. */
export const TABS: readonly Tab[] = OWN.flatMap((tab): readonly Tab[] =>
  [tab].concat(FEATURE_TABS.filter(({ after }) => after === tab.view)),
);

export function titleOf(view: View): Message {
  return TABS.find((tab) => tab.view === view)?.title ?? message('Overview');
}

/** The place of an address; null where no page has that name. */
export function placeOf(address: string): Place | null {
  const [name, ...rest] = address.split('/');
  const tab = TABS.find(({ view }) => view === name);
  if (tab === undefined) {
    return null;
  }
  const id = decoded(rest.join('/'));
  return id === '' ? { view: tab.view } : { view: tab.view, lock: lockId(id) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
