// One activity as a sentence without a full stop, and the sign that stands before it.
import type { RuntimeLinkState } from '../../src/domain/account.ts';
import type { BoltState } from '../../src/domain/bolt.ts';
import type { CommandOutcome } from '../../src/domain/command.ts';
import type { Presence } from '../../src/domain/lock.ts';
import { refusalWords } from '../../src/domain/refusal.ts';
import type { AlertReport } from '../../src/domain/service-event.ts';
import type { ActivityDetail } from '../../src/panel/activity-view.ts';
import { byWords } from './words.ts';

const BOLT_WORDS: Readonly<Record<BoltState, string>> = {
  secured: 'Locked',
  unsecured: 'Unlocked',
  jammed: 'Jammed',
  unknown: 'Bolt position unknown',
};

const PRESENCE_WORDS: Readonly<Record<Presence, string>> = {
  reachable: 'The service reaches the lock again',
  offline: 'The service cannot reach the lock',
  missing: 'The account no longer lists it',
};

const ALERT_WORDS: Readonly<Record<AlertReport['type'], string>> = {
  'wrong-code': 'A wrong code was entered',
  'keypad-locked-out': 'Too many wrong codes: the keypad locked itself',
  alarm: 'The alarm sounded',
};

const LINK_WORDS: Readonly<Record<RuntimeLinkState, string>> = {
  linked: 'The account is linked',
  unlinked: 'The account was unlinked',
  revoked: 'The service no longer accepts the link',
  expired: 'The link has expired',
  'signed-out': 'The account was signed out everywhere',
  'other-process': 'Another process took the account over',
};

export function activityWords(detail: ActivityDetail): string {
  switch (detail.type) {
    case 'bolt':
      return `${BOLT_WORDS[detail.bolt]}${detail.move === null ? '' : byWords(detail.move.by)}`;
    case 'presence':
      return PRESENCE_WORDS[detail.presence];
    case 'appeared':
      return 'Found in the account';
    case 'removed':
      return 'Removed from Home';
    case 'alert':
      return ALERT_WORDS[detail.alert];
    case 'command':
      return outcomeWords(detail.target === 'secured' ? 'lock' : 'unlock', detail.outcome);
    case 'link':
      return LINK_WORDS[detail.link];
  }
}

/** Whether it deserves a second look. */
export function isTrouble(detail: ActivityDetail): boolean {
  switch (detail.type) {
    case 'bolt':
      return detail.bolt === 'jammed' || detail.bolt === 'unknown';
    case 'presence':
      return detail.presence !== 'reachable';
    case 'command':
      return detail.outcome.kind !== 'moved';
    case 'link':
      return detail.link !== 'linked';
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
