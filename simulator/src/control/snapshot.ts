// The present state for the doors page and tests: true locks, links, switches and calendars.
import type { ActionContext } from '../scenario/action.ts';

export type Snapshot = ReturnType<typeof takeSnapshot>;

/** The sources of a snapshot. */
export interface SnapshotSource extends ActionContext {
  readonly script: { readonly failures: readonly string[] };
  readonly clock: { readonly aheadMs: number };
}

/** The time of day is not in it: it would make every snapshot differ from the last. */
export function takeSnapshot({
  world,
  auth,
  credentialing,
  webhooks,
  faults,
  calendars,
  script,
  clock,
}: SnapshotSource) {
  return {
    /** How far the simulator's time is ahead of this machine's, milliseconds. */
    aheadMs: clock.aheadMs,
    locks: world.deviceIds().map((deviceId) => world.inspect(deviceId)),
    users: world.users().map(({ userId, friendlyName }) => ({
      userId,
      friendlyName,
      /** Ids of the clients this user has linked. */
      linkedClients: auth.clientsOf(userId),
    })),
    clients: auth.clients.map(({ clientId, name }) => ({ clientId, name })),
    authorization: auth.settings,
    credentialing: credentialing.settings,
    webhooks: webhooks.settings,
    subscriptions: webhooks.subscriptions(),
    deliveryFaults: webhooks.faults.list(),
    faults: faults.list(),
    calendars: calendars.inspect(),
    calendarFaults: calendars.faults.list(),
    /** Steps of the scenario's script that the service refused. */
    scriptFailures: script.failures,
  };
}
