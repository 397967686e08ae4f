// Notifications of events, versions 2.0 and 1.0 (wire contract 7).
import { createHash } from 'node:crypto';
import type { AccessCodeRecord, Accessor } from '../world/records.ts';
import type { WorldEvent } from '../world/world-event.ts';
import type { WebhookSettings } from './webhook-settings.ts';

/** The notification of each kind of event; null where there is none. */
const ANNOUNCEMENTS = {
  'lock-state-changed': { trigger: 'DeviceLockStateChanged', eventType: 'DeviceUpdate' },
  'connectivity-changed': { trigger: 'DeviceConnectivityStateChanged', eventType: 'DeviceUpdate' },
  'incorrect-code-entered': { trigger: 'DeviceIncorrectAccessCodeEntered', eventType: 'DeviceUpdate' },
  'access-code-added': { trigger: 'AccessCodeAdded', eventType: 'AccessCodeAdded' },
  'access-code-updated': { trigger: 'AccessCodeUpdated', eventType: 'AccessCodeUpdate' },
  'access-code-deleted': { trigger: 'AccessCodeDeleted', eventType: 'AccessCodeDeleted' },
  'command-ended': { trigger: 'CommandStateChanged', eventType: 'CommandUpdate' },
  'battery-changed': { trigger: 'DeviceBatteryStateChanged', eventType: 'DeviceUpdate' },
  'alarm-triggered': { trigger: 'DeviceAlarmTriggered', eventType: 'DeviceUpdate' },
  'keypad-locked-out': { trigger: 'DeviceKeypadLockedOut', eventType: 'DeviceUpdate' },
  'signed-out-everywhere': { trigger: 'UserSignedOutEverywhere', eventType: 'UserUpdate' },
  jammed: null,
  'device-changed': null,
} as const satisfies Readonly<
  Record<WorldEvent['kind'], { readonly trigger: string; readonly eventType: string } | null>
>;

export type Trigger = NonNullable<(typeof ANNOUNCEMENTS)[WorldEvent['kind']]>['trigger'];

/** The eleven triggers, in the contract's order. */
export const TRIGGERS: readonly Trigger[] = Object.values(ANNOUNCEMENTS).flatMap(
  (announcement) => announcement?.trigger ?? [],
);

export interface Envelope {
  readonly eventId: string;
  readonly eventType: string;
  readonly trigger: Trigger;
  /** ISO 8601, or epoch milliseconds for a wrong code. */
  readonly time: string | number;
  readonly deviceId: string | null;
  readonly data: unknown;
  readonly version: '1.0' | '2.0';
}

/** The switches that decide how a notification reads. */
export type EnvelopeSettings = Pick<
  WebhookSettings,
  'form' | 'v1Accessor' | 'v1LockState' | 'v1Connected' | 'v1Code'
>;

/**
 * A notification's id, the same for every receiver and retry. The instant is mixed in because a world that starts
 * anew counts its events from the beginning, and a receiver must not take a new day for a repeat of an old one.
 */
export function eventIdOf(worldEvent: WorldEvent): string {
  const digest = createHash('sha256')
    .update(`${worldEvent.id} ${String(worldEvent.at)}`)
    .digest('hex');
  return `e-${digest.slice(0, 32)}`;
}

/** The envelope of an event; null where there is none. */
export function envelopeOf(worldEvent: WorldEvent, settings: EnvelopeSettings): Envelope | null {
  const announcement = ANNOUNCEMENTS[worldEvent.kind];
  if (announcement === null) {
    return null;
  }
  return {
    eventId: eventIdOf(worldEvent),
    eventType: announcement.eventType,
    trigger: announcement.trigger,
    time:
      worldEvent.kind === 'incorrect-code-entered' ? worldEvent.at : new Date(worldEvent.at).toISOString(),
    deviceId: worldEvent.deviceId,
    data: settings.form === '2.0' ? dataOf(worldEvent) : earlierDataOf(worldEvent, settings),
    version: settings.form === '2.0' ? '2.0' : '1.0',
  };
}

function dataOf(worldEvent: WorldEvent): unknown {
  switch (worldEvent.kind) {
    case 'lock-state-changed':
      return { lockState: worldEvent.lockState, accessor: worldEvent.accessor };
    case 'connectivity-changed':
      return { connected: String(worldEvent.connected) };
    case 'incorrect-code-entered':
      return { enteredAccessCode: worldEvent.enteredAccessCode };
    case 'access-code-added':
    case 'access-code-updated':
      return worldEvent.accessCode;
    case 'access-code-deleted':
      return { accessCodeId: worldEvent.accessCodeId, name: worldEvent.name };
    case 'command-ended':
      return worldEvent.command;
    case 'battery-changed':
      return {
        batteryState: worldEvent.batteryState,
        percentageBatteryLevel: worldEvent.percentageBatteryLevel,
      };
    case 'signed-out-everywhere':
      return { userId: worldEvent.userId };
    case 'alarm-triggered':
    case 'keypad-locked-out':
    case 'jammed':
    case 'device-changed':
      return {};
  }
}

/** Version 1.0's differences from 2.0. */
function earlierDataOf(worldEvent: WorldEvent, settings: EnvelopeSettings): unknown {
  if (worldEvent.kind === 'lock-state-changed') {
    return {
      ...(settings.v1LockState === 'present' ? { lockState: worldEvent.lockState } : {}),
      ...(settings.v1Accessor === 'absent' ? {} : { accessor: withoutName(worldEvent.accessor) }),
    };
  }
  if (worldEvent.kind === 'connectivity-changed' && settings.v1Connected === 'boolean') {
    return { connected: worldEvent.connected };
  }
  if (worldEvent.kind === 'access-code-added' || worldEvent.kind === 'access-code-updated') {
    const { accessCode } = worldEvent;
    return {
      ...accessCode,
      code: settings.v1Code === 'number' ? Number(accessCode.code) : accessCode.code,
      scheduleDetails: withLocalTimes(accessCode.scheduleDetails),
    };
  }
  return dataOf(worldEvent);
}

function withoutName({ id, accessType }: Accessor): Omit<Accessor, 'friendlyName'> {
  return { id, accessType };
}

function withLocalTimes(details: AccessCodeRecord['scheduleDetails']): AccessCodeRecord['scheduleDetails'] {
  return {
    ...details,
    startDateTime: localTimeOf(details.startDateTime),
    endDateTime: localTimeOf(details.endDateTime),
  };
}

/** `20260415T15:00-04:00` without its offset, which leaves the device's local time. */
export function localTimeOf(time: string | null): string | null {
  return time?.slice(0, '20260415T15:00'.length) ?? null;
}
