// Why an operation on access codes failed, and the sentences of what the rules here decide. The others are in src/words.
import type { RefusalReason } from '../commands/refusal.ts';
import { type Message, message } from '../language/message.ts';
import type { CodeField } from './access-code-policy.ts';

/**
 * The service's reasons, and our own. `not-sent`: neither service nor lock was ready in time. `outcome-unknown`: it may
 * have happened, and the list does not settle it. `list-disagrees`: the service says that it was done, and its list shows
 * otherwise. `changed-meanwhile`: codes changed since the person looked.
 */
export type CodeFailureReason = RefusalReason | OwnReason;

type OwnReason =
  | 'not-sent'
  | 'outcome-unknown'
  | 'list-disagrees'
  | 'changed-meanwhile'
  | 'not-permitted'
  | 'read-only'
  | 'relink'
  | 'lock-gone'
  | 'service-trouble';

export interface CodeFailure {
  readonly reason: CodeFailureReason;
  /** The part of the request at fault; null where no other value would help. */
  readonly field: CodeField | null;
  readonly words: Message;
}

/** What the rules of this folder decide by themselves. */
const JUDGED = {
  'outcome-unknown': message(
    'The lock did not say whether it was done. Look at the list of codes in a few minutes.',
  ),
  'changed-meanwhile': message('The codes of the lock changed meanwhile. Look at the list, then ask again.'),
  'not-permitted': message('This account may not change this code or this lock. Ask the owner of the lock.'),
  'read-only': message(
    'The service keeps this code as read-only. It can only be changed in the lock’s own app.',
  ),
  'code-id-invalid': message('The code is no longer there. Look at the list again.'),
} as const satisfies Partial<Record<CodeFailureReason, Message>>;

export type JudgedReason = keyof typeof JUDGED;

export function isJudged(reason: CodeFailureReason): reason is JudgedReason {
  return Object.hasOwn(JUDGED, reason);
}

export function judgedFailure(reason: JudgedReason): CodeFailure {
  return { reason, field: null, words: JUDGED[reason] };
}

/** Whether the command may have taken effect, or still may. */
export function isUnsettled(failure: CodeFailure | null): boolean {
  return failure?.reason === 'outcome-unknown' || failure?.reason === 'list-disagrees';
}
