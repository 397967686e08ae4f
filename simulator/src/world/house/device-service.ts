// The service's calls for a signed-in user: devices, commands, access codes, history (wire contract 2-5).
import { REFUSALS, type Refusal, refuse } from '../../contract/errors.ts';
import { formatLocal } from '../../time/zone.ts';
import { accessCodeRecord } from '../access-code.ts';
import { deviceRecord, type HistoryEntry, type Lock } from '../lock.ts';
import type { Answer, HistoryRecord, Role } from '../records.ts';
import type { DeviceService } from '../world-types.ts';
import type { LockFleet } from './lock-fleet.ts';

/** Wire contract 5. */
const LONGEST_HISTORY = 100;

const yes = <Value>(value: Value): Answer<Value> => ({ ok: true, value });
const no = (refusal: Refusal): Answer<never> => ({ ok: false, refusal });

export function deviceService(fleet: LockFleet): DeviceService {
  const { kernel, commands } = fleet;
  /** Answers about a lock on which the user has a role; any other lock does not exist for the user. */
  const about = <Value>(
    userId: string,
    deviceId: string,
    emit: (lock: Lock, role: Role) => Answer<Value>,
  ): Answer<Value> => {
    const lock = fleet.locks.get(deviceId);
    const role = lock?.roles.get(userId);
    return lock === undefined || role === undefined ? no(REFUSALS.deviceUnknown) : emit(lock, role);
  };

  return {
    listDevices: (userId) =>
      Array.from(fleet.locksOf(userId), ([lock, role]) => ({ role, ...deviceRecord(lock, kernel.now()) })),
    getDevice: (userId, deviceId) => about(userId, deviceId, (lock) => yes(deviceRecord(lock, kernel.now()))),
    submitCommand: (userId, deviceId, name, data) =>
      about(userId, deviceId, (lock, role) =>
        commands.submit(lock, { accessor: fleet.virtualKey(userId), role }, name, data),
      ),
    getCommand: (userId, deviceId, commandId) =>
      about(userId, deviceId, (lock) => {
        const command = lock.cloud.commands.get(commandId);
        return command === undefined ? no(REFUSALS.commandUnknown) : yes(command);
      }),
    listAccessCodes: (userId, deviceId) =>
      about(userId, deviceId, (lock) =>
        yes([...lock.cloud.codes.values()].map((code) => accessCodeRecord(code, lock.settings.timeZone))),
      ),
    getAccessCode: (userId, deviceId, accessCodeId) =>
      about(userId, deviceId, (lock) => {
        const code = lock.cloud.codes.get(accessCodeId);
        return code === undefined
          ? no(REFUSALS.accessCodeUnknown)
          : yes(accessCodeRecord(code, lock.settings.timeZone));
      }),
    history: (userId, deviceId, limit, deviceLocalTime) =>
      about(userId, deviceId, (lock) => {
        if (!Number.isInteger(limit) || limit < 1 || limit > LONGEST_HISTORY) {
          return no(refuse(20));
        }
        const timeZone = deviceLocalTime ? lock.settings.timeZone : null;
        const newest = lock.cloud.history.slice(-limit).toReversed();
        return yes(newest.map((entry) => historyRecord(entry, timeZone)));
      }),
  };
}

function historyRecord(entry: HistoryEntry, timeZone: string | null): HistoryRecord {
  return {
    id: entry.id,
    timestamp: timeZone === null ? new Date(entry.at).toISOString() : formatLocal(timeZone, entry.at),
    eventCode: entry.eventCode,
    accessor: entry.accessor,
  };
}
