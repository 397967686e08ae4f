// The history of a lock, from the service's words (wire contract 5): a direction is taken from the code that says it, or from
// a button that does one thing only.
import type { HistoryEntry, HistoryQuestion, HistoryWhat } from '../domain/history/history.ts';
import { type AccessMethod, withoutCodes } from '../domain/locks/access.ts';
import type { LockId } from '../domain/locks/lock.ts';
import type { Instant } from '../domain/time/instant.ts';
import { offsetMinutesAt } from '../domain/time/schedule-time.ts';
import { decodeAccessor } from './accessor-codec.ts';
import type { DeviceEndpoints } from './endpoints.ts';
import { idOf, instantTextOf, membersOf } from './lenient.ts';

/** Only `AccessCodeUserAdded` is published; the others are the contract's extensions. */
const WHATS: ReadonlyMap<string, HistoryWhat> = new Map([
  ['LockedByKeypad', 'secured'],
  ['UnlockedByKeypad', 'unsecured'],
  ['LockedByThumbturn', 'secured'],
  ['UnlockedByThumbturn', 'unsecured'],
  ['LockedByExteriorButton', 'secured'],
  ['LockedByMobileDevice', 'secured'],
  ['UnlockedByMobileDevice', 'unsecured'],
  ['LockedByTime', 'secured'],
  ['UnlockedByTime', 'unsecured'],
  ['LockedByPlatformKey', 'secured'],
  ['UnlockedByPlatformKey', 'unsecured'],
  ['LockJammed', 'jammed'],
  ['KeypadDisabledInvalidCode', 'keypad-locked-out'],
  ['KeypadDisconnected', 'keypad-disconnected'],
  ['AlarmTriggered', 'alarm'],
  ['ForcedEntryAlarmSilenced', 'alarm-silenced'],
  ['AccessCodeUserAdded', 'code-added'],
  ['AccessCodeUserUpdated', 'code-updated'],
  ['AccessCodeUserDeleted', 'code-deleted'],
  ['AllAccessCodesDeleted', 'all-codes-deleted'],
  ['MobileUserAdded', 'user-added'],
  ['MobileUserDeleted', 'user-deleted'],
  ['AdminPrivilegeAdded', 'admin-added'],
  ['AdminPrivilegeDeleted', 'admin-deleted'],
  ['FirmwareUpdated', 'firmware-updated'],
  ['FirmwareUpdateFailed', 'firmware-update-failed'],
  ['LowBatteryIndicated', 'battery-low'],
  ['CriticalBatteryState', 'battery-critical'],
  ['BatteriesReplaced', 'batteries-replaced'],
  ['PassageModeActivated', 'passage-mode-on'],
  ['PassageModeDeactivated', 'passage-mode-off'],
  ['HistoryCleared', 'history-cleared'],
  ['Unknown', 'unrecognised'],
]);

/** The buttons inside have no event code of their own (wire contract 5 and 11). */
const WHAT_A_BUTTON_DOES: Partial<Readonly<Record<AccessMethod, HistoryWhat>>> = {
  'lock-button': 'secured',
  'unlock-button': 'unsecured',
};

/** No event code's name comes near it (our choice): an unknown one is kept, and need not be kept whole. */
const LONGEST_WORD = 100;

interface Item {
  readonly id: string;
  /** In one form. */
  readonly timestamp: string;
  readonly eventCode: string | null;
  readonly accessor: unknown;
}

export interface HistoryHole {
  readonly from: Instant;
  readonly to: Instant | null;
}

export interface DecodedHistory {
  /** The entries, the newest first. Malformed entries are left out. */
  readonly entries: readonly HistoryEntry[];
  /** How many entries were left out. */
  readonly unread: number;
  /** The stretches in which they lie, each between two entries; `to` null: after the newest. */
  readonly holes: readonly HistoryHole[];
  /** Event codes that are not known here, each once: for one line in the log. */
  readonly strangeWords: readonly string[];
}

/** The number of entries that the service returns without a limit (wire contract 5), so it accepts that limit, too. */
const DEFAULT_LIMIT = 50;

