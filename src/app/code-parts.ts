// The adapters of the access codes: the service, the disk, and the time zone in which a lock's schedules are written.
import type { LockId } from '../domain/lock.ts';
import type { Storage } from '../storage/storage.ts';
import type { AccountRuntimeParts } from '../sync/account-runtime.ts';
import type { CloudClients } from './cloud-clients.ts';
import type { KeptLockOptions } from './kept-lock-options.ts';

/** Schedules are in the time zone of the lock; without an option, that is most likely the zone of this machine. */
export function codeParts({
  clients,
  storage,
  lockOptions,
}: {
  readonly clients: CloudClients;
  readonly storage: Storage;
  readonly lockOptions: KeptLockOptions;
}): AccountRuntimeParts['codes'] {
  const zoneOf = (id: LockId): string =>
    lockOptions.optionsFor(id).timeZone.value ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return { gateway: clients.codes, store: storage.codes, guests: storage.guests, zoneOf };
}
