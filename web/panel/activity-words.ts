// One activity as a sentence without a full stop, and the sign that stands before it.
import type { RuntimeLinkState } from '../../src/domain/account.ts';
import type { BoltState } from '../../src/domain/bolt.ts';
import type { CommandOutcome } from '../../src/domain/command.ts';
import type { Presence } from '../../src/domain/lock.ts';
import { refusalWords } from '../../src/domain/refusal.ts';
import type { AlertReport } from '../../src/domain/service-event.ts';
import type { ActivityDetail } from '../../src/panel/activity-view.ts';
import { byWords } from './words.ts';

const BOLT_NEWS: Readonly<Record<BoltState, string>> = {
  secured: 'Locked',
  unsecured: 'Unlocked',
  jammed: 'Jammed',
  unknown: 'Bolt position unknown',
};

const PRESENCE_NEWS: Readonly<Record<Presence, string>> = {
  reachable: 'The service reaches the lock again',
  offline: 'The service cannot reach the lock',
  missing: 'The account no longer lists it',
};

const ALERT_NEWS: Readonly<Record<AlertReport['type'], string>> = {
  'wrong-code': 'A wrong code was entered',
  'keypad-locked-out': 'Too many wrong codes: the keypad locked itself',
  alarm: 'The alarm sounded',
};

const LINK_NEWS: Readonly<Record<RuntimeLinkState, string>> = {
  linked: 'The account is linked',
  unlinked: 'The account was unlinked',
  revoked: 'The service no longer accepts the link',
  expired: 'The link has expired',
  'signed-out': 'The account was signed out everywhere',
  'other-process': 'Another process took the account over',
};

export function activityWords(news: ActivityDetail): string {
  switch (news.type) {
    case 'bolt':
      return `${BOLT_NEWS[news.bolt]}${news.move === null ? '' : byWords(news.move.by)}`;
    case 'presence':
      return PRESENCE_NEWS[news.presence];
    case 'appeared':
      return 'Found in the account';
    case 'removed':
      return 'Removed from Home';
    case 'alert':
      return ALERT_NEWS[news.alert];
    case 'command':
      return outcomeWords(news.target === 'secured' ? 'lock' : 'unlock', news.outcome);
    case 'link':
      return LINK_NEWS[news.link];
  }
}

/** Whether it deserves a second look. */
export function isTrouble(news: ActivityDetail): boolean {
  switch (news.type) {
    case 'bolt':
      return news.bolt === 'jammed' || news.bolt === 'unknown';
    case 'presence':
      return news.presence !== 'reachable';
    case 'command':
      return news.outcome.kind !== 'moved';
    case 'link':
      return news.link !== 'linked';
    case 'alert':
      return true;
    case 'appeared':
    case 'removed':
      return false;
  }
}

function outcomeWords(verb: 'lock' | 'unlock', outcome: CommandOutcome): string {
  switch (outcome.kind) {
    case 'moved':
      return `The command to ${verb} was carried out`;
    case 'refused':
      return `The command to ${verb} failed: ${refusalWords(outcome.reason)}`;
    case 'uncertain':
      return `${verb === 'lock' ? 'Lock' : 'Unlock'} command: result unknown`;
    case 'unsent':
      return `The command to ${verb} never reached the service`;
    case 'overdue':
      return `The command to ${verb} did not end in time`;
  }
}
