// Reads a command on access codes or guests from a broker. Adding one opens doors, so it is as strict as an unlock.
import {
  type CodeDraft,
  type CodeSchedule,
  WEEKDAYS,
  type WeeklyWindow,
} from '../../../domain/codes/access-code.ts';
import { isObject } from '../../../support/text/foreign-json.ts';
import { instantIn, type RepeatRefusal, type TimeFacts, timeRefusal } from './freshness.ts';
import type { PinRefusal, SetRefusal } from './set-command.ts';

/** Longer payloads are no commands, in bytes (our choice): a guest may name many locks. */
const LONGEST_PAYLOAD = 16_384;

export type AccessCommand =
  | { readonly action: 'list' }
  | { readonly action: 'remove'; readonly id: string }
  /** `locks`: the locks of a guest, by their ids; all of them when left out. */
  | { readonly action: 'add'; readonly draft: CodeDraft; readonly locks: 'all' | readonly string[] };

export type AccessReading =
  | { readonly kind: 'command'; readonly command: AccessCommand; readonly askedAt: number | null }
  | { readonly kind: 'refused'; readonly reason: SetRefusal };

export interface AccessFacts extends TimeFacts {
  readonly payload: Uint8Array;
  readonly repeat: RepeatRefusal | null;
  /** Whether these locks may be unlocked over MQTT; otherwise no code is added to them. */
  readonly mayUnlock: (command: AccessCommand) => boolean;
  readonly pinRefusal: (pin: string | null) => PinRefusal | null;
}

/** Null for an empty payload, which is how a retained message is removed. */
export function readAccessCommand(facts: AccessFacts): AccessReading | null {
  if (facts.payload.length === 0) {
    return null;
  }
  if (facts.repeat !== null) {
    return { kind: 'refused', reason: facts.repeat };
  }
  const value = valueIn(facts.payload);
  const command = commandIn(value);
  const at = instantIn(value['at']);
  if (command === null || at === undefined) {
    return { kind: 'refused', reason: 'not-understood' };
  }
  const reason = command.action === 'list' ? null : refusalOf(command, at, value['pin'], facts);
  return reason === null ? { kind: 'command', command, askedAt: at } : { kind: 'refused', reason };
}

function refusalOf(
  command: AccessCommand,
  at: number | null,
  pin: unknown,
  facts: AccessFacts,
): SetRefusal | null {
  if (!facts.mayUnlock(command)) {
    return 'unlock-off';
  }
  return timeRefusal(at, facts) ?? facts.pinRefusal(typeof pin === 'string' && pin !== '' ? pin : null);
}

function valueIn(payload: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const value: unknown =
      payload.length > LONGEST_PAYLOAD ? null : JSON.parse(new TextDecoder().decode(payload));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function commandIn({ action, id, name, code, schedule, locks }: Readonly<Record<string, unknown>>) {
  if (action === 'list') {
    return { action } as const;
  }
  if (action === 'remove' && typeof id === 'string') {
    return { action, id } as const;
  }
  const read = scheduleIn(schedule);
  const wanted = locksIn(locks);
  return action === 'add' && typeof name === 'string' && typeof code === 'string' && read && wanted
    ? ({ action, draft: { name, pin: code, schedule: read }, locks: wanted } as const)
    : null;
}

function locksIn(locks: unknown): 'all' | readonly string[] | null {
  if (locks === undefined || locks === 'all') {
    return 'all';
  }
  return Array.isArray(locks) && locks.every((lock) => typeof lock === 'string') ? locks : null;
}

/** The schedule: always, if left out; `from` and `until`; or `windows` of a week. The rules of a code judge the rest. */
function scheduleIn(schedule: unknown): CodeSchedule | null {
  if (schedule === undefined || schedule === 'always') {
    return { kind: 'always' };
  }
  if (!isObject(schedule)) {
    return null;
  }
  const { windows } = schedule;
  if (Array.isArray(windows)) {
    const read = windows.map(windowIn);
    return read.every((window) => window !== null) ? { kind: 'recurring', windows: read } : null;
  }
  const [from, until] = [instantIn(schedule['from']), instantIn(schedule['until'])];
  return typeof from === 'number' && typeof until === 'number' ? { kind: 'temporary', from, until } : null;
}

function windowIn(window: unknown): WeeklyWindow | null {
  const { days, from, until } = isObject(window) ? window : {};
  const isRead = Array.isArray(days) && typeof from === 'string' && typeof until === 'string';
  const named = isRead ? WEEKDAYS.filter((day) => days.includes(day)) : [];
  return isRead && named.length === days.length ? { days: named, from, until } : null;
}
