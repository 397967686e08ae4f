// The world of a first run: one home with three doors, and a guest with a key to one of them.
import type { WorldSetup } from './setup.ts';

/** Names are roles, not people. */
export function defaultSetup(seed: string, startAt: number): WorldSetup {
  return {
    seed,
    startAt,
    users: [
      { userId: 'resident', friendlyName: 'Resident', email: 'resident@home.example' },
      { userId: 'guest-of-house', friendlyName: 'Guest of the house', email: 'guest@home.example' },
    ],
    devices: [
      {
        name: 'Front door',
        type: 'WifiDeadbolt',
        roles: { resident: 'owner', 'guest-of-house': 'guest' },
        accessCodes: [{ name: 'Resident', code: '2580' }],
        batteryPercent: 87,
        settings: { vlac: true },
      },
      { name: 'Back door', type: 'WifiDeadbolt', roles: { resident: 'owner' } },
      { name: 'Garage', type: 'WifiLever', roles: { resident: 'owner' } },
    ],
  };
}
