// Users, roles, and locks that come, go and are renamed.
import { recordInCloud, touch } from '../behaviours/report.ts';
import { inspection } from '../lock.ts';
import { newLock } from '../new-lock.ts';
import type { EventCode, Role } from '../records.ts';
import type { Registry } from '../world-types.ts';
import type { LockFleet } from './lock-fleet.ts';

type People = Pick<Registry, 'users' | 'addUser' | 'setRole' | 'signOutEverywhere'>;
type Things = Omit<Registry, keyof People>;

export function registry(fleet: LockFleet): Registry {
  return { ...people(fleet), ...things(fleet) };
}

function people(fleet: LockFleet): People {
  const { kernel, users } = fleet;
  return {
    users: () => [...users.values()],
    addUser(setup) {
      const user = { ...setup, userId: setup.userId ?? kernel.random.uuid() };
      assertFree(users, 'user', user.userId);
      users.set(user.userId, user);
      return user;
    },
    setRole(deviceId, userId, role) {
      const lock = fleet.lock(deviceId);
      const accessor = fleet.virtualKey(userId);
      for (const eventCode of roleEventCodes(lock.roles.get(userId) ?? null, role)) {
        recordInCloud(kernel, lock, { at: kernel.now(), eventCode, accessor });
      }
      if (role === null) {
        fleet.withdraw(lock, userId);
      } else {
        fleet.grant(lock, userId, role);
      }
      kernel.show(lock, 'role');
    },
    signOutEverywhere(userId) {
      fleet.user(userId);
      kernel.notifyUser(userId, { kind: 'signed-out-everywhere', userId });
    },
  };
}

function things(fleet: LockFleet): Things {
  const { kernel, locks, relock } = fleet;
  return {
    deviceIds: () => [...locks.keys()],
    inspect: (deviceId) => inspection(fleet.lock(deviceId), kernel.now()),
    addDevice(setup) {
      const lock = newLock(kernel, setup);
      const roles = Object.entries(setup.roles);
      assertFree(locks, 'device', lock.deviceId);
      for (const [userId] of roles) {
        fleet.user(userId);
      }
      locks.set(lock.deviceId, lock);
      for (const [userId, role] of roles) {
        fleet.grant(lock, userId, role);
      }
      relock.armAutoRelock(lock);
      relock.armDailyLock(lock);
      kernel.show(lock, 'added');
      return lock.deviceId;
    },
    removeDevice(deviceId) {
      const lock = fleet.lock(deviceId);
      kernel.show(lock, 'removed');
      lock.isPresent = false;
      locks.delete(deviceId);
      for (const userId of lock.roles.keys()) {
        fleet.withdraw(lock, userId);
      }
    },
    renameDevice(deviceId, name) {
      const lock = fleet.lock(deviceId);
      lock.name = name;
      touch(kernel, lock);
      kernel.show(lock, 'renamed');
    },
  };
}

function assertFree(taken: ReadonlyMap<string, unknown>, what: string, id: string): void {
  if (taken.has(id)) {
    throw new RangeError(`There is a ${what} with the id "${id}" already; choose another`);
  }
}

/** The history entries for a role that is given, changed or taken away. */
function roleEventCodes(before: Role | null, after: Role | null): EventCode[] {
  const codes: EventCode[] = [];
  if (before === null && after !== null) {
    codes.push('MobileUserAdded');
  }
  if (before !== 'owner' && after === 'owner') {
    codes.push('AdminPrivilegeAdded');
  }
  if (before === 'owner' && after !== 'owner') {
    codes.push('AdminPrivilegeDeleted');
  }
  if (before !== null && after === null) {
    codes.push('MobileUserDeleted');
  }
  return codes;
}
