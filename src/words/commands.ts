// What is said of a request to lock or unlock: why it is refused before it is sent, and how the command ended.
import type { CommandOutcome } from '../domain/commands/command.ts';
import type { RequestRefusal } from '../domain/commands/intent-policy.ts';
import { type Message, message } from '../domain/language/message.ts';
import type { BoltPosition } from '../domain/locks/bolt.ts';
import type { Presence } from '../domain/locks/lock.ts';
import { refusalWords } from './refusals.ts';
import { closed, sentence, unclosed } from './sentence.ts';
import { t } from './translate.ts';

const REQUEST_REFUSALS: Readonly<Record<RequestRefusal, readonly [why: Message, advice: Message]>> = {
  'not-linked': [message('the account is not connected'), message('Connect it on the Account page.')],
  'remote-unlock-forbidden': [
    message('remote unlock is turned off for this lock'),
    message('Allow it on the Locks page or in config.json.'),
  ],
  'role-may-not-command': [
    message('this account can only view the lock'),
    message('Ask its owner for access.'),
  ],
  'lock-missing': [message('this lock was removed from the account'), message("Check in the lock's app.")],
  'too-late': [message('Homebridge was asleep, so this command expired'), message('Try again.')],
};

/** Why a request was refused, without a full stop: "the account is not connected". */
export function whyRefused(reason: RequestRefusal): string {
  return t(REQUEST_REFUSALS[reason][0]);
}

/** The same with what to do next: "The account is not connected. Connect it on the Account page." */
export function refusedSentence(reason: RequestRefusal): string {
  const [why, advice] = REQUEST_REFUSALS[reason];
  return `${sentence(t(why))} ${t(advice)}`;
}

/** "couldn’t lock: the account is not connected. Connect it on the Account page." */
export function refusedRequest(target: BoltPosition, reason: RequestRefusal): string {
  const [why, advice] = REQUEST_REFUSALS[reason];
  return `${closed(notDone(target, t(why)))} ${t(advice)}`;
}

/** A request that a broker delivered too late: nobody was asleep. */
export const EXPIRED = message('This command expired. Try again.');

/** "couldn’t lock: the bolt is jammed". */
export function notDone(target: BoltPosition, why: string): string {
  return t(target === 'secured' ? 'couldn’t lock: {why}' : 'couldn’t unlock: {why}', { why: unclosed(why) });
}

/** How a command ended, as news. */
export function outcomeWords(target: BoltPosition, outcome: CommandOutcome): string {
  switch (outcome.kind) {
    case 'moved':
      return t(target === 'secured' ? 'locked from here' : 'unlocked from here');
    case 'refused':
      return notDone(target, refusalWords(outcome.reason));
    case 'uncertain': {
      const words = t(
        target === 'secured' ? 'lock command: result unknown' : 'unlock command: result unknown',
      );
      return outcome.reason === undefined ? words : `${words} (${refusalWords(outcome.reason)})`;
    }
    case 'unsent':
      return notDone(target, t(UNSENT));
    case 'overdue':
      return t(target === 'secured' ? 'couldn’t lock in time' : 'couldn’t unlock in time');
  }
}

export const UNSENT = message('the command never reached the service');

/** What became of a request, where the lock itself does not show it. */
export const ANSWER_WORDS = {
  superseded: message('replaced by a newer command'),
  uncertain: message('the result is unknown. The lock’s next update will show it'),
} as const;

export function alreadyWords(target: BoltPosition): string {
  return t(target === 'secured' ? 'already locked' : 'already unlocked');
}

/** "Couldn’t lock: the lock is offline. Check the door."; empty for a command that did what it was to do. */
export function failureWords(
  failure: { readonly target: BoltPosition; readonly outcome: CommandOutcome } | undefined,
  presence: Presence,
): string {
  if (failure === undefined || failure.outcome.kind === 'moved') {
    return '';
  }
  const { target, outcome } = failure;
  const why = reasonWords(outcome, presence);
  // An unlock that may have happened did not fail.
  const words =
    why === '' || (outcome.kind === 'uncertain' && target === 'unsecured')
      ? unknownWords(target)
      : notDone(target, why);
  return `${sentence(words)} ${t(CHECK_DOOR)}`;
}

export const CHECK_DOOR = message('Check the door.');

export function unknownWords(target: BoltPosition): string {
  return t(target === 'secured' ? 'nobody knows whether it locked' : 'nobody knows whether it unlocked');
}

function reasonWords(outcome: CommandOutcome, presence: Presence): string {
  if (outcome.kind === 'unsent') {
    return t(UNSENT);
  }
  const reason = 'reason' in outcome ? outcome.reason : undefined;
  if (outcome.kind === 'overdue' || reason === 'lock-silent') {
    return t(presence === 'offline' ? 'the lock is offline' : 'the lock didn’t answer');
  }
  return reason === undefined ? '' : refusalWords(reason);
}
