// The messages about what happened at a lock: moves with their cause, alerts, and commands that came to nothing.

import type { CommandOutcome } from '../../../domain/commands/command.ts';
import type { RequestRefusal } from '../../../domain/commands/intent-policy.ts';
import { speakableName } from '../../../domain/locks/access.ts';
import type { BoltPosition } from '../../../domain/locks/bolt.ts';
import type { LastMove } from '../../../domain/locks/move.ts';
import type { Instant } from '../../../domain/time/instant.ts';
import type { AlertReport } from '../../../domain/webhooks/service-event.ts';
import type { RequestAnswer } from '../../../engine/account-runtime.ts';
import type { StayEvent } from '../../../engine/locks/event-bus.ts';
import { EXPIRED, outcomeWords, refusedSentence } from '../../../words/commands.ts';
import { sentence } from '../../../words/sentence.ts';
import { inEnglish, t } from '../../../words/translate.ts';
import { isoOf, positionWord } from './lock-state.ts';
import { SET_REFUSALS } from './refusals.ts';
import type { SetRefusal } from './set-command.ts';

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
  'stay-code-ready',
  'stay-not-ready',
  'stay-arrived',
  'stay-ended',
] as const;

/** `at`: when it happened, on the service's clock. Never an entered code. */
export interface LockEventMessage {
  readonly event_type: (typeof EVENT_TYPES)[number];
  readonly at?: string | null;
  readonly how?: string;
  readonly who?: string | null;
  /** A move that polling found, and whose mover was read in the lock's history afterwards. */
  readonly read_later?: true;
  readonly target?: 'locked' | 'unlocked' | null;
  readonly reason?: string;
  readonly words?: string;
  /** An event of a booked stay: its name, that of its calendar, its check-in and its check-out. */
  readonly stay?: string;
  readonly calendar?: string | null;
  readonly check_in?: string | null;
  readonly check_out?: string | null;
}

export function moveEvent({ to, by, at, readLater }: LastMove): LockEventMessage {
  const event = { event_type: positionWord(to), at: isoOf(at), how: by.method, who: speakableName(by.name) };
  return readLater === true ? { ...event, read_later: true } : event;
}

export function alertEvent(alert: AlertReport['type'], at: Instant): LockEventMessage {
  return { event_type: alert, at: isoOf(at) };
}

/** The name has neither digits of the code nor words of the booking, unless the options ask for these. */
export function stayEvent({ type, stay, at }: StayEvent): LockEventMessage {
  return {
    event_type: type,
    at: isoOf(at),
    stay: stay.name,
    calendar: speakableName(stay.calendar),
    check_in: isoOf(stay.arrivalAt),
    check_out: isoOf(stay.departureAt),
  };
}

export function setRefusedEvent(target: BoltPosition | null, reason: SetRefusal): LockEventMessage {
  return {
    event_type: 'refused',
    target: target === null ? null : positionWord(target),
    reason,
    words: inEnglish(() => t(SET_REFUSALS[reason])),
  };
}

/** A broker may hold a command back for long, so a late one does not prove that this computer was asleep. */
export function refusedCommand(reason: RequestRefusal): string {
  return reason === 'too-late' ? t(EXPIRED) : refusedSentence(reason);
}

/** Null while the command is under way, or was not needed. */
export function answerEvent(target: BoltPosition, answer: RequestAnswer): LockEventMessage | null {
  const to = positionWord(target);
  if (answer.kind === 'refused') {
    const { reason } = answer;
    return { event_type: 'refused', target: to, reason, words: inEnglish(() => refusedCommand(reason)) };
  }
  if (answer.kind === 'failed') {
    const { code, message } = answer.error;
    // A refusal by the service is reported at the end of the command.
    return code === 'refused' ? null : { event_type: 'failed', target: to, reason: code, words: message };
  }
  return null;
}

/** Null when it moved the bolt, or waits for another command. */
export function outcomeEvent(target: BoltPosition, outcome: CommandOutcome): LockEventMessage | null {
  const to = positionWord(target);
  const words = inEnglish(() => sentence(outcomeWords(target, outcome)));
  switch (outcome.kind) {
    case 'moved':
    case 'unsent':
      return null;
    case 'refused':
      return { event_type: 'failed', target: to, reason: outcome.reason, words };
    case 'uncertain':
    case 'overdue':
      return { event_type: 'failed', target: to, reason: outcome.kind, words };
  }
}
