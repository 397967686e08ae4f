// The adapters of the access codes: the service, the disk, and the time zone in which a lock's schedules are written.
import type { LockId } from '../domain/lock.ts';
import type { Storage } from '../storage/storage.ts';
import type { AccountRuntimeParts } from '../sync/account-runtime.ts';
import type { CloudClients } from './cloud-clients.ts';
import type { KeptLockOptions } from './kept-lock-options.ts';

/** Codes mean the clocks of the house; without an option, those are most likely the clocks of this machine. */
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
  return { gateway: clients.codes, store: storage.codes, zoneOf };
}
