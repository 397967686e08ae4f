// How things stand, for the doors page and for tests: every lock as it really is, who is linked, which switches are on.
import type { AuthSettings } from '../auth/auth-settings.ts';
import type { AuthorizationServer } from '../auth/authorization-server.ts';
import type { LockInspection, World } from '../world/world-types.ts';

export interface Snapshot {
  /** The simulator's time, ISO 8601 in UTC; left out of the stream, where it would change without end. */
  readonly locks: readonly LockInspection[];
  readonly users: readonly {
    readonly userId: string;
    readonly friendlyName: string;
    /** Ids of the clients this user has linked. */
    readonly linkedClients: readonly string[];
  }[];
  readonly clients: readonly { readonly clientId: string; readonly name: string }[];
  readonly authorization: AuthSettings;
}

export function takeSnapshot({
  world,
  auth,
}: {
  readonly world: World;
  readonly auth: AuthorizationServer;
}): Snapshot {
  return {
    locks: world.deviceIds().map((deviceId) => world.inspect(deviceId)),
    users: world.users().map(({ userId, friendlyName }) => ({
      userId,
      friendlyName,
      linkedClients: auth.clientsOf(userId),
    })),
    clients: auth.clients.map(({ clientId, name }) => ({ clientId, name })),
    authorization: auth.settings,
  };
}
