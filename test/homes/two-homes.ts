// Two people with a home each at one service: for accounts that change hands.
import type { Scenario } from '../../simulator/src/scenario/scenario.ts';

export const TWO_HOMES = {
  users: [
    { userId: 'resident', friendlyName: 'Resident', email: 'resident@home.example' },
    { userId: 'neighbour', friendlyName: 'Neighbour', email: 'neighbour@home.example' },
  ],
  locks: [
    { name: 'Front door', type: 'WifiDeadbolt', roles: { resident: 'owner' } },
    { name: 'Cellar', type: 'WifiDeadbolt', roles: { neighbour: 'owner' } },
  ],
} satisfies Scenario;
