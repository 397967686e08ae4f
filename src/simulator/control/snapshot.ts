// The present state for the doors page and tests: true locks, links, switches and calendars.
import type { AuthSettings } from '../auth/auth-settings.ts';
import type { CalendarFault } from '../calendars/calendar-faults.ts';
import type { CalendarInspection } from '../calendars/calendar-service.ts';
import type { CredentialingSettings } from '../credentialing/credentialing-settings.ts';
import type { ArmedFault } from '../faults/armory.ts';
import type { Fault } from '../faults/fault.ts';
import type { ActionContext } from '../scenario/action.ts';
import type { DeliveryFault } from '../webhooks/delivery-faults.ts';
import type { Subscription } from '../webhooks/subscription-registry.ts';
import type { WebhookSettings } from '../webhooks/webhook-settings.ts';
import type { LockInspection } from '../world/world-types.ts';

export interface Snapshot {
  /** How far the simulator's time is ahead of this machine's, milliseconds. */
  readonly aheadMs: number;
  readonly locks: readonly LockInspection[];
  readonly users: readonly {
    readonly userId: string;
    readonly friendlyName: string;
    /** Ids of the clients this user has linked. */
    readonly linkedClients: readonly string[];
  }[];
  readonly clients: readonly { readonly clientId: string; readonly name: string }[];
  readonly authorization: AuthSettings;
  readonly credentialing: CredentialingSettings;
  readonly webhooks: WebhookSettings;
  readonly subscriptions: readonly Subscription[];
  readonly deliveryFaults: readonly ArmedFault<DeliveryFault>[];
  readonly faults: readonly ArmedFault<Fault>[];
  readonly calendars: readonly CalendarInspection[];
  readonly calendarFaults: readonly ArmedFault<CalendarFault>[];
  /** Steps of the scenario's script that the service refused. */
  readonly scriptFailures: readonly string[];
}

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
}: SnapshotSource): Snapshot {
  return {
    aheadMs: clock.aheadMs,
    locks: world.deviceIds().map((deviceId) => world.inspect(deviceId)),
    users: world.users().map(({ userId, friendlyName }) => ({
      userId,
      friendlyName,
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
    scriptFailures: script.failures,
  };
}
