// The result of one check of the doctor: its grade, its text and the advice.
import { type Message, message } from '../../domain/language/message.ts';
import { t } from '../../words/translate.ts';

/** `note`: fine, and worth knowing. `warning`: works, but needs attention. `fault`: broken. */
export type Grade = 'ok' | 'note' | 'warning' | 'fault';

export interface Finding {
  readonly check: string;
  readonly grade: Grade;
  /** The finding as a sentence without secrets. */
  readonly what: string;
  /** The next step as a sentence; null when none is needed. */
  readonly advice: string | null;
}

/** What is checked. An option has its path instead, and a proper name stands for itself. */
export const CHECKS = {
  configuration: message('configuration'),
  account: message('account'),
  accounts: message('accounts'),
  insecure: message('insecure mode'),
  storage: message('storage'),
  owner: message('owner'),
  move: message('move'),
  webhooks: message('webhooks'),
  credentials: message('credentials'),
  link: message('link'),
  authorization: message('authorization server'),
  token: message('access token'),
  device: message('device interface'),
  clock: message('clock'),
  locks: message('locks'),
  lockClocks: message('lock clocks'),
} as const;

export function keyCheck(number: number): Message {
  return message('subscription key {number}', { number });
}

/** The longest of these names in the language of the reader, in characters. */
export function checkWidth(others: readonly Message[]): number {
  return Math.max(...[...Object.values(CHECKS), ...others, keyCheck(1)].map((check) => t(check).length));
}

type Check = Message | string;

export function fine(check: Check, what: string): Finding {
  return finding(check, 'ok', what, null);
}

export function note(check: Check, what: string, advice: string | null = null): Finding {
  return finding(check, 'note', what, advice);
}

export function warning(check: Check, what: string, advice: string): Finding {
  return finding(check, 'warning', what, advice);
}

export function fault(check: Check, what: string, advice: string): Finding {
  return finding(check, 'fault', what, advice);
}

function finding(check: Check, grade: Grade, what: string, advice: string | null): Finding {
  return { check: typeof check === 'string' ? check : t(check), grade, what, advice };
}