/** How a history is asked for: the most that a service gives at once is not published (specification, Limits). */
export const HISTORY_FORMS = ['whole', 'shorter', 'bare'] as const;

export type HistoryForm = (typeof HISTORY_FORMS)[number];

/** The question in that form. A bare one names nothing, and is answered with the service's own number of entries, in UTC. */
export function historyQuestion({ limit, deviceTime }: HistoryQuestion, form: HistoryForm): HistoryQuestion {
  return form === 'whole'
    ? { limit, deviceTime }
    : { limit: Math.min(limit, DEFAULT_LIMIT), deviceTime: deviceTime && form !== 'bare' };
}

export function historyPath(
  endpoints: DeviceEndpoints,
  lockId: LockId,
  question: HistoryQuestion,
  form: HistoryForm,
): string {
  if (form === 'bare') {
    return endpoints.history(lockId);
  }
  const { limit, deviceTime } = historyQuestion(question, form);
  const query = new URLSearchParams({ limit: String(limit), deviceLocalTime: String(deviceTime) });
  return `${endpoints.history(lockId)}?${query.toString()}`;
}

/** Reads the answer; null when it is no list, or none of its entries could be understood. `deviceTime`: whether the lock's offsets were requested. */
export function decodeHistory(body: unknown, deviceTime: boolean): DecodedHistory | null {
  if (!Array.isArray(body)) {
    return null;
  }
  const items = body.map(itemOf);
  const understood = items.filter((item) => item !== null);
  if (understood.length === 0 && body.length > 0) {
    // Read as an empty history, the answer would claim that nothing happened.
    return null;
  }
  const codes = understood.map(({ eventCode }) => eventCode ?? 'Unknown');
  const entries = understood.map((item) => entryOf(item, deviceTime));
  return {
    entries: entries.sort((a, b) => b.at - a.at),
    unread: body.length - understood.length,
    holes: holesIn(items.map((item) => (item === null ? null : instantOf(item.timestamp)))),
    strangeWords: [...new Set(codes.filter((code) => !WHATS.has(code)).map(withoutCodes))],
  };
}

/** `times`: of the entries in the order of the list, the newest first; null: one that cannot be read. */
function holesIn(times: readonly (Instant | null)[]): readonly HistoryHole[] {
  return times.flatMap((at, index): HistoryHole | [] => {
    const to = times[index - 1] ?? null;
    const from = times.slice(index).find((one) => one !== null);
    const isFirst = at === null && (index === 0 || to !== null);
    // Below the oldest entry nothing is known anyway.
    return isFirst && from !== undefined
      ? { from: Math.min(from, to ?? from), to: to === null ? null : Math.max(from, to) }
      : [];
  });
}

/** Null without a usable id or instant. */
function itemOf(item: unknown): Item | null {
  const { id: named, timestamp: dated, eventCode, accessor } = membersOf(item);
  const [id, timestamp] = [idOf(named), instantTextOf(dated)];
  return id === null || timestamp === null
    ? null
    : { id, timestamp, eventCode: typeof eventCode === 'string' ? eventCode : null, accessor };
}

function instantOf(timestamp: string): Instant {
  return new Date(timestamp).getTime();
}

function entryOf(item: Item, deviceTime: boolean): HistoryEntry {
  const { id, timestamp, eventCode } = item;
  const by = decodeAccessor(item.accessor);
  const isUnnamed = eventCode === null || eventCode === 'Unknown';
  const entry: HistoryEntry = {
    id,
    at: instantOf(timestamp),
    offsetMinutes: deviceTime ? offsetMinutes(timestamp) : null,
    what: (isUnnamed ? WHAT_A_BUTTON_DOES[by.method] : WHATS.get(eventCode)) ?? 'unrecognised',
    by,
  };
  return eventCode === null || WHATS.has(eventCode)
    ? entry
    : { ...entry, serviceWord: withoutCodes(eventCode.slice(0, LONGEST_WORD)) };
}

/** The offset at the end of an ISO 8601 instant that has one, in minutes. */
function offsetMinutes(timestamp: string): number {
  const [zone] = /[+-]\d\d:\d\d$/.exec(timestamp) ?? [];
  return zone === undefined ? 0 : offsetMinutesAt(zone, 0);
}
