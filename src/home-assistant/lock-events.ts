// The messages about what happened at a lock: moves with their cause, alerts, and commands that came to nothing.
import { speakableName } from '../domain/access.ts';
import type { BoltPosition, Instant } from '../domain/bolt.ts';
import type { CommandOutcome } from '../domain/command.ts';
import type { RequestRefusal } from '../domain/intent-policy.ts';
import type { LastMove } from '../domain/lock.ts';
import { refusalWords } from '../domain/refusal.ts';
import type { AlertReport } from '../domain/service-event.ts';
import type { RequestAnswer } from '../sync/account-runtime.ts';
import { isoOf, positionWord } from './lock-state.ts';
import { SET_REFUSAL_WORDS, type SetRefusal } from './set-command.ts';

/** Every `event_type`, as announced to Home Assistant. */
export const EVENT_TYPES = [
  'locked',
  'unlocked',
  'jammed',
  'wrong-code',
  'keypad-locked-out',
  'alarm',
  'refused',
  'failed',
] as const;

/** `at`: when it happened, on the service's clock; null for what happened here, just now. Never an entered code. */
export interface LockEventMessage {
  readonly event_type: (typeof EVENT_TYPES)[number];
  readonly at?: string | null;
  readonly how?: string;
  readonly who?: string | null;
  /** Found by asking, and read in the lock's history afterwards. */
  readonly read_later?: true;
  readonly target?: 'locked' | 'unlocked' | null;
  readonly reason?: string;
  readonly words?: string;
}

export function moveEvent({ to, by, at, readLater }: LastMove): LockEventMessage {
  const event = { event_type: positionWord(to), at: isoOf(at), how: by.method, who: speakableName(by.name) };
  return readLater === true ? { ...event, read_later: true } : event;
}

/** A command of ours moved it, and the service has not reported the move itself. */
export function ownMoveEvent(to: BoltPosition): LockEventMessage {
  return { event_type: positionWord(to), at: null, how: 'own-command', who: null };
}

export function alertEvent(alert: AlertReport['type'], at: Instant): LockEventMessage {
  return { event_type: alert, at: isoOf(at) };
}

export function setRefusedEvent(target: BoltPosition | null, reason: SetRefusal): LockEventMessage {
  return {
    event_type: 'refused',
    target: target === null ? null : positionWord(target),
    reason,
    words: SET_REFUSAL_WORDS[reason],
  };
}

const REQUEST_REFUSAL_WORDS: Readonly<Record<RequestRefusal, string>> = {
  'not-linked': 'No lock account is linked.',
  'lock-missing': 'The account no longer lists this lock.',
  'remote-unlock-forbidden': 'This lock may not be unlocked remotely (remoteUnlock).',
  'role-may-not-command': 'This account may look at the lock, not move it.',
  'too-late': 'The command was asked too long ago.',
};

/** Null while the command is under way, or was not needed. */
export function answerEvent(target: BoltPosition, answer: RequestAnswer): LockEventMessage | null {
  const to = positionWord(target);
  if (answer.kind === 'refused') {
    const { reason } = answer;
    return { event_type: 'refused', target: to, reason, words: REQUEST_REFUSAL_WORDS[reason] };
  }
  if (answer.kind === 'failed') {
    const { code, message } = answer.error;
    // A refusal by the service is reported at the end of the command.
    return code === 'refused' ? null : { event_type: 'failed', target: to, reason: code, words: message };
  }
  return null;
}

const OUTCOME_WORDS = {
  uncertain: 'It is not known whether the command was carried out. The state shows where the bolt is.',
  overdue: 'The lock has not confirmed the command. The state shows where the bolt is.',
} as const;

/** Null when it moved the bolt, or waits for another command. */
export function outcomeEvent(target: BoltPosition, outcome: CommandOutcome): LockEventMessage | null {
  const to = positionWord(target);
  switch (outcome.kind) {
    case 'moved':
    case 'unsent':
      return null;
    case 'refused':
      return {
        event_type: 'failed',
        target: to,
        reason: outcome.reason,
        words: `${refusalWords(outcome.reason)}.`,
      };
    case 'uncertain':
    case 'overdue':
      return { event_type: 'failed', target: to, reason: outcome.kind, words: OUTCOME_WORDS[outcome.kind] };
  }
}
