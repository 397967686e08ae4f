// What is said of a request to lock or unlock: why it is refused before it is sent, and how the command ended.
import type { CommandOutcome } from '../domain/commands/command.ts';
import type { RequestRefusal } from '../domain/commands/intent-policy.ts';
import type { BoltPosition } from '../domain/locks/bolt.ts';
import type { Presence } from '../domain/locks/lock.ts';
import { BOLT_WORDS, VERBS } from './locks.ts';
import { refusalWords } from './refusals.ts';
import { sentence } from './sentence.ts';

interface Refusal {
  readonly why: string;
  /** What to do next; empty where the reason says it. */
  readonly advice: string;
}

const REQUEST_REFUSALS: Readonly<Record<RequestRefusal, Refusal>> = {
  'not-linked': { why: 'the account is not connected', advice: 'Connect it on the Account page.' },
  'remote-unlock-forbidden': {
    why: 'remote unlock is turned off for this lock',
    advice: 'Allow it on the Locks page or in config.json.',
  },
  'role-may-not-command': {
    why: 'this account can only view the lock',
    advice: 'Ask its owner for access.',
  },
  'lock-missing': {
    why: 'this lock was removed from the account',
    advice: "Check in the lock's app.",
  },
  'too-late': { why: 'Homebridge was asleep, so this command expired', advice: 'Try again.' },
};

/** Why a request was refused, without a full stop: "the account is not connected". */
export function whyRefused(reason: RequestRefusal): string {
  return REQUEST_REFUSALS[reason].why;
}

/** The same with what to do next: "The account is not connected. Connect it on the Account page." */
export function refusedSentence(reason: RequestRefusal): string {
  const { why, advice } = REQUEST_REFUSALS[reason];
  return `${sentence(why)} ${advice}`;
}

/** "couldn’t lock: the account is not connected. Connect it on the Account page." */
export function refusedRequest(target: BoltPosition, reason: RequestRefusal): string {
  const { why, advice } = REQUEST_REFUSALS[reason];
  return `${notDone(target, why)}. ${advice}`;
}

/** A request that a broker delivered too late: nobody was asleep. */
export const EXPIRED = 'This command expired. Try again.';

/** "couldn’t lock: the bolt is jammed". */
export function notDone(target: BoltPosition, why: string): string {
  return `couldn’t ${VERBS[target]}: ${why.replace(/\.$/u, '')}`;
}

/** How a command ended, as news. */
export function outcomeWords(target: BoltPosition, outcome: CommandOutcome): string {
  switch (outcome.kind) {
    case 'moved':
      return `${BOLT_WORDS[target]} from here`;
    case 'refused':
      return notDone(target, refusalWords(outcome.reason));
    case 'uncertain': {
      const why = outcome.reason === undefined ? '' : ` (${refusalWords(outcome.reason)})`;
      return `${VERBS[target]} command: result unknown${why}`;
    }
    case 'unsent':
      return notDone(target, UNSENT);
    case 'overdue':
      return `couldn’t ${VERBS[target]} in time`;
  }
}

export const UNSENT = 'the command never reached the service';

/** What became of a request, where the lock itself does not show it. */
export const ANSWER_WORDS = {
  superseded: 'replaced by a newer command',
  uncertain: 'the result is unknown. The lock’s next update will show it',
} as const;

export function alreadyWords(target: BoltPosition): string {
  return `already ${BOLT_WORDS[target]}`;
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
  return `${sentence(words)} ${CHECK_DOOR}`;
}

export const CHECK_DOOR = 'Check the door.';

export function unknownWords(target: BoltPosition): string {
  return `nobody knows whether it ${BOLT_WORDS[target]}`;
}

function reasonWords(outcome: CommandOutcome, presence: Presence): string {
  if (outcome.kind === 'unsent') {
    return UNSENT;
  }
  const reason = 'reason' in outcome ? outcome.reason : undefined;
  if (outcome.kind === 'overdue' || reason === 'lock-silent') {
    return presence === 'offline' ? 'the lock is offline' : 'the lock didn’t answer';
  }
  return reason === undefined ? '' : refusalWords(reason);
}
