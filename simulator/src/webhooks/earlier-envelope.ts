// The earlier access-code management envelope (specification, Earlier access-code management envelope; wire contract 7).

import { formatOffset, offsetMinutesAt, wallClock } from '../time/zone.ts';
import type { WorldEvent } from '../world/world-event.ts';
import { eventIdOf, localTimeOf } from './envelope.ts';

/** Device members of the earlier form besides the id. */
export interface DeviceDescription {
  readonly name: string;
  readonly timeZone: string;
}

/** Event words of the earlier form, each with its number; the numbers are ours, since none is published. */
const CREATE = { eventTypeId: 1, eventType: 'AccessCodeCreate' } as const;
const UPDATE = { eventTypeId: 2, eventType: 'AccessCodeUpdate' } as const;
const DELETE = { eventTypeId: 3, eventType: 'AccessCodeDelete' } as const;

/** The envelope of an access-code event; null for all else, which this form knows nothing of. */
export function earlierEnvelopeOf(
  worldEvent: WorldEvent,
  deviceId: string,
  device: DeviceDescription | undefined,
): Record<string, unknown> | null {
  const event = earlierEventOf(worldEvent);
  if (event === null) {
    return null;
  }
  const timeZone = device?.timeZone ?? 'UTC';
  return {
    id: eventIdOf(worldEvent),
    subject: `devices/${deviceId}`,
    data: {
      identifier: null,
      deviceId,
      deviceName: device?.name ?? '',
      clientName: null,
      ...event,
      timezoneOffset: formatOffset(offsetMinutesAt(timeZone, worldEvent.at)),
      time: compact(wallClock(timeZone, worldEvent.at)),
    },
    eventType: 'AccessCodeManagement',
    dataVersion: '1.0',
    metadataVersion: '1',
    eventTime: new Date(worldEvent.at).toISOString(),
    topic: 'access-codes',
  };
}

function earlierEventOf(worldEvent: WorldEvent): Record<string, unknown> | null {
  if (worldEvent.kind === 'access-code-deleted') {
    const { accessCodeId: id, name } = worldEvent;
    return { ...DELETE, accessCode: { id, name, accessCode: null, scheduleType: null, activeSchedules: [] } };
  }
  if (worldEvent.kind !== 'access-code-added' && worldEvent.kind !== 'access-code-updated') {
    return null;
  }
  const { accessCodeId: id, name, code, scheduleType, scheduleDetails } = worldEvent.accessCode;
  const startDateTime = localTimeOf(scheduleDetails.startDateTime);
  const endDateTime = localTimeOf(scheduleDetails.endDateTime);
  const activeSchedules =
    scheduleType === 'Temporary' ? [{ startDateTime, endDateTime }] : scheduleDetails.schedules;
  return {
    ...(worldEvent.kind === 'access-code-added' ? CREATE : UPDATE),
    accessCode: { id, name, accessCode: code, scheduleType, activeSchedules },
  };
}

/** `20240129T10:05`. */
function compact(wall: Date): string {
  return wall.toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length).replaceAll('-', '');
}
